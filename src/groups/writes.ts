import { Effect } from "effect"
import { unauthorized } from "../http/answer/errors.ts"
import { defined } from "../kernel/defined.ts"
import { handle, load, requireAcceptable } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { OwnerLock } from "../platform/OwnerLock.ts"
import { isPresent } from "../users/Users.ts"
import { groupAggregate } from "./aggregate.ts"
import type { Change, Create, Surroundings } from "./commands.ts"
import { GroupMissing } from "./errors.ts"
import type { AttributeChanges } from "./events.ts"
import { GroupProjects } from "./GroupProjects.ts"
import { Groups, pathName } from "./Groups.ts"
import { GroupTree } from "./GroupTree.ts"
import { releasePath, reservePath } from "./names.ts"
import { GroupQueries } from "./Queries.ts"

/** Deletes one group, with what only it has. Its path is free then. */
export const removeGroup = Effect.fnUntraced(function* (id: number) {
  const { state } = yield* load(groupAggregate, id)
  // Nothing comes below a group that goes.
  const handled = yield* GroupTree.use((tree) => tree.withLock(handle(groupAggregate, id, { _tag: "Delete" })))
  if (state._tag === "Present") yield* releasePath(pathName(state.group.parentId, state.group.path), id)
  return handled
}, spanned("groups.remove"))

/** Refuses a group whose parent was deleted while it was made: the parent's deletion may not have seen it. */
const requireParent = Effect.fnUntraced(function* (parentId: number | null, id: number) {
  if (parentId === null) return
  const { state } = yield* load(groupAggregate, parentId)
  if (state._tag === "Present") return
  yield* removeGroup(id)
  return yield* new GroupMissing()
})

type PathGuard = Effect.Success<ReturnType<typeof reservePath>>

type NewGroup = Omit<Create, "_tag" | "ancestors" | "parentVisibility" | "pathTaken">

/** Creates a group while its creator cannot be deleted; fails with 401 if they are. Needs the owner lock. */
const appended = Effect.fnUntraced(function* (id: number, command: Create, guard: PathGuard) {
  if (!(yield* isPresent(command.createdBy))) return yield* unauthorized
  return yield* handle(groupAggregate, id, command, { guard })
})

/** Creates a group. A refused one keeps no path. Refuses with `GroupMissing` if the parent ended. */
export const createGroup = Effect.fnUntraced(function* (newGroup: NewGroup) {
  const { path, parentId } = newGroup
  const queries = yield* GroupQueries
  const pathTaken = yield* queries.isTaken(path, parentId, null)
  const { parentVisibility } = yield* queries.surroundings(parentId, null)
  const above = parentId === null ? [] : (yield* Groups.use((groups) => groups.sharing(parentId))).path
  const command: Create = { _tag: "Create", ...newGroup, ancestors: above.length, parentVisibility, pathTaken }
  yield* requireAcceptable(groupAggregate, groupAggregate.initial, command)
  const id = yield* nextId("namespace")
  const name = pathName(parentId, path)
  const guard = yield* reservePath(name, id)
  const handled = yield* OwnerLock.use((owners) => owners.withLock(appended(id, command, guard))).pipe(
    Effect.tapError(() => releasePath(name, id))
  )
  yield* requireParent(parentId, id)
  return { ...handled, id }
}, spanned("groups.create"))

const noSurroundings: Surroundings = { parentVisibility: null, subgroupVisibility: null, projectVisibility: null }

/** The visibilities that limit that of a group. */
const surroundingsOf = Effect.fnUntraced(function* (id: number, parentId: number | null) {
  const around = yield* GroupQueries.use((queries) => queries.surroundings(parentId, id))
  const projectVisibility = (yield* GroupProjects.use((projects) => projects.highestVisibility(id))) ?? null
  return { ...around, projectVisibility }
})

interface Changed {
  readonly path?: string
  readonly changes: AttributeChanges
}

/** Changes what depends on what is around the group. */
const changePlace = Effect.fnUntraced(function* (id: number, input: Changed) {
  const { state } = yield* load(groupAggregate, id)
  if (state._tag !== "Present") return yield* new GroupMissing()
  const { parentId, path: before } = state.group
  const { path = before } = input
  const isRenamed = path.toLowerCase() !== before.toLowerCase()
  const command: Change = {
    _tag: "Change",
    ...input,
    surroundings: input.changes.visibility === undefined ? noSurroundings : yield* surroundingsOf(id, parentId),
    pathTaken: path !== before && (yield* GroupQueries.use((queries) => queries.isTaken(path, parentId, id))),
    ...defined({ from: input.path === undefined ? undefined : { parentId, path: before } })
  }
  yield* requireAcceptable(groupAggregate, state, command)
  if (!isRenamed) return yield* handle(groupAggregate, id, command)
  const guard = yield* reservePath(pathName(parentId, path), id)
  const changed = handle(groupAggregate, id, command, { guard })
  const handled = yield* Effect.tapError(changed, () => releasePath(pathName(parentId, path), id))
  yield* releasePath(pathName(parentId, before), id)
  return handled
})

/** Changes a group, or gives it another path. */
export const changeGroup = (id: number, input: Changed) =>
  spanned("groups.change")(
    input.path === undefined && input.changes.visibility === undefined
      ? handle(groupAggregate, id, { _tag: "Change", ...input, surroundings: noSurroundings, pathTaken: false })
      : changePlace(id, input)
  )
