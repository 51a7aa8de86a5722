import { Context, Effect, Layer, Semaphore } from "effect"
import { advisoryLocks } from "../../platform/sql/advisoryLocks.ts"
import type { Sql } from "../../platform/sql/Sql.ts"

/**
 * The order of groups below groups. Whoever puts one below another has to know that nobody moves or deletes what is above the place
 * meanwhile: two opposite transfers at once would make a ring.
 */
export class GroupTree extends Context.Service<
  GroupTree,
  {
    /** Runs one effect at a time over all processes on the database. Calls must not be nested. */
    readonly withLock: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("chronoforge/groups/GroupTree") {
  static readonly layer: Layer.Layer<GroupTree, never, Sql> = Layer.effect(
    GroupTree,
    Effect.gen(function* () {
      const [locks, semaphore] = [yield* advisoryLocks("chronoforge-groups"), yield* Semaphore.make(1)]
      return GroupTree.of({ withLock: (effect) => semaphore.withPermit(locks.withLock("chronoforge.groups", effect)) })
    })
  )
}
