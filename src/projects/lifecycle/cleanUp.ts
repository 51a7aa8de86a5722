import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import { load } from "../../platform/Commands.ts"
import { projectAggregate } from "../aggregate.ts"
import { ProjectQueries } from "../Queries.ts"

const check = Effect.fnUntraced(function* (id: number) {
  const repositories = yield* Repositories
  const { state } = yield* load(projectAggregate, id)
  const { path } = repositories.of(id)
  if (state._tag === "Deleted") {
    yield* repositories.remove(id)
    yield* Effect.logWarning(`Removed the repository of project ${id}, which was deleted: ${path}`)
  }
  // The repository is not removed, because the log may be older, or that of another installation.
  if (state._tag === "Absent") yield* Effect.logWarning(`The log has no project for this repository: ${path}`)
})

/**
 * Removes incomplete repositories of killed processes, and those of deleted projects; warns of repositories without a project. It runs
 * at start and from time to time, and reads only the names of folders: maintenance cleans up within repositories.
 */
export const cleanUpRepositories = Effect.gen(function* () {
  const { ids, removeDrafts } = yield* Repositories
  for (const path of yield* removeDrafts) yield* Effect.logWarning(`Removed an incomplete repository: ${path}`)
  const present = yield* ids
  const orphans = yield* ProjectQueries.use((queries) => queries.absentOf(present))
  const checkOne = (id: number) =>
    Effect.catchCause(check(id), (cause) => Effect.logWarning(`Stale files of repository ${id} could not be removed`, cause))
  yield* Effect.forEach(orphans, checkOne, { discard: true })
}).pipe(Effect.catchCause((cause) => Effect.logWarning("Stale repositories could not be removed", cause)))
