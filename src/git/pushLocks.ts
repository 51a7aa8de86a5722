import { Context, Effect, Layer, Semaphore } from "effect"
import type { Repository } from "./Repository.ts"

/**
 * One at a time for each repository. Pushes hold it from the moment they may move refs until the moves are recorded, so that records
 * come in the order of the moves; sending and checking of objects happens before.
 */
export class PushLocks extends Context.Service<
  PushLocks,
  { readonly hold: <A, E, R>(repository: Repository, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
>()("chronoforge/git/PushLocks") {
  /** Among those of this process alone. */
  static readonly layer: Layer.Layer<PushLocks> = Layer.sync(PushLocks, () => make())
}

interface Lock {
  readonly semaphore: Semaphore.Semaphore
  users: number
}

const make = (): PushLocks["Service"] => {
  const locks = new Map<string, Lock>()
  const take = (path: string): Lock => {
    const lock = locks.get(path) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
    locks.set(path, lock)
    lock.users++
    return lock
  }
  const give = (path: string, lock: Lock) => {
    lock.users--
    if (lock.users === 0) locks.delete(path)
  }
  return {
    hold: ({ path }, effect) =>
      Effect.acquireUseRelease(
        Effect.sync(() => take(path)),
        (lock) => lock.semaphore.withPermit(effect),
        (lock) => Effect.sync(() => give(path, lock))
      )
  }
}
