import { Context, Effect, Layer, type Option } from "effect"
import { makeKeyedLocks } from "../../platform/keyedLock.ts"
import type { Repository } from "../Repository.ts"

export type WithLock = <A, E, R>(repository: Repository, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The kinds of work beside pushes that one process at a time does, because two repacks would remove each other's packs. */
export type Upkeep = "maintain" | "count"

/** The locks of repositories; each has one holder at a time. */
export class PushLocks extends Context.Service<
  PushLocks,
  {
    /**
     * Pushes hold it from the moment they may move refs until the moves are recorded, so that records come in the order of the moves;
     * sending and checking of objects happens before.
     */
    readonly withPushLock: WithLock
    /** Maintenance holds this lock. */
    readonly withMaintenanceLock: WithLock
    /** Holds the lock of either kind of work without waiting for it; answers none where somebody else holds it. */
    readonly tryUpkeep: <A, E, R>(
      kind: Upkeep,
      repository: Repository,
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<Option.Option<A>, E, R>
    /** Answers how often locks were lost that somebody may have held. */
    readonly losses: Effect.Effect<number>
  }
>()("chronoforge/git/PushLocks") {
  /** The layer of locks within this process alone. */
  static readonly layer: Layer.Layer<PushLocks> = Layer.sync(PushLocks, () => {
    const [push, maintain, count] = [makeLock(), makeLock(), makeLock()]
    const upkeep = { maintain, count }
    return {
      withPushLock: push.hold,
      withMaintenanceLock: maintain.hold,
      tryUpkeep: (kind, repository, effect) => upkeep[kind].tryHold(repository, effect),
      losses: Effect.succeed(0)
    }
  })
}

const makeLock = () => {
  const { tryWithLock, withLock } = makeKeyedLocks()
  const withPushLock: WithLock = ({ path }, effect) => withLock(path, effect)
  return {
    hold: withPushLock,
    tryHold: <A, E, R>({ path }: Repository, effect: Effect.Effect<A, E, R>) => tryWithLock(path, effect)
  }
}
