import { Effect } from "effect"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { load } from "../../platform/Commands.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { groupAggregate } from "../aggregate.ts"
import { GroupProjects } from "../GroupProjects.ts"
import { groupStream } from "../ids.ts"
import { GroupQueries } from "../Queries.ts"
import { removeGroup } from "../writes.ts"

/** The position of the last event of a group. */
const endOf = (id: number) => Effect.map(load(groupAggregate, id), ({ position }) => position)

/** Deletes a group that may be gone already, and the projects in it before; answers where the log stands then. */
const removeWithProjects = Effect.fnUntraced(function* (id: number) {
  const emptied = yield* GroupProjects.use((projects) => projects.removeAll(id))
  const removed = yield* removeGroup(id).pipe(
    Effect.map(({ position }) => position),
    Effect.catchTag("GroupMissing", () => endOf(id))
  )
  return Math.max(emptied, removed)
})

/** Deletes what is below a group, from the bottom up, until nothing is. */
const removeBelow = Effect.fnUntraced(function* (id: number) {
  const queries = yield* GroupQueries
  for (;;) {
    const below = yield* queries.descendants(id)
    if (below.length === 0) return
    const positions = yield* Effect.forEach(below, removeWithProjects)
    yield* awaitReadModels({ stream: groupStream(id), position: Math.max(...positions) })
  }
})

/**
 * Deletes a group with everything below it. The group itself goes last, so that what a crash interrupts can be repeated; what
 * others put into it meanwhile goes after it. Answers where the log stands then. Refuses with `GroupMissing` when it is gone already.
 */
export const removeTree = Effect.fnUntraced(function* (id: number) {
  const projects = yield* GroupProjects
  yield* removeBelow(id)
  yield* projects.removeAll(id)
  yield* awaitReadModels(yield* removeGroup(id))
  yield* removeBelow(id)
  return { stream: groupStream(id), position: yield* projects.removeAll(id) }
}, spanned("groups.removeTree"))
