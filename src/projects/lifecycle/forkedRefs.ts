import { Effect } from "effect"
import { Repositories } from "../../git/Repositories.ts"
import { PushLocks } from "../../git/refs/pushLocks.ts"
import { ProjectPushes } from "../ProjectPushes.ts"

/**
 * Records in the log the branches and tags with which the repository of a fork began, as if they had been pushed. Answers where the
 * log stands then; 0 when there was nothing to record.
 */
export const recordForkedRefs = Effect.fn("projects.recordForkedRefs")(function* (projectId: number) {
  const [locks, pushes, repositories] = [yield* PushLocks, yield* ProjectPushes, yield* Repositories]
  const record = Effect.uninterruptible(pushes.recordDifference(projectId))
  const { position } = yield* locks.hold(repositories.of(projectId), record)
  return position
})
