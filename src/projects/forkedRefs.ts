import { Effect } from "effect"
import { refDifference, refsOf } from "../git/pushedRefs.ts"
import { PushLocks } from "../git/pushLocks.ts"
import { Repositories } from "../git/Repositories.ts"
import { recordRefs } from "../pushes/recordRefs.ts"
import { recordedRefs } from "./recordedRefs.ts"

const recordMissing = Effect.fnUntraced(function* (projectId: number) {
  const { refs } = yield* recordedRefs(projectId)
  const updates = refDifference(refs, yield* refsOf((yield* Repositories).of(projectId)))
  return updates.length === 0 ? 0 : yield* recordRefs(projectId, { updates, options: [] })
}, Effect.orDie)

/**
 * Records in the log the branches and tags with which the repository of a fork began, as if they had been pushed. Answers where the
 * log stands then; 0 when there was nothing to record.
 */
export const recordForkedRefs = Effect.fn("projects.recordForkedRefs")(function* (projectId: number) {
  const [locks, repositories] = [yield* PushLocks, yield* Repositories]
  return yield* locks.hold(repositories.of(projectId), Effect.uninterruptible(recordMissing(projectId)))
})
