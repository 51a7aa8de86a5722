import { Effect } from "effect"
import { type ProjectRow, Projects } from "../../projects/Projects.ts"

/** Chains of forks are followed up to this depth; they have no cycle. */
const maxDepth = 1000

/** The id of the root of a project's fork network, whether or not that project still exists. */
const rootOf = Effect.fnUntraced(function* (project: ProjectRow) {
  const projects = yield* Projects
  let root = project.id
  let parent = project.forked_from_id
  for (let depth = 0; parent !== null && depth < maxDepth; depth++) {
    root = parent
    const found = yield* projects.find(String(root), undefined)
    parent = found?.project.forked_from_id ?? null
  }
  return root
})

/** Whether both are forks of each other, or of the same project. A project is in the network with itself. */
export const isSameNetwork = Effect.fnUntraced(function* (one: ProjectRow, other: ProjectRow) {
  if (one.id === other.id || one.forked_from_id === other.id || other.forked_from_id === one.id) return true
  if (one.forked_from_id === null && other.forked_from_id === null) return false
  const [first, second] = yield* Effect.all([rootOf(one), rootOf(other)], { concurrency: 2 })
  return first === second
})
