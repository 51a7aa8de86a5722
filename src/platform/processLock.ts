import { Data, Effect, Semaphore } from "effect"
import { advisoryLocks } from "./sql/advisoryLocks.ts"
import { unavailable } from "./unavailable.ts"

/** The order of effects of which one at a time runs, over all processes on the database. */
export interface ProcessLock {
  /** Calls must not be nested. Dies with `Crowded` where too many wait. */
  readonly withLock: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The turn did not come in time. A defect, answered as 503. */
export class Crowded extends Data.TaggedError("Crowded")<{ readonly name: string }> {
  readonly [unavailable] = "too many changes of this kind wait"
}

/** The longest time that one waits for a turn in this process. */
const maxWait = "10 seconds"

/** A lock of this name, in a connection that is called `connection`. */
export const processLock = Effect.fnUntraced(function* (connection: string, name: string) {
  const [locks, semaphore] = [yield* advisoryLocks(connection), yield* Semaphore.make(1)]
  const withLock: ProcessLock["withLock"] = (effect) =>
    Effect.suspend(() => {
      let hasBegun = false
      const begin = Effect.suspend(() => {
        hasBegun = true
        return locks.withLock(name, effect)
      })
      const giveUp = Effect.andThen(
        Effect.sleep(maxWait),
        Effect.suspend(() => (hasBegun ? Effect.never : Effect.die(new Crowded({ name }))))
      )
      return Effect.raceFirst(semaphore.withPermit(begin), giveUp)
    })
  const lock: ProcessLock = { withLock }
  return lock
})
