import { Context, Effect, Layer, type Option } from "effect"
import { makeKeyedLocks } from "../../platform/keyedLock.ts"
import type { Repository } from "../Repository.ts"
import { makeRefTurns, type RefTurns } from "./refTurns.ts"

export type WithLock = <A, E, R>(repository: Repository, effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** The kinds of maintenance, each of which one process at a time does, because two repacks would remove each other's packs. */
export type MaintenanceKind = "maintain" | "count"

/** The locks of repositories; each has one holder at a time. */
export class PushLocks extends Context.Service<
  PushLocks,
  {
    /**
     * Runs an effect under the lock of refs, which pushes hold from the first move until the moves are recorded, so that records come
     * in the order of the moves. Objects are sent and checked before.
     */
    readonly withPushLock: WithLock
    /** The turns in this process of what plans to move a ref, before it takes the lock. */
    readonly turns: RefTurns
    /** Runs an effect under the lock of maintenance. */
    readonly withMaintenanceLock: WithLock
    /** Runs an effect under the lock of either kind of maintenance without waiting; answers none when somebody else holds it. */
    readonly tryWithMaintenanceLock: <A, E, R>(
      kind: MaintenanceKind,
      repository: Repository,
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<Option.Option<A>, E, R>
    /** The number of times that locks were lost which somebody may have held. */
    readonly losses: Effect.Effect<number>
  }
>()("chronoforge/git/PushLocks") {
  /** The layer of locks within this process alone. */
  static readonly layer: Layer.Layer<PushLocks> = Layer.sync(PushLocks, () => {
    const [push, maintain, count] = [makeLock(), makeLock(), makeLock()]
    const upkeep = { maintain, count }
    return {
      withPushLock: push.withRepositoryLock,
      turns: makeRefTurns(),
      withMaintenanceLock: maintain.withRepositoryLock,
      tryWithMaintenanceLock: (kind, repository, effect) => upkeep[kind].tryWithRepositoryLock(repository, effect),
      losses: Effect.succeed(0)
    }
  })
}

const makeLock = () => {
  const { tryWithLock, withLock } = makeKeyedLocks()
  const withRepositoryLock: WithLock = ({ path }, effect) => withLock(path, effect)
  return {
    withRepositoryLock,
    tryWithRepositoryLock: <A, E, R>({ path }: Repository, effect: Effect.Effect<A, E, R>) => tryWithLock(path, effect)
  }
}
