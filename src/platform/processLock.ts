import { Data, Effect } from "effect"
import { makeKeyedLock } from "./keyedLock.ts"
import { unavailable } from "./logging/unavailable.ts"
import { advisoryLocks } from "./sql/advisoryLocks.ts"

/** The order of effects of which one at a time runs, over all processes on the database. */
export interface ProcessLock {
  /** Calls must not be nested. Dies with `TooManyWaiting` where too many wait. */
  readonly withLock: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The turn did not come in time. A defect, answered as 503. */
export class TooManyWaiting extends Data.TaggedError("TooManyWaiting")<{ readonly name: string }> {
  readonly [unavailable] = "too many changes of this kind wait"
}

/** The longest time that one waits for a turn in this process. */
const maxWait = "10 seconds"

/** Orders of effects as `ProcessLock` is one, each for a name of its own: who waits for one keeps nobody from another. */
export interface ProcessLocks {
  readonly withLock: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** Locks for names, in a connection that is called `connection`. */
export const processLocks = Effect.fnUntraced(function* (connection: string) {
  const [databaseLocks, withLocalLock] = [yield* advisoryLocks(connection), makeKeyedLock()]
  const withLock: ProcessLocks["withLock"] = (name, effect) =>
    Effect.suspend(() => {
      let hasBegun = false
      const begin = Effect.suspend(() => {
        hasBegun = true
        return databaseLocks.withLock(name, effect)
      })
      const giveUp = Effect.andThen(
        Effect.sleep(maxWait),
        Effect.suspend(() => (hasBegun ? Effect.never : Effect.die(new TooManyWaiting({ name }))))
      )
      return Effect.raceFirst(withLocalLock(name, begin), giveUp)
    })
  const locks: ProcessLocks = { withLock }
  return locks
})

/** A lock of this name, in a connection that is called `connection`. */
export const processLock = Effect.fnUntraced(function* (connection: string, name: string) {
  const { withLock } = yield* processLocks(connection)
  const lock: ProcessLock = { withLock: (effect) => withLock(name, effect) }
  return lock
})
