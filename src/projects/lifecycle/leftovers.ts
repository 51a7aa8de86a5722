import { Effect } from "effect"
import { findLeftovers, removeLeftovers as removeTemporaryFiles } from "../../git/maintenance/leftovers.ts"
import { Repositories } from "../../git/Repositories.ts"
import { PushLocks } from "../../git/refs/pushLocks.ts"
import { load } from "../../platform/Commands.ts"
import { projectAggregate } from "../aggregate.ts"
import { Projects } from "../Projects.ts"

const check = Effect.fnUntraced(function* (id: number) {
  const repositories = yield* Repositories
  if ((yield* Projects.use((projects) => projects.find(String(id), undefined))) !== undefined) {
    const locks = yield* PushLocks
    const repository = repositories.of(id)
    // Almost always there is nothing: no lock is taken for that.
    if ((yield* findLeftovers(repository)).length === 0) return
    // Steps of maintenance hold locks of git's for longer than those of killed processes are kept.
    const removed = yield* locks.holdUpkeep(repository, removeTemporaryFiles(repository))
    if (removed.length > 0) yield* Effect.logWarning(`Removed what killed processes left: ${removed.join(", ")}`)
    return
  }
  const { state } = yield* load(projectAggregate, id)
  const { path } = repositories.of(id)
  if (state._tag === "Deleted") {
    yield* repositories.remove(id)
    yield* Effect.logWarning(`Removed the repository of project ${id}, which was deleted: ${path}`)
  }
  // The repository is not removed, because the log may be older, or that of another installation.
  if (state._tag === "Absent") yield* Effect.logWarning(`The log knows no project of this repository: ${path}`)
})

/**
 * Removes what processes that were killed have left: repositories that they did not finish, those of deleted projects, and old
 * temporary files in the others. Tells of repositories without a project. To be run at start, and from time to time.
 */
export const removeLeftovers = Effect.gen(function* () {
  const { ids, removeDrafts } = yield* Repositories
  for (const path of yield* removeDrafts) yield* Effect.logWarning(`Removed a repository that was not finished: ${path}`)
  const checkOne = (id: number) =>
    Effect.catchCause(check(id), (cause) => Effect.logWarning(`What was left of repository ${id} could not be removed`, cause))
  yield* Effect.forEach(yield* ids, checkOne, { concurrency: 8, discard: true })
}).pipe(Effect.catchCause((cause) => Effect.logWarning("What was left of repositories could not be removed", cause)))
