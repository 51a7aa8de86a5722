import { Effect } from "effect"

/**
 * Does something for all who ask at the same time, at most once in so many milliseconds: who asks earlier waits for the rest of them, and shares
 * it with those who ask meanwhile. So nothing has to be kept that may be out of date.
 */
export const atMostEvery = <A, E, R>(millis: number, effect: Effect.Effect<A, E, R>): Effect.Effect<Effect.Effect<A, E, R>> => {
  let earliest = 0
  const inTime = Effect.suspend(() => {
    const waitMillis = earliest - performance.now()
    return waitMillis > 0 ? Effect.delay(effect, waitMillis) : effect
  })
  const noted = Effect.sync(() => {
    earliest = performance.now() + millis
  })
  return Effect.cachedWithTTL(Effect.ensuring(inTime, noted), 0)
}
