import { Effect } from "effect"
import { type Firing, make, startRound } from "#src/schedules/scheduler/runScheduler.ts"

/** Lets run what is due. */
export const fireDue = Effect.fnUntraced(function* (firing: Firing) {
  for (let hasMore = true; hasMore; ) {
    const round = yield* startRound(firing, new Map())
    yield* Effect.forEach(round.begun, (begun) => make(begun, firing), { concurrency: 4, discard: true })
    hasMore = round.hasMore
  }
})
