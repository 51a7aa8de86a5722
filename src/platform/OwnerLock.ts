import { Context, Effect, Layer, Semaphore } from "effect"
import { advisoryLocks } from "./sql/advisoryLocks.ts"
import type { Sql } from "./sql/Sql.ts"

/**
 * The order of changes of which two at once could leave a group without owner, or the installation without administrator: owners that
 * leave, users that are deleted, administrators that are blocked, groups that come about.
 */
export class OwnerLock extends Context.Service<
  OwnerLock,
  {
    /** Runs one effect at a time over all processes on the database. Calls must not be nested. */
    readonly withLock: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("chronoforge/platform/OwnerLock") {
  static readonly layer: Layer.Layer<OwnerLock, never, Sql> = Layer.effect(
    OwnerLock,
    Effect.gen(function* () {
      const [locks, semaphore] = [yield* advisoryLocks("chronoforge-owners"), yield* Semaphore.make(1)]
      return OwnerLock.of({ withLock: (effect) => semaphore.withPermit(locks.withLock("chronoforge.owners", effect)) })
    })
  )
}
