import { Effect } from "effect"
import type { Caller } from "../http/Caller.ts"
import { preconditionHolds } from "../http/conditional.ts"
import { route } from "../http/Endpoint.ts"
import { badRequest, forbidden, invalidRecord, preconditionFailed, type WireError } from "../http/errors.ts"
import { ok } from "../http/Reply.ts"
import type { RequestInfo } from "../http/RequestInfo.ts"
import { visible } from "../http/write.ts"
import { alreadyCreated, alreadyHandled } from "../platform/Commands.ts"
import { CurrentOrigin } from "../platform/Origin.ts"
import { createGroup, deleteGroup, readGroup, updateGroup } from "./contract.ts"
import type { Fault, Refusal } from "./errors.ts"
import { GroupProjects } from "./Groups.ts"
import { groupAggregate } from "./handle.ts"
import { changeOf, creationOf } from "./input.ts"
import { listRoutes } from "./listHandlers.ts"
import { groupMemberRoutes } from "./memberHandlers.ts"
import { type FoundGroup, mayAdminister, mayCreateGroups, mayCreateSubgroups } from "./permissions.ts"
import { inspectedFaults, presentDetails, presentFaults } from "./present.ts"
import { removeTree } from "./removeTree.ts"
import { type Asked, findReadable, groupNotFound, requireGroup } from "./requireGroup.ts"
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
      default:
        return Effect.die(refusal)
    }
  }

const notSaved = refusalOf((faults) => badRequest(`Failed to save group ${inspectedFaults(faults)}`))
const notChanged = refusalOf((faults) => invalidRecord(presentFaults(faults)))

const accepted = ok({ message: "202 Accepted" })

const details = Effect.fnUntraced(function* (
  found: FoundGroup,
  { caller, request, withProjects = true }: { caller: Caller | undefined; request: RequestInfo; withProjects?: boolean | null }
) {
  const groupId = found.namespace.id
  const contents = withProjects
    ? { contents: yield* GroupProjects.use((projects) => projects.shown({ groupId, caller, request })) }
    : {}
  const isOwner = mayAdminister(caller, found)
  return presentDetails(found.namespace, { isOwner, ...contents }, request.externalUrl)
})

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
    const wish = { ...creationOf(parameters), parentId, createdBy: caller.user.id }
    const written = earlier ?? (yield* Effect.catch(create(wish), notSaved))
    yield* visible(written)
    const found = yield* findReadable(String(written.id), caller)
    return ok(yield* details(found, { caller, request }))
  })
)

/**
 * The group that a request of an owner is about; only its id when an earlier run of the request, which was interrupted, has
 * changed it already: it may be gone by now, or have another path.
 */
const target = Effect.fnUntraced(function* (input: Asked) {
  const { keepId, keptId } = yield* CurrentOrigin
  const kept = keptId?.()
  const earlier = kept === undefined ? undefined : yield* alreadyHandled(groupAggregate, kept)
  if (kept !== undefined && earlier !== undefined) return { id: kept, earlier }
  const { namespace } = yield* requireGroup(input, "administer")
  if (keepId !== undefined) yield* keepId(Effect.succeed(namespace.id))
  return { id: namespace.id, namespace }
})

const update = route(
  updateGroup,
  Effect.fnUntraced(function* (input) {
    const { id, earlier, namespace } = yield* target(input)
    const { caller, parameters, request } = input
    if (earlier !== undefined) yield* visible(earlier)
    if (namespace !== undefined) {
      const wish = changeOf(parameters, namespace.default_branch_protection_defaults)
      yield* visible(yield* Effect.catch(changeGroup(id, wish), notChanged))
    }
    const found = yield* findReadable(String(id), caller)
    return ok(yield* details(found, { caller, request }))
  })
)

const remove = route(
  deleteGroup,
  Effect.fnUntraced(function* (input) {
    const { id, earlier, namespace } = yield* target(input)
    if (earlier !== undefined) yield* visible(earlier)
    if (namespace === undefined) return accepted
    if (!preconditionHolds(input.request.headers["if-unmodified-since"], namespace.updated_at)) return yield* preconditionFailed
    yield* removeTree(id).pipe(Effect.catchIf((refusal): refusal is Refusal => refusal._tag !== "WireError", notChanged))
    return accepted
  })
)

export const groupRoutes = [...listRoutes, read, createRoute, update, remove, ...groupMemberRoutes]
