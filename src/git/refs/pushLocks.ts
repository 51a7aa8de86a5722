import { Context, type Effect, Layer } from "effect"
import { makeKeyedLock } from "../../platform/keyedLock.ts"
import type { Repository } from "../Repository.ts"

type Hold = <A, E, R>(repository: Repository, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The locks of repositories; each has one holder at a time. */
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
  /** The layer of locks within this process alone. */
  static readonly layer: Layer.Layer<PushLocks> = Layer.sync(PushLocks, () => ({ hold: makeHold(), holdUpkeep: makeHold() }))
}

const makeHold = (): Hold => {
  const lock = makeKeyedLock()
  return ({ path }, effect) => lock(path, effect)
}
