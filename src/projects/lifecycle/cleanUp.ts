import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import { type PendingTask, RepositoryTasks } from "../../git/RepositoryTasks.ts"
import { load } from "../../platform/Commands.ts"
import { projectAggregate } from "../aggregate.ts"
import { ProjectQueries } from "../Queries.ts"

/** Removes the repository of a project that the log tells is deleted; answers whether there was one. */
const removeOf = Effect.fnUntraced(function* (id: number) {
  const { exists, of, remove } = yield* Repositories
  if (!(yield* exists(id))) return false
  yield* remove(id)
  yield* Effect.logWarning(`Removed the repository of project ${id}, which was deleted: ${of(id).path}`)
  return true
})

/** Ends the removal that the deletion of a project began. */
const endRemoval = Effect.fnUntraced(function* (task: PendingTask) {
  const [id, tasks] = [(yield* Repositories).idOf(task.repository), yield* RepositoryTasks]
  const { state } = yield* load(projectAggregate, id)
  const isDeleted = state._tag === "Deleted"
  if (isDeleted) yield* removeOf(id)
  // Another process may be about to delete the project, unless that is long ago.
  if (isDeleted || task.wait <= 0) yield* tasks.complete("remove", task)
})

const attempt = <A, R>(id: number, removal: Effect.Effect<A, never, R>) =>
  Effect.catchCause(removal, (cause) =>
    Effect.as(Effect.logWarning(`The repository of project ${id} could not be removed`, cause), undefined)
  )

const warnOf = (drafts: ReadonlyArray<string>) =>
  Effect.forEach(drafts, (path) => Effect.logWarning(`Removed an incomplete repository: ${path}`), { discard: true })

/**
 * Removes what killed processes left: incomplete repositories, and those of deleted projects. It runs at start and from time to time, and
 * reads only what is left: the scheduled removals and the folder of drafts.
 */
export const cleanUpRepositories = Effect.gen(function* () {
  const { idOf, removeDrafts } = yield* Repositories
  yield* Effect.flatMap(removeDrafts, warnOf)
  const removals = yield* RepositoryTasks.use(({ all }) => all("remove", "pending"))
  yield* Effect.forEach(removals, (task) => attempt(idOf(task.repository), endRemoval(task)), { discard: true })
}).pipe(Effect.catchCause((cause) => Effect.logWarning("Stale repositories could not be removed", cause)))

const removeIfDeleted = Effect.fnUntraced(function* (id: number) {
  const { state } = yield* load(projectAggregate, id)
  return state._tag === "Deleted" && (yield* removeOf(id))
})

/**
 * Looks through all repositories for those of deleted projects and for incomplete ones, and removes them; answers how many. A repository of
 * which the log knows no project stays, because the log may be older, or that of another installation.
 */
export const cleanUpAllRepositories = Effect.gen(function* () {
  const { ids, removeAllDrafts } = yield* Repositories
  const drafts = yield* removeAllDrafts
  yield* warnOf(drafts)
  const present = yield* ids
  const orphans = yield* ProjectQueries.use((queries) => queries.absentOf(present))
  const removed = yield* Effect.filter(orphans, (id) => Effect.map(attempt(id, removeIfDeleted(id)), (is) => is === true))
  return drafts.length + removed.length
})
