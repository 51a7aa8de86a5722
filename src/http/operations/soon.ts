import { Effect, Fiber, Option } from "effect"

/** Probes wait for a second, and end a process, or take it out of service, where none is told anything by then. */
const maxWait = "500 millis"

/**
 * Work whose answer comes soon: who asks is told within half a second, with what was found last where it takes longer. `first` counts before anything
 * was found; without it, the first answer is waited for. What nobody waits for any more goes on, once, for those who ask next.
 */
export const soon = <A extends object>(find: Effect.Effect<A>, first?: A): Effect.Effect<A> => {
  let latest = first
  let running: Fiber.Fiber<A> | undefined
  const begin = find.pipe(
    Effect.tap((found) =>
      Effect.sync(() => {
        latest = found
      })
    ),
    Effect.ensuring(
      Effect.sync(() => {
        running = undefined
      })
    ),
    Effect.forkDetach
  )
  return Effect.gen(function* () {
    const known = latest
    const found = running ?? (yield* begin)
    // It may be over already.
    if (found.pollUnsafe() === undefined) running = found
    const joined = Fiber.join(found)
    return known === undefined ? yield* joined : Option.getOrElse(yield* Effect.timeoutOption(joined, maxWait), () => known)
  })
}
