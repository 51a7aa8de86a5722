import { Effect, Semaphore } from "effect"

interface Lock {
  readonly semaphore: Semaphore.Semaphore
  users: number
}

/** Runs an effect while no other one runs under the same key. Not to be nested under one key. */
export type KeyedLock = <A, E, R>(key: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Those who wait for one key take turns in the order in which they came; a key that nobody uses takes no memory. */
export const makeKeyedLock = (): KeyedLock => {
  const locks = new Map<string, Lock>()
  const take = (key: string): Lock => {
    const lock = locks.get(key) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
    locks.set(key, lock)
    lock.users++
    return lock
  }
  const give = (key: string, lock: Lock) => {
    lock.users--
    if (lock.users === 0) locks.delete(key)
  }
  return (key, effect) =>
    Effect.acquireUseRelease(
      Effect.sync(() => take(key)),
      (lock) => lock.semaphore.withPermit(effect),
      (lock) => Effect.sync(() => give(key, lock))
    )
}
