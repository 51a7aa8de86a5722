import { Effect } from "effect"
import { type FoundNamespace, Groups, mayCreateProjects, mayReadGroup } from "../../groups/Groups.ts"
import type { Caller } from "../../http/access/Caller.ts"
import { thingNotFound } from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { groupReference } from "../../http/answer/references.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import { accessLevel } from "../../members/levels.ts"
import { changesFound } from "../../platform/repeats.ts"
import { projectAggregate } from "../aggregate.ts"
import { type ProjectRow, requireProject } from "../Projects.ts"
import { ProjectQueries } from "../Queries.ts"
import { presentWritten } from "../reads/view.ts"
import { refuse, transferFailed } from "../refuse.ts"
import { requireCapacity } from "./createHandlers.ts"
import { listTransferLocations, transferProjectTo } from "./transferContract.ts"
import { transferProject } from "./writes.ts"

const notAllowed = transferFailed("You don't have permission to transfer projects into that namespace.")
const taken = transferFailed("Project with same name or path in target namespace already exists")

const namespaceNotFound = thingNotFound("Namespace")

/** A group may let Developers create projects; bringing one there still takes a Maintainer. */
const mayBringProjects = (caller: Caller, found: FoundNamespace): boolean =>
  mayCreateProjects(caller, found) && (caller.user.admin || found.role >= accessLevel.maintainer)

/** The namespace that the caller names, if they may see it. Personal namespaces are seen by everybody. */
const readableNamespace = Effect.fnUntraced(function* (idOrPath: string, caller: Caller) {
  const found = yield* Groups.use((groups) => groups.find(idOrPath, caller.user.id))
  if (found === undefined || found.isMoved || !mayReadGroup(caller, found)) return yield* namespaceNotFound
  return found
})

/** The project of a request, if the caller may give it away. */
export const requireTransferable = (input: Parameters<typeof requireProject>[0]) =>
  Effect.map(requireProject(input, "transfer_project"), ({ project }) => project)

/** Transfers a project into a namespace that the caller may see and bring projects to. */
export const transferred = Effect.fnUntraced(function* (project: ProjectRow, idOrPath: string, caller: Caller) {
  const target = yield* readableNamespace(idOrPath, caller)
  const { namespace } = target
  if (namespace.id !== project.namespace_id) {
    if (!mayBringProjects(caller, target)) return yield* notAllowed
    yield* Effect.mapError(requireCapacity(namespace, caller.user), () => notAllowed)
  }
  const { id: namespaceId, kind, owner_id: ownerId, visibility } = namespace
  const transferInput = {
    namespaceId,
    ownerId,
    maxVisibility: kind === "group" ? visibility : "public",
    by: caller.user.id
  } as const
  return yield* refuse(
    Effect.catchTags(transferProject(project.id, transferInput), {
      NamesTaken: () => Effect.fail(taken),
      NamespaceMissing: () => Effect.fail(namespaceNotFound)
    })
  )
})

const transfer = route(
  transferProjectTo,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const written = yield* changesFound(projectAggregate, requireTransferable(input), (project) =>
      transferred(project, parameters.namespace ?? "", caller)
    )
    yield* awaitReadModels(written)
    return ok(yield* presentWritten(written.id, input))
  })
)

const listLocations = route(
  listTransferLocations,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const { project } = yield* requireProject(input, "transfer_project")
    const filter = {
      user: { id: caller.user.id, isAdministrator: caller.user.admin },
      except: project.namespace_id,
      ...defined({ search: parameters.search || undefined })
    }
    const { rows, total } = yield* ProjectQueries.use((projects) => projects.transferLocations(filter, pageOf(parameters)))
    return page(
      rows.map((row) => groupReference(row, request.externalUrl)),
      total
    )
  })
)

export const transferRoutes = [transfer, listLocations]
