import { Cause, Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import { CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { pipelineAggregate } from "../aggregate.ts"
import { Leases, type Run } from "./Leases.ts"

/** So many are looked at in one go. */
const batch = 100
/** It does not look more often. */
const minWaitMillis = 1_000

const requeue = Effect.fnUntraced(function* ({ claim, jobId, pipelineId }: Run) {
  yield* Effect.ignore(handle(pipelineAggregate, pipelineId, { _tag: "ReturnJob", id: jobId, claim }))
  yield* Leases.use((leases) => leases.end(claim))
})

/** One that fails keeps no other from going back. */
const requeueOrPostpone = (run: Run) =>
  Effect.catchCauseIf(
    requeue(run),
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) =>
      Effect.andThen(
        Effect.logWarning(`Job ${run.jobId} could not be given back, which is tried again`, cause),
        Leases.use((leases) => leases.postpone(run.claim))
      )
  )

const look = Effect.gen(function* () {
  const leases = yield* Leases
  for (;;) {
    const expired = yield* leases.expired(batch)
    yield* Effect.forEach(expired, requeueOrPostpone, { concurrency: 4, discard: true })
    if (expired.length < batch) return Math.max(minWaitMillis, yield* leases.untilNext)
  }
})

/**
 * Gives jobs back whose executors were not heard of in time, for ever. Several processes may do so: a run that is over is left alone.
 * It looks when a lease may have ended, at most every second.
 */
export const returnJobs = look.pipe(
  Effect.catchCauseIf(
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) => Effect.as(Effect.logWarning("Jobs could not be given back, which is tried again", cause), minWaitMillis)
  ),
  Effect.flatMap((wait) => Effect.sleep(wait)),
  Effect.forever,
  Effect.provideService(CurrentOrigin, systemOrigin("executors"))
)
