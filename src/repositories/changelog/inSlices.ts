import { Effect } from "effect"
import type { Sliced } from "../../changelog/Sliced.ts"

/** Does sliced work to its end; other requests have their turn at each of its pauses. */
export const inSlices = Effect.fnUntraced(function* <A>(work: Sliced<A>) {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    yield* Effect.yieldNow
  }
})
