import { Effect } from "effect"
import { AppConfig } from "../config.ts"
import { accepted } from "../http/accepted.ts"
import type { Caller } from "../http/Caller.ts"
import { preconditionHolds } from "../http/conditional.ts"
import { route } from "../http/Endpoint.ts"
import { badRequest, forbidden, invalidRecord, preconditionFailed, type WireError } from "../http/errors.ts"
import { presentFaults } from "../http/faults.ts"
import { ok } from "../http/Reply.ts"
import { visible } from "../http/write.ts"
import { alreadyCreated } from "../platform/Commands.ts"
import { protectionOf } from "./attributes.ts"
import { createGroup, deleteGroup, readGroup, updateGroup } from "./contract.ts"
import { details } from "./details.ts"
import type { Fault, Refusal } from "./errors.ts"
import { groupAggregate } from "./handle.ts"
import { changeOf, creationOf } from "./input.ts"
import { keptGroup } from "./keptGroup.ts"
import { listRoutes } from "./listHandlers.ts"
import { groupMemberRoutes } from "./memberHandlers.ts"
import { mayCreateGroups, mayCreateSubgroups } from "./permissions.ts"
import { inspectedFaults } from "./present.ts"
import { removeTree } from "./removeTree.ts"
import { findReadable, groupNotFound, movedMeanwhile, requireGroup } from "./requireGroup.ts"
import { groupShareRoutes } from "./shareHandlers.ts"
import { groupTransferRoutes } from "./transferHandlers.ts"
import { changeGroup, createGroup as create } from "./writes.ts"

/** What a client hears of a refused write. Members are not the matter here. */
const refusalOf =
  (invalid: (faults: ReadonlyArray<Fault>) => WireError) =>
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
    yield* visible(written)
    const found = yield* findReadable(String(written.id), caller)
    return ok(yield* details(found, { caller, request }))
  })
)

const update = route(
  updateGroup,
  Effect.fnUntraced(function* (input) {
    const { id, earlier, namespace } = yield* keptGroup(input)
    const { caller, parameters, request } = input
    if (earlier !== undefined) yield* visible(earlier)
    if (namespace !== undefined) {
      const { defaultBranchProtection } = yield* AppConfig
      const wish = changeOf(parameters, namespace.default_branch_protection_defaults ?? protectionOf(defaultBranchProtection))
      yield* visible(yield* Effect.catch(changeGroup(id, wish), notChanged))
    }
    const found = yield* findReadable(String(id), caller)
    return ok(yield* details(found, { caller, request }))
  })
)

const remove = route(
  deleteGroup,
  Effect.fnUntraced(function* (input) {
    const { id, earlier, namespace } = yield* keptGroup(input)
    if (earlier !== undefined) yield* visible(earlier)
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
