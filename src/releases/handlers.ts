import { Readable } from "node:stream"
import { Clock, Effect } from "effect"
import { Repositories } from "../git/Repositories.ts"
import { tagRef } from "../git/refs/refNames.ts"
import { type GroupInput, requireGroup } from "../groups/requireGroup.ts"
import {
  badRequest,
  conflict,
  forbidden,
  invalidRecord,
  notFound,
  notOffered,
  unprocessable,
  WireError
} from "../http/answer/errors.ts"
import { presentFaults } from "../http/answer/faults.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { JsonStream, ok, RawBody, revalidate } from "../http/answer/Reply.ts"
import type { JsonObject } from "../http/answer/success.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { type Input, route } from "../http/Endpoint.ts"
import { viewerOf } from "../issuables/Viewer.ts"
import { defined } from "../kernel/defined.ts"
import { load } from "../platform/Commands.ts"
import { can, Projects, principalOf, requireProject } from "../projects/Projects.ts"
import { commitOf, makeTag, requireTagName, tagTarget } from "../repositories/Code.ts"
import { type Refusal, releaseAggregate } from "./aggregate.ts"
import {
  belowLatestRelease,
  changeRelease as declaredChange,
  createRelease as declaredCreation,
  deleteRelease as declaredDeletion,
  downloadAsset,
  latestRelease,
  listGroupReleases,
  listReleases,
  readEvidence,
  readRelease
} from "./contract.ts"
import type { ReleaseKey } from "./ids.ts"
import { linkRoutes } from "./links/handlers.ts"
import { linkOf } from "./links/linkOf.ts"
import { milestonesOf } from "./milestones.ts"
import { presentShort } from "./present.ts"
import { ReleaseQueries } from "./Queries.ts"
import { deletedRelease } from "./removed.ts"
import { requireRelease, requireWritable } from "./requireRelease.ts"
import { releasePageOf, releasesPage, shown, viewsOf } from "./shown.ts"
import { changeRelease, createRelease, deleteRelease } from "./writes.ts"

const list = route(
  listReleases,
  Effect.fnUntraced(function* (input) {
    const { include_html_description, order_by, sort, updated_after, updated_before } = input.parameters
    const found = yield* requireProject(input, "read_releases")
    const bounds = defined({ updatedAfter: updated_after ?? undefined, updatedBefore: updated_before ?? undefined })
    const filter = { projectId: found.project.id, order: { by: order_by, descending: sort === "desc" }, ...bounds }
    const listed = yield* ReleaseQueries.use((releases) => releases.list(filter, pageOf({ ...input.parameters })))
    const views = yield* viewsOf(found, input.request)
    return yield* releasesPage(listed, ({ tag }) => views(tag), include_html_description === true)
  })
)

/** How the caller sees releases of projects, by project and tag. A project that is gone meanwhile shows nothing more than its releases. */
const viewsIn = Effect.fnUntraced(function* (projectIds: ReadonlySet<number>, { caller, request }: GroupInput) {
  const projects = yield* Projects
  const views = new Map<number, Effect.Success<ReturnType<typeof viewsOf>>>()
  for (const id of projectIds) {
    const found = yield* projects.find(String(id), caller?.user.id)
    if (found !== undefined) views.set(id, yield* viewsOf({ ...found, principal: principalOf(caller, found.role) }, request))
  }
  return views
})

const listOfGroup = route(
  listGroupReleases,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const { namespace } = yield* requireGroup(input)
    const filter = { groupId: namespace.id, viewer: viewerOf(caller), descending: parameters.sort === "desc" }
    const [releases, slice] = [yield* ReleaseQueries, pageOf({ ...parameters })]
    if (parameters.simple === true) {
      const now = yield* Clock.currentTimeMillis
      return yield* releasePageOf(yield* releases.listShortOfGroup(filter, slice), (row) =>
        Effect.succeed(presentShort(row, now))
      )
    }
    const { extent, rows } = yield* releases.listOfGroup(filter, slice)
    const views = yield* viewsIn(new Set(rows.map(({ project_id }) => project_id)), input)
    const seen = rows.flatMap((row) => {
      const view = views.get(row.project_id)?.(row.tag)
      return view === undefined ? [] : [{ ...row, view }]
    })
    return yield* releasesPage({ extent, rows: seen }, ({ view }) => view)
  })
)

