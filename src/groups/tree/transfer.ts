import { Effect } from "effect"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import type { Visibility } from "../../kernel/visibility.ts"
import { today } from "../../members/validity.ts"
import { handle, load, requireAcceptable } from "../../platform/Commands.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { groupAggregate } from "../aggregate.ts"
import type { Transfer } from "../commands.ts"
import { GroupMissing, type Refusal } from "../errors.ts"
import { maxAncestors } from "../faults.ts"
import { GroupProjects } from "../GroupProjects.ts"
import { pathName } from "../Groups.ts"
import { GroupTree } from "../GroupTree.ts"
import { groupStream } from "../ids.ts"
import { releasePath, reservePath } from "../names.ts"
import { GroupQueries } from "../Queries.ts"
import type { Group } from "../state.ts"

interface TransferInput {
  /** It is null for the top level. */
  readonly parentId: number | null
  readonly by: number
}

const present = Effect.fnUntraced(function* (id: number) {
  const { state } = yield* load(groupAggregate, id)
  return state._tag === "Present" ? state : yield* new GroupMissing()
})

/** A group and those above it, the nearest first, as the log stands; none for the top level. What lies too deep is not followed. */
const ancestorsOf = Effect.fnUntraced(function* (id: number | null) {
  const found: Array<{ readonly id: number; readonly group: Group }> = []
  let next = id
  while (next !== null && found.length <= maxAncestors) {
    const { group }: { readonly group: Group } = yield* present(next)
    found.push({ id: next, group })
    next = group.parentId
  }
  return found
})

const commandOf = Effect.fnUntraced(function* (id: number, from: Transfer["from"], { by, parentId }: TransferInput) {
  const queries = yield* GroupQueries
  const above = yield* ancestorsOf(parentId)
  const command: Transfer = {
    _tag: "Transfer",
    from,
    parentId,
    parentVisibility: above[0]?.group.attributes.visibility ?? null,
    ancestors: above.length,
    levelsBelow: yield* queries.levelsBelow(id),
    isBelowItself: above.some((one) => one.id === id),
    pathTaken: yield* queries.isTaken(from.path, parentId, id),
    by,
    today: yield* today
  }
  return command
})

const limitGroup = (id: number, maxVisibility: Visibility) =>
  handle(groupAggregate, id, { _tag: "LimitVisibility", maxVisibility }).pipe(
    Effect.map(({ position }) => position),
    Effect.catchIf(
      (refusal): refusal is Refusal => true,
      (refusal) => (refusal._tag === "GroupMissing" ? Effect.succeed(0) : Effect.die(refusal))
    )
  )

/** Lets nothing below a group show more than this: projects first, then groups from the bottom up, as each limits what is above it. */
const limitBelow = Effect.fnUntraced(function* (id: number, maxVisibility: Visibility) {
  if (maxVisibility === "public") return 0
  const queries = yield* GroupQueries
  const below = yield* queries.descendants(id)
  const ofProjects = yield* GroupProjects.use((projects) => projects.limitVisibility([id, ...below], maxVisibility))
  const ofGroups = yield* Effect.forEach(yield* queries.showingMore(below, maxVisibility), (each) =>
    limitGroup(each, maxVisibility)
  )
  return Math.max(ofProjects, ...ofGroups)
})

/**
 * Puts a group with all that is below it below another one. What shows more than its new surroundings is limited before, so that
 * nothing does at any time. Refuses with `GroupMissing`, also for the group above, `GroupInPlace`, `GroupBelowItself`,
 * `GroupInvalid` and `GroupMoved`. The former path is free then, and leads to the group until something else takes it.
 */
export const transferGroup = Effect.fnUntraced(function* (id: number, input: TransferInput) {
  const before = yield* present(id)
  const { parentId, path } = before.group
  const from = { parentId, path }
  const command = yield* commandOf(id, from, input)
  yield* requireAcceptable(groupAggregate, before, command)
  const name = pathName(input.parentId, path)
  const guard = yield* reservePath(name, id)
  yield* limitBelow(id, command.parentVisibility ?? "public")
  // What is above the place may have moved since: it is looked at again where nobody else moves anything.
  const moved = Effect.flatMap(commandOf(id, from, input), (decided) => handle(groupAggregate, id, decided, { guard }))
  const handled = yield* Effect.tapError(
    GroupTree.use((tree) => tree.withLock(moved)),
    () => releasePath(name, id)
  )
  yield* releasePath(pathName(parentId, path), id)
  return handled
}, spanned("groups.transfer"))

/** Limits what came below a group while it was transferred. A repeat does it again. */
export const limitArrivals = Effect.fnUntraced(function* (id: number) {
  const { group } = yield* present(id)
  if (group.parentId === null) return
  yield* awaitReadModels({ stream: groupStream(id), position: yield* limitBelow(id, group.attributes.visibility) })
})
