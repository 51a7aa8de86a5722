import { Clock, Deferred, Effect, Semaphore } from "effect"

/** Appends that begin within this time of each other may share it; later ones wait until those are done. */
const shareMillis = 50

/** Makes an effect interruptible again, inside a region that is not. */
type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Gives appends the time to record, so that it never goes back in the log's order: the server decides that order, so the time
 * stands still while an append is on its way, and never falls below a time that was seen in the log.
 *
 * Gap: between several processes only a time that was seen can be respected, so there the log may go back by as much as their
 * clocks differ plus the time that an append takes; EventStoreDB has no lock that would prevent it.
 */
export const makeLogClock = (newestInLog: Effect.Effect<number>) => {
  let time = 0
  let started = false
  const looking = Semaphore.makeUnsafe(1)
  let since = 0
  let inFlight = 0
  let idle = Deferred.makeUnsafe<void>()

  const observe = (at: number): void => {
    time = Math.max(time, at)
  }

  /** The time for an append that begins now; undefined when it has to wait. */
  const begin = (now: number): number | undefined => {
    if (inFlight > 0 && now - since >= shareMillis) return undefined
    if (inFlight === 0) {
      since = now
      observe(now)
      idle = Deferred.makeUnsafe()
    }
    inFlight += 1
    return time
  }

  const end = Effect.sync(() => {
    inFlight -= 1
    if (inFlight === 0) Deferred.doneUnsafe(idle, Effect.void)
  })

  const look = Effect.suspend(() =>
    started
      ? Effect.void
      : Effect.map(newestInLog, (at) => {
          observe(at)
          started = true
        })
  )

  /** One looks for all that begin at the same time. */
  const start = Effect.suspend(() => (started ? Effect.void : looking.withPermit(look)))

  const timed = Effect.fnUntraced(function* <A, E, R>(restore: Restore, append: (at: number) => Effect.Effect<A, E, R>) {
    yield* restore(start)
    let at = begin(yield* Clock.currentTimeMillis)
    while (at === undefined) {
      yield* restore(Deferred.await(idle))
      at = begin(yield* Clock.currentTimeMillis)
    }
    return yield* Effect.ensuring(restore(append(at)), end)
  })

  /** Runs an append with its time. */
  const withTime = <A, E, R>(append: (at: number) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) => timed(restore, append))

  return { isStarted: () => started, observe, withTime }
}

export type LogClock = ReturnType<typeof makeLogClock>
