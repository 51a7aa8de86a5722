import { Effect, Fiber } from "effect"

/**
 * Callers that ask for the same key while it is being worked out get the answer of one run. It is interrupted when the last of them
 * leaves, and forgotten when it ends.
 */
export const sharing = <A, E>(): ((key: string, work: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
  interface Run {
    readonly fiber: Fiber.Fiber<A, E>
    callers: number
  }
  const runs = new Map<string, Run>()
  const join = Effect.fnUntraced(function* (key: string, work: Effect.Effect<A, E>) {
    const known = runs.get(key)
    if (known !== undefined) {
      known.callers++
      return known
    }
    const forget = Effect.sync(() => {
      if (runs.get(key)?.fiber === run.fiber) runs.delete(key)
    })
    const fiber = yield* Effect.forkDetach(Effect.interruptible(Effect.ensuring(Effect.andThen(Effect.yieldNow, work), forget)))
    const run: Run = { fiber, callers: 1 }
    runs.set(key, run)
    return run
  })
  const leave = (key: string, run: Run) =>
    Effect.suspend(() => {
      if (--run.callers > 0) return Effect.void
      if (runs.get(key) === run) runs.delete(key)
      return Fiber.interrupt(run.fiber)
    })
  return (key, work) =>
    Effect.acquireUseRelease(
      join(key, work),
      (run) => Fiber.join(run.fiber),
      (run) => leave(key, run)
    )
}
