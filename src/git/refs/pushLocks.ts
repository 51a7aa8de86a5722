import { Context, Effect, Layer, Semaphore } from "effect"
import type { Repository } from "../Repository.ts"

type Hold = <A, E, R>(repository: Repository, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** One at a time for each repository. */
export class PushLocks extends Context.Service<
  PushLocks,
  {
    /**
     * Pushes hold it from the moment they may move refs until the moves are recorded, so that records come in the order of the moves;
     * sending and checking of objects happens before.
     */
    readonly hold: Hold
    /** Maintenance holds it, beside pushes: two repacks would remove each other's packs. */
    readonly holdUpkeep: Hold
  }
>()("chronoforge/git/PushLocks") {
  /** Among those of this process alone. */
  static readonly layer: Layer.Layer<PushLocks> = Layer.sync(PushLocks, () => ({ hold: makeHold(), holdUpkeep: makeHold() }))
}

interface Lock {
  readonly semaphore: Semaphore.Semaphore
  users: number
}

const makeHold = (): Hold => {
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
  return ({ path }, effect) =>
    Effect.acquireUseRelease(
      Effect.sync(() => take(path)),
      (lock) => lock.semaphore.withPermit(effect),
      (lock) => Effect.sync(() => give(path, lock))
    )
}
