import { Effect } from "effect"
import type { Caller } from "../../http/access/Caller.ts"
import { badRequest, forbidden, unauthorized, type WireError } from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { groupReference } from "../../http/answer/references.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { changesFound } from "../../platform/repeats.ts"
import { groupAggregate } from "../aggregate.ts"
import type { Refusal } from "../errors.ts"
import { pathIsTaken } from "../faults.ts"
import { GroupProjects } from "../GroupProjects.ts"
import { type GroupRow, viewerOf } from "../Groups.ts"
import { conditionsOf } from "../input.ts"
import { mayAdminister, mayCreateGroups, mayCreateSubgroups } from "../permissions.ts"
import { GroupQueries, relatedGroups } from "../Queries.ts"
import { details } from "../reads/details.ts"
import { findReadable, groupNotFound, movedMeanwhile, ownedGroup, requireGroup } from "../requireGroup.ts"
import { bringProject, listTransferLocations, transferGroupTo } from "./contract.ts"
import { limitArrivals, transferGroup } from "./transfer.ts"

/** Gap: not shown; the reference's texts. */
const failed = (reason: string): WireError => badRequest(`Transfer failed: ${reason}`)

const notAllowed = failed("You don't have enough permissions.")
const taken = failed("The parent group already has a subgroup or a project with the same path.")
const belowItself = failed("Cannot transfer group to one of its subgroup.")
const inPlace = (parentId: number | null): WireError =>
  failed(parentId === null ? "Group is already a root group." : "Group is already associated to the parent group.")

const labels: Readonly<Record<string, string>> = { path: "Path", parent_id: "Parent" }

/** The error that a client gets for a refused transfer; refusals about members do not occur here. */
const refusalOf =
  (parentId: number | null) =>
  (refusal: Refusal | WireError): Effect.Effect<never, WireError> => {
    switch (refusal._tag) {
      case "WireError":
        return Effect.fail(refusal)
      case "GroupInvalid": {
        if (refusal.faults.includes(pathIsTaken)) return Effect.fail(taken)
        const sentences = refusal.faults.map(({ attribute, text }) => `${labels[attribute]} ${text}`)
        return Effect.fail(failed(`Validation failed: ${sentences.join(", ")}`))
      }
      case "GroupMissing":
        return Effect.fail(groupNotFound)
      case "GroupInPlace":
        return Effect.fail(inPlace(parentId))
      case "GroupBelowItself":
        return Effect.fail(belowItself)
      case "GroupMoved":
        return Effect.fail(movedMeanwhile)
      default:
        return Effect.die(refusal)
    }
  }

/** Transfers a group if the caller may create groups in that place. */
const transferred = Effect.fnUntraced(function* ({ id, parent_id: from }: GroupRow, to: number | null, caller: Caller) {
  const parent = to === null ? undefined : yield* findReadable(String(to), caller)
  if (from === to) return yield* inPlace(to)
  const isAllowed = parent === undefined ? mayCreateGroups(caller) : mayCreateSubgroups(caller, parent)
  if (!isAllowed) return yield* notAllowed
  return yield* Effect.catch(transferGroup(id, { parentId: to, by: caller.user.id }), refusalOf(to))
})

const transfer = route(
  transferGroupTo,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const to = parameters.group_id ?? null
    const written = yield* changesFound(groupAggregate, ownedGroup(input), (group) => transferred(group, to, caller))
    yield* awaitReadModels(written)
    const { id } = written
    yield* Effect.catchTag(limitArrivals(id), "GroupMissing", () => Effect.fail(groupNotFound))
    return ok(yield* details(yield* findReadable(String(id), caller), { caller, request }))
  })
)

const listLocations = route(
  listTransferLocations,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireGroup(input)
    if (caller === undefined) return yield* unauthorized
    if (!mayAdminister(caller, found)) return yield* forbidden
    const { namespace } = found
    const filter = relatedGroups({ receiving: namespace.id }, viewerOf(caller), conditionsOf(parameters))
    const { rows, total } = yield* GroupQueries.use((groups) => groups.list(filter, pageOf(parameters)))
    return page(
      rows.map((row) => groupReference(row, request.externalUrl)),
      total
    )
  })
)

const transferIn = route(
  bringProject,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireGroup(input)
    const transferInput = { project: parameters.project_id ?? "", groupId: found.namespace.id, caller, request }
    yield* awaitReadModels(yield* GroupProjects.use((projects) => projects.transferIn(transferInput)))
    return ok(yield* details(found, { caller, request }))
  })
)

export const groupTransferRoutes = [transfer, transferIn, listLocations]
