import { Effect } from "effect"
import { refDifference, refsOf } from "../git/pushedRefs.ts"
import { PushLocks } from "../git/pushLocks.ts"
import { Repositories } from "../git/Repositories.ts"
import { CurrentOrigin, systemOrigin } from "../platform/Origin.ts"
import { RecordedRefs } from "./RecordedRefs.ts"
import { recordRefs } from "./recordRefs.ts"

const reconcileOne = Effect.fnUntraced(function* (projectId: number) {
  const [repositories, locks] = [yield* Repositories, yield* PushLocks]
  if (!(yield* repositories.exists(projectId))) return
  const repository = repositories.of(projectId)
  yield* locks.hold(
    repository,
    Effect.gen(function* () {
      const recorded = yield* RecordedRefs.use((refs) => refs.of(projectId))
      const updates = refDifference(recorded, yield* refsOf(repository))
      if (updates.length === 0) return
      yield* recordRefs(projectId, { updates, options: [] })
      yield* Effect.logWarning(`Refs of project ${projectId} had moved without being recorded: ${updates.length}`)
    })
  )
})

/**
 * Records what moved in repositories without being recorded, because the process ended in between. To be run at start; pushes may
 * come in meanwhile.
 */
export const reconcile = Effect.gen(function* () {
  const ids = yield* RecordedRefs.use((refs) => refs.projectIds)
  yield* Effect.forEach(
    ids,
    (id) =>
      Effect.catchCause(reconcileOne(id), (cause) => Effect.logWarning(`Refs of project ${id} could not be compared`, cause)),
    { concurrency: 2, discard: true }
  )
}).pipe(Effect.provideService(CurrentOrigin, systemOrigin("reconcile")))
