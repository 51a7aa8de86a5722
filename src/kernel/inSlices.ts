import { Effect } from "effect"

/** Does work that yields where it may pause to its end; other requests have their turn at each of its pauses. */
export const inSlices = Effect.fnUntraced(function* <A>(work: Generator<void, A, void>) {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value
    yield* Effect.yieldNow
  }
})
