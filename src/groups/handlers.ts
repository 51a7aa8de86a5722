import { Effect } from "effect"
import { AppConfig } from "../config.ts"
import type { Caller } from "../http/access/Caller.ts"
import { accepted } from "../http/answer/accepted.ts"
import { requireUnmodified } from "../http/answer/conditional.ts"
import { badRequest, forbidden, invalidRecord, type WireError } from "../http/answer/errors.ts"
import { inspectedFaults, presentFaults } from "../http/answer/faults.ts"
import { ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { type Input, route } from "../http/Endpoint.ts"
import type { Decoded } from "../http/parameters/parameters.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { changesFound, creates } from "../platform/repeats.ts"
import { groupAggregate } from "./aggregate.ts"
import { protectionOf } from "./attributes.ts"
import { createGroup, deleteGroup, readGroup, updateGroup } from "./contract.ts"
import type { Refusal } from "./errors.ts"
import type { GroupFault } from "./faults.ts"
import type { GroupRow } from "./Groups.ts"
import { changeOf, creationOf } from "./input.ts"
import { mayCreateGroups, mayCreateSubgroups } from "./permissions.ts"
import { details } from "./reads/details.ts"
import { listRoutes } from "./reads/handlers.ts"
import { findReadable, groupNotFound, movedMeanwhile, ownedGroup, requireGroup } from "./requireGroup.ts"
import { groupMemberRoutes } from "./sharing/memberHandlers.ts"
import { groupShareRoutes } from "./sharing/shareHandlers.ts"
import { groupTransferRoutes } from "./tree/handlers.ts"
import { removeTree } from "./tree/removeTree.ts"
import { changeGroup, createGroup as create } from "./writes.ts"

/** The error that a client gets for a refused write; refusals about members do not occur here. */
const refusalOf =
  (invalid: (faults: ReadonlyArray<GroupFault>) => WireError) =>
  (refusal: Refusal): Effect.Effect<never, WireError> => {
    switch (refusal._tag) {
      case "GroupInvalid":
        return Effect.fail(invalid(refusal.faults))
      case "GroupMissing":
        return Effect.fail(groupNotFound)
      case "GroupMoved":
        return Effect.fail(movedMeanwhile)
      default:
        return Effect.die(refusal)
    }
  }

const notSaved = refusalOf((faults) => badRequest(`Failed to save group ${inspectedFaults(faults)}`))
const notChanged = refusalOf((faults) => invalidRecord(presentFaults(faults)))

const read = route(
  readGroup,
  Effect.fnUntraced(function* (input) {
    const found = yield* requireGroup(input)
    const { caller, parameters, request } = input
    return ok(yield* details(found, { caller, request, withProjects: parameters.with_projects }))
  })
)

/** Refuses who may not create a group below this parent, or at the top level. */
const requireRight = Effect.fnUntraced(function* (caller: Caller, parentId: number | null) {
  if (parentId === null) return mayCreateGroups(caller) ? undefined : yield* forbidden
  const parent = yield* findReadable(String(parentId), caller)
  if (!mayCreateSubgroups(caller, parent)) return yield* forbidden
})

const created = Effect.fnUntraced(function* ({ parameters, caller }: Input<typeof createGroup.parameters, "user">) {
  const parentId = parameters.parent_id ?? null
  yield* requireRight(caller, parentId)
  const { defaultBranchProtection } = yield* AppConfig
  const command = { ...creationOf(parameters, protectionOf(defaultBranchProtection)), parentId, createdBy: caller.user.id }
  return yield* create(command).pipe(Effect.catchIf((refusal): refusal is Refusal => refusal._tag !== "WireError", notSaved))
})

const createRoute = route(
  createGroup,
  Effect.fnUntraced(function* (input) {
    const { caller, request } = input
    const written = yield* creates(groupAggregate, created(input))
    yield* awaitReadModels(written)
    const found = yield* findReadable(String(written.id), caller)
    return ok(yield* details(found, { caller, request }))
  })
)

const changed = Effect.fnUntraced(function* (
  { default_branch_protection_defaults, id }: GroupRow,
  given: Decoded<typeof updateGroup.parameters>
) {
  const { defaultBranchProtection } = yield* AppConfig
  const command = changeOf(given, default_branch_protection_defaults ?? protectionOf(defaultBranchProtection))
  return yield* Effect.catch(changeGroup(id, command), notChanged)
})

const update = route(
  updateGroup,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const written = yield* changesFound(groupAggregate, ownedGroup(input), (group) => changed(group, parameters))
    yield* awaitReadModels(written)
    const found = yield* findReadable(String(written.id), caller)
    return ok(yield* details(found, { caller, request }))
  })
)

const removed = Effect.fnUntraced(function* ({ id, updated_at }: GroupRow, request: RequestInfo) {
  yield* requireUnmodified(updated_at, request)
  return yield* removeTree(id).pipe(Effect.catchIf((refusal): refusal is Refusal => refusal._tag !== "WireError", notChanged))
})

const remove = route(
  deleteGroup,
  Effect.fnUntraced(function* (input) {
    yield* awaitReadModels(yield* changesFound(groupAggregate, ownedGroup(input), (group) => removed(group, input.request)))
    return accepted
  })
)

export const groupRoutes = [
  ...listRoutes,
  read,
  createRoute,
  update,
  remove,
  ...groupMemberRoutes,
  ...groupShareRoutes,
  ...groupTransferRoutes
]
