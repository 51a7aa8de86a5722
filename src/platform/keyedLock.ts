import { Effect, type Option, Semaphore } from "effect"

interface Lock {
  readonly semaphore: Semaphore.Semaphore
  users: number
}

/** Runs an effect while no other one runs under the same key. Not to be nested under one key. */
export type KeyedLock = <A, E, R>(key: string, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** A lock for each key. Waiting effects run in order of arrival; an unused key takes no memory. */
export const makeKeyedLock = (): KeyedLock => makeKeyedLocks().withLock

/** Locks for keys that can also be tried without waiting: the result is none when another effect runs under the key. */
export const makeKeyedLocks = () => {
  const locks = new Map<string, Lock>()
  const acquire = (key: string): Lock => {
    const lock = locks.get(key) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
    locks.set(key, lock)
    lock.users++
    return lock
  }
  const release = (key: string, lock: Lock) => {
    lock.users--
    if (lock.users === 0) locks.delete(key)
  }
  const using = <A, E, R>(key: string, use: (semaphore: Semaphore.Semaphore) => Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => acquire(key)),
      ({ semaphore }) => use(semaphore),
      (lock) => Effect.sync(() => release(key, lock))
    )
  const withLock: KeyedLock = (key, effect) => using(key, (semaphore) => semaphore.withPermit(effect))
  return {
    withLock,
    tryWithLock: <A, E, R>(key: string, effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> =>
      using(key, (semaphore) => semaphore.withPermitsIfAvailable(1)(effect))
  }
}
