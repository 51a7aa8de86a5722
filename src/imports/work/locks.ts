import { Data, Deferred, Effect } from "effect"
import { makeClient } from "../../platform/sql/client.ts"
import { attempt, query, Sql } from "../../platform/sql/Sql.ts"

/** The connection that held the locks is gone, and they with it. */
export class LocksLost extends Data.TaggedError("LocksLost") {
  override get message() {
    return "The connection that held the locks of imports was lost"
  }
}

/** Locks of the installation on the imports of projects: one process at a time has each. They end with the process. */
export const importLocks = Effect.gen(function* () {
  const { url } = yield* Sql
  const lost = yield* Deferred.make<never, LocksLost>()
  let isClosing = false
  const client = yield* Effect.acquireRelease(
    Effect.sync(() =>
      makeClient(url, {
        connections: 1,
        name: "chronoforge-imports",
        usesKeepalive: true,
        onClosed: () => {
          if (!isClosing) Deferred.doneUnsafe(lost, Effect.fail(new LocksLost()))
        }
      })
    ),
    (it) =>
      Effect.suspend(() => {
        isClosing = true
        return Effect.ignore(attempt(() => it.end({ timeout: 1 })))
      })
  )
  const key = (projectId: number) => `chronoforge.import/${projectId}`
  return {
    /** Tries to take the lock without waiting; the result is false when another process has it. One process must not take it twice. */
    tryTake: (projectId: number) =>
      query(
        () => client<Array<{ taken: boolean }>>`select pg_try_advisory_lock(hashtextextended(${key(projectId)}, 0)) as taken`
      ).pipe(Effect.map(([row]) => row?.taken === true)),
    give: (projectId: number) =>
      Effect.ignore(attempt(() => client`select pg_advisory_unlock(hashtextextended(${key(projectId)}, 0))`)),
    /** Fails when the locks are lost. */
    lost: Deferred.await(lost)
  }
})
