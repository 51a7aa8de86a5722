import { Effect } from "effect"
import { AppConfig } from "../config.ts"
import type { Caller } from "../http/access/Caller.ts"
import { accepted } from "../http/answer/accepted.ts"
import { preconditionHolds } from "../http/answer/conditional.ts"
import { badRequest, forbidden, invalidRecord, preconditionFailed, type WireError } from "../http/answer/errors.ts"
import { presentFaults } from "../http/answer/faults.ts"
import { ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import { alreadyCreated } from "../platform/Commands.ts"
import { groupAggregate } from "./aggregate.ts"
import { protectionOf } from "./attributes.ts"
import { createGroup, deleteGroup, readGroup, updateGroup } from "./contract.ts"
import type { Refusal } from "./errors.ts"
import type { GroupFault } from "./faults.ts"
import { changeOf, creationOf } from "./input.ts"
import { keptGroup } from "./keptGroup.ts"
import { mayCreateGroups, mayCreateSubgroups } from "./permissions.ts"
import { details } from "./reads/details.ts"
import { listRoutes } from "./reads/handlers.ts"
import { inspectedFaults } from "./reads/present.ts"
import { findReadable, groupNotFound, movedMeanwhile, requireGroup } from "./requireGroup.ts"
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

const createRoute = route(
  createGroup,
  Effect.fnUntraced(function* ({ parameters, caller, request }) {
    const earlier = yield* alreadyCreated(groupAggregate)
    const parentId = parameters.parent_id ?? null
    if (earlier === undefined) yield* requireRight(caller, parentId)
    const { defaultBranchProtection } = yield* AppConfig
    const wish = { ...creationOf(parameters, protectionOf(defaultBranchProtection)), parentId, createdBy: caller.user.id }
    const written = earlier ?? (yield* Effect.catch(create(wish), notSaved))
    yield* awaitReadModels(written)
    const found = yield* findReadable(String(written.id), caller)
    return ok(yield* details(found, { caller, request }))
  })
)

const update = route(
  updateGroup,
  Effect.fnUntraced(function* (input) {
    const { id, earlier, namespace } = yield* keptGroup(input)
    const { caller, parameters, request } = input
    if (earlier !== undefined) yield* awaitReadModels(earlier)
    if (namespace !== undefined) {
      const { defaultBranchProtection } = yield* AppConfig
      const wish = changeOf(parameters, namespace.default_branch_protection_defaults ?? protectionOf(defaultBranchProtection))
      yield* awaitReadModels(yield* Effect.catch(changeGroup(id, wish), notChanged))
    }
    const found = yield* findReadable(String(id), caller)
    return ok(yield* details(found, { caller, request }))
  })
)

const remove = route(
  deleteGroup,
  Effect.fnUntraced(function* (input) {
    const { id, earlier, namespace } = yield* keptGroup(input)
    if (earlier !== undefined) yield* awaitReadModels(earlier)
    if (namespace === undefined) return accepted
    if (!preconditionHolds(input.request.headers["if-unmodified-since"], namespace.updated_at)) return yield* preconditionFailed
    yield* removeTree(id).pipe(Effect.catchIf((refusal): refusal is Refusal => refusal._tag !== "WireError", notChanged))
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
