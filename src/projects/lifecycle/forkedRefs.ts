import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import { PushLocks } from "../../git/refs/pushLocks.ts"
import { Reconciliation } from "../../pushes/Reconciliation.ts"
import { recordDifference } from "../../pushes/recordDifference.ts"

/**
 * Records in the log the branches and tags with which the repository of a fork began, as if they had been pushed. Answers where the
 * log stands then; 0 when there was nothing to record.
 */
export const recordForkedRefs = Effect.fn("projects.recordForkedRefs")(function* (projectId: number) {
  const [locks, reconciliation, repositories] = [yield* PushLocks, yield* Reconciliation, yield* Repositories]
  const record = Effect.onError(recordDifference(projectId), () => reconciliation.soon(projectId))
  const { position } = yield* locks.hold(repositories.of(projectId), Effect.uninterruptible(Effect.orDie(record)))
  return position
})