const read = route(
  readRelease,
  Effect.fnUntraced(function* (input) {
    const { found, row } = yield* requireRelease(input)
    const views = yield* viewsOf(found, input.request)
    return ok(yield* shown(row, views(row.tag), { withHtml: input.parameters.include_html_description === true }))
  })
)

/** Leads elsewhere, as the reference says it. */
const moved = (location: string) => ({
  body: new RawBody("text/plain", Buffer.from(`This resource has been moved temporarily to ${location}.`)),
  headers: { location, "cache-control": "no-cache" }
})

/** An address as a header can carry it: what is not visible ASCII is escaped. */
const visible = (url: string): string => url.replace(/[^!-~]+/gu, encodeURIComponent)

/** No path leads out of where it is. */
const requirePath = (name: string, path: string) =>
  path.split("/").includes("..")
    ? Effect.fail(new WireError({ status: 400, body: { error: `${name} should be a valid file path` } }))
    : Effect.succeed(path)

const toLatest = Effect.fnUntraced(function* (
  input: Pick<Input<typeof latestRelease.parameters, "anyone">, "caller" | "parameters" | "request">,
  suffix: string
) {
  const { project } = yield* requireProject(input, "read_releases")
  const tag = yield* ReleaseQueries.use((releases) => releases.latest(project.id))
  const { row } = yield* requireRelease({ ...input, parameters: { id: String(project.id), tag_name: tag ?? null } })
  const query = input.request.query
    .split("&")
    .filter((pair) => pair !== "" && !pair.startsWith("order_by="))
    .join("&")
  return moved(
    `/api/v4/projects/${project.id}/releases/${encodeURIComponent(row.tag)}${suffix}${query === "" ? "" : `?${query}`}`
  )
})

const latest = route(latestRelease, (input) => toLatest(input, ""))

const belowLatest = route(
  belowLatestRelease,
  Effect.fnUntraced(function* (input) {
    const path = yield* requirePath("suffix_path", input.parameters.suffix_path ?? "")
    return yield* toLatest(input, `/${path.split("/").map(encodeURIComponent).join("/")}`)
  })
)

const download = route(
  downloadAsset,
  Effect.fnUntraced(function* (input) {
    const path = yield* requirePath("direct_asset_path", input.parameters.direct_asset_path ?? "")
    const { row } = yield* requireRelease(input)
    const link = row.links.find((each) => each.path === `/${path}`) ?? (yield* notFound)
    return moved(visible(link.url))
  })
)

const evidence = route(
  readEvidence,
  Effect.fnUntraced(function* (input) {
    const { found, row } = yield* requireRelease(input)
    // It tells of milestones and their issues.
    const mayRead = (ability: "read_issues" | "read_milestones") => can(ability, found.principal, found.project)
    if (!mayRead("read_issues") || !mayRead("read_milestones")) return yield* forbidden
    const id = input.parameters.evidence_id ?? 0
    const key = { projectId: found.project.id, tag: row.tag }
    const text = (yield* ReleaseQueries.use((releases) => releases.evidence(key, id))) ?? (yield* notFound)
    // As it was recorded, for the digest is that of the text.
    return { body: new JsonStream<JsonObject>(Readable.from([text])), headers: revalidate }
  })
)

const isProtected = new WireError({
  status: 403,
  body: { message: "You are not allowed to create this tag as it is protected." }
})
const exists = conflict("Release already exists")

const refuse = <A, R>(written: Effect.Effect<A, Refusal | WireError, R>) =>
  Effect.catchTags(written, {
    ReleaseExists: () => Effect.fail(exists),
    ReleaseMissing: () => Effect.fail(forbidden),
    ReleaseInvalid: ({ faults }) => Effect.fail(invalidRecord(presentFaults(faults))),
    LinkInvalid: ({ sentences }) => Effect.fail(badRequest(`Validation failed: ${sentences.join(", ")}`)),
    TooManyLinks: ({ message }) => Effect.fail(badRequest(`Validation failed: ${message}`)),
    LinkMissing: Effect.die
  })

type Creation = Input<typeof declaredCreation.parameters, "anyone">
type Writable = Effect.Success<ReturnType<typeof requireWritable>>

const hasTag = Effect.fnUntraced(function* ({ projectId, tag }: ReleaseKey) {
  const repositories = yield* Repositories
  const isThere = yield* repositories.exists(projectId)
  return isThere && (yield* tagTarget(repositories.of(projectId), tag)) !== undefined
})

