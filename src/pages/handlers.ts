import { Effect } from "effect"
import { Spools } from "../git/process/Spools.ts"
import { badRequest, invalidRecord, notFound, serviceUnavailable } from "../http/answer/errors.ts"
import { noContent, ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { offeredWhere, route } from "../http/Endpoint.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { saveBody } from "../http/request/saveBody.ts"
import { defined, nullAs } from "../kernel/defined.ts"
import { TakenBytes } from "../platform/work/ByteBudget.ts"
import { CurrentWork } from "../platform/work/CurrentWork.ts"
import { inBulkPlace } from "../platform/work/WorkPlaces.ts"
import { type ProjectRow, requireProject } from "../projects/Projects.ts"
import { maxDeployments } from "./aggregate.ts"
import { changePages, deployPages, readPages, readPagesAccess, unpublishPages } from "./contract.ts"
import { PagesHost } from "./PagesHost.ts"
import { presentPages } from "./present.ts"
import { PagesQueries } from "./Queries.ts"
import { namesIn } from "./sites/paths.ts"
import { SiteStorage } from "./sites/SiteStorage.ts"
import { changeSettings, deploy, unpublish } from "./writes.ts"

const presentOf = Effect.fnUntraced(function* ({ id, path_with_namespace }: ProjectRow, { externalUrl }: RequestInfo) {
  const { domain } = yield* PagesHost
  return presentPages({ externalUrl, domain }, path_with_namespace, yield* PagesQueries.use((pages) => pages.find(id)))
})

const read = route(
  readPages,
  Effect.fnUntraced(function* (input) {
    const { project } = yield* requireProject(input, "read_pages")
    return ok(yield* presentOf(project, input.request))
  })
)

const change = route(
  changePages,
  Effect.fnUntraced(function* (input) {
    const { pages_https_only, pages_unique_domain_enabled } = input.parameters
    const { project } = yield* requireProject(input, "update_pages")
    const wanted = defined({
      uniqueDomainEnabled: nullAs(pages_unique_domain_enabled, false),
      httpsOnly: nullAs(pages_https_only, false)
    })
    yield* awaitReadModels(yield* changeSettings(project, wanted))
    return ok(yield* presentOf(project, input.request))
  })
)

const remove = route(
  unpublishPages,
  Effect.fnUntraced(function* (input) {
    const { project } = yield* requireProject(input, "remove_pages")
    yield* awaitReadModels(yield* unpublish(project.id, input.caller.user.id))
    return noContent
  })
)

const access = route(readPagesAccess, (input) => Effect.as(requireProject(input, "read_pages_content"), ok({})))

const isPrefix = (text: string): boolean => /^([a-z0-9][a-z0-9_-]{0,62})?$/.test(text)

const requireShown = Effect.fnUntraced(function* (prefix: string | null | undefined, root: string | null | undefined) {
  const [pathPrefix, folder] = [prefix ?? "", namesIn(root ?? "")]
  if (!isPrefix(pathPrefix)) return yield* invalidRecord({ path_prefix: ["is invalid"] })
  if (folder === undefined) return yield* invalidRecord({ root_directory: ["is invalid"] })
  return { pathPrefix, folder, rootDirectory: folder.length === 0 ? null : folder.join("/") }
})

const diskIsFull = serviceUnavailable("503 Service Unavailable - there is no space left on the disk", 10)

/** Sites leave to the rest of the service what it needs of the disk. */
const requireDisk = Effect.fnUntraced(function* (bytes: number) {
  const { spare } = yield* Spools
  if ((yield* Effect.promise(spare)) < bytes) return yield* diskIsFull
})

/** Makes a site of the archive that a request has for its body. */
const storeArchive = Effect.fnUntraced(function* (projectId: number, root: ReadonlyArray<string>, request: RequestInfo) {
  const [{ idleMillis, limits, uploads }, sites, { caller }] = [yield* PagesHost, yield* SiteStorage, yield* CurrentWork]
  yield* requireDisk(2 * limits.maxBytes)
  const archive = yield* sites.draft
  const disk = yield* Effect.acquireRelease(
    Effect.sync(() => new TakenBytes(uploads, caller, 0)),
    (taken) => Effect.sync(() => taken.release())
  )
  const archiveBytes = yield* saveBody(request, { path: archive, limit: limits.maxBytes, disk, idleMillis })
  if (archiveBytes === 0) return yield* badRequest("400 Bad request - The body has to be the archive")
  const storing = inBulkPlace(`pages:${projectId}`, sites.store(projectId, archive, { root, limits, archiveBytes }))
  return yield* Effect.catchTags(storing, {
    ArchiveRefused: ({ reason }) => Effect.fail(badRequest(`400 Bad request - The archive ${reason}`)),
    TooBusy: Effect.die
  })
}, Effect.scoped)

const post = route(
  deployPages,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const { project } = yield* requireProject(input, "deploy_pages")
    const { folder, ...shown } = yield* requireShown(parameters.path_prefix, parameters.root_directory)
    // The right may be lost while the archive comes.
    const store = Effect.tap(storeArchive(project.id, folder, request), ({ site }) =>
      Effect.tapError(requireProject(input, "deploy_pages"), () => SiteStorage.use((sites) => sites.remove(project.id, site)))
    )
    const written = yield* deploy(project, { ...shown, by: caller.user.id }, store).pipe(
      Effect.catchTag("TooManyDeployments", () =>
        Effect.fail(badRequest(`400 Bad request - The project has ${maxDeployments} deployments, as many as it may have`))
      )
    )
    yield* awaitReadModels(written)
    const { deployments } = yield* presentOf(project, request)
    const made = deployments.find(({ path_prefix }) => path_prefix === shown.pathPrefix)
    return ok(made ?? (yield* notFound))
  })
)

export const pagesRoutes = offeredWhere(
  PagesHost.use(({ isEnabled }) => Effect.succeed(isEnabled)),
  [read, change, remove, access, post]
)