/** Makes the tag, where it is not there. */
const ensureTag = Effect.fnUntraced(function* ({ caller, ...found }: Writable, { parameters, request }: Creation) {
  const [repositories, name, ref] = [yield* Repositories, parameters.tag_name ?? "", parameters.ref]
  if (yield* hasTag({ projectId: found.project.id, tag: name })) return
  if (ref === undefined || ref === null) return yield* unprocessable("Ref is not specified")
  if (ref === "") return yield* badRequest("Target is empty")
  yield* requireTagName(name)
  if (!(yield* repositories.exists(found.project.id))) return yield* badRequest(`Target ${ref} is invalid`)
  const open = { ...found, caller, repository: repositories.of(found.project.id) }
  const message = parameters.tag_message
  const seconds = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))
  const making = makeTag({ caller, open, name, ref, message, request, mayNotCreate: isProtected }, seconds)
  // Somebody else may have made it at the same time.
  yield* Effect.catch(making, (refusal) =>
    Effect.flatMap(hasTag({ projectId: found.project.id, tag: name }), (isThere) =>
      isThere ? Effect.void : Effect.fail(refusal)
    )
  )
})

const draftOf = Effect.fnUntraced(function* (found: Writable, input: Creation) {
  const { parameters } = input
  const { id: projectId } = found.project
  const name = parameters.tag_name ?? ""
  const { state } = yield* load(releaseAggregate, { projectId, tag: name })
  if (state !== undefined) return yield* exists
  const milestoneIds = (yield* milestonesOf(projectId, parameters)) ?? []
  yield* ensureTag(found, input)
  return {
    name: parameters.name || null,
    description: parameters.description ?? null,
    sha: (yield* commitOf(found.project, tagRef(name))) ?? null,
    releasedAt: parameters.released_at ?? null,
    milestoneIds,
    links: (parameters.assets?.links ?? []).map(linkOf)
  }
})

const requireRow = Effect.fnUntraced(function* (projectId: number, tag: string) {
  return (yield* ReleaseQueries.use((releases) => releases.find({ projectId, tag }))) ?? (yield* notOffered)
})

const create = route(
  declaredCreation,
  Effect.fnUntraced(function* (input) {
    const found = yield* requireWritable(input, isProtected)
    const [projectId, tag] = [found.project.id, input.parameters.tag_name ?? ""]
    const created = createRelease({ projectId, tag }, found.caller.user.id, draftOf(found, input))
    yield* awaitReadModels(yield* refuse(created))
    const views = yield* viewsOf(found, input.request)
    return ok(yield* shown(yield* requireRow(projectId, tag), views(tag)))
  })
)

const tagIsGone = new WireError({ status: 404, body: { message: "Tag does not exist" } })

const change = route(
  declaredChange,
  Effect.fnUntraced(function* (input) {
    const { description, name, released_at, tag_name } = input.parameters
    const found = yield* requireWritable(input, forbidden)
    const key = { projectId: found.project.id, tag: tag_name ?? "" }
    if ((yield* load(releaseAggregate, key)).state === undefined) return yield* forbidden
    if (!(yield* hasTag(key))) return yield* tagIsGone
    const milestoneIds = yield* milestonesOf(key.projectId, input.parameters)
    const wanted = defined({ name: name === "" ? null : name, description, releasedAt: released_at ?? undefined, milestoneIds })
    if (Object.keys(wanted).length === 0) return yield* badRequest("params is empty")
    yield* awaitReadModels(yield* refuse(changeRelease(key, found.caller.user.id, wanted)))
    const views = yield* viewsOf(found, input.request)
    return ok(yield* shown(yield* requireRow(key.projectId, key.tag), views(key.tag)))
  })
)

const remove = route(
  declaredDeletion,
  Effect.fnUntraced(function* (input) {
    const found = yield* requireWritable(input, forbidden)
    const key = { projectId: found.project.id, tag: input.parameters.tag_name ?? "" }
    const row = yield* ReleaseQueries.use((releases) => releases.find(key))
    yield* awaitReadModels(yield* refuse(deleteRelease(key, found.caller.user.id)))
    const views = yield* viewsOf(found, input.request)
    // In a repeat it is gone already.
    return ok(yield* shown(row ?? (yield* deletedRelease(key)) ?? (yield* notOffered), views(key.tag)))
  })
)

export const releaseRoutes = [
  list,
  listOfGroup,
  latest,
  belowLatest,
  read,
  download,
  evidence,
  create,
  change,
  remove,
  ...linkRoutes
]
