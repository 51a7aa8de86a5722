import { Effect, type Option, Schedule } from "effect"
import { makeClient } from "./client.ts"
import { attempt, type Client, query, Sql } from "./Sql.ts"

/** A lock that another process holds is tried again after this time. */
const retryInterval = "20 millis"

/** How often a holder shows on its connection that it is alive. */
export const heartbeat = "1 second"
/** While a lock is not to be had, its holder is looked at once in so many attempts. */
const attemptsBetweenLooks = 25

/**
 * Ends the connections of holders of locks that have sent nothing for some seconds, and their locks with them: their process stands still,
 * or their machine does. One whose statement runs is alive. Postgres itself knows when a connection was used, so that nothing is written
 * for it. `lock` is the expression for the lock of a `name`, one of the statement's only value.
 */
export const dismissFrozenHolders = (lock: string, seconds = 5): string => `
  select pg_terminate_backend(a.pid) from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1
    and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid::bigint << 32) | l.objid::bigint in (select (${lock})::bigint from unnest($1::text[]) name)
    and a.state <> 'active' and a.state_change < clock_timestamp() - interval '${seconds} seconds'
  group by a.pid`

const key = (client: Client, name: string) => client`hashtextextended(${name}, 0)`

const tryLock = async (client: Client, name: string): Promise<boolean> => {
  const [row] = await client<Array<{ locked: boolean }>>`select pg_try_advisory_lock(${key(client, name)}) as locked`
  return row?.locked === true
}

/**
 * Locks of the server's, by name, that one process on the database holds at a time: in a connection of their own, with which they
 * end. Within the process they keep nobody out: whoever asks has to be the only one here.
 */
export const advisoryLocks = Effect.fnUntraced(function* (connection: string) {
  const { url } = yield* Sql
  let losses = 0
  const onClosed = () => {
    losses++
  }
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => makeClient(url, { connections: 1, name: connection, usesKeepalive: true, onClosed })),
    (it) => Effect.ignore(attempt(() => it.end({ timeout: 1 })))
  )
  let held = 0
  const dismiss = (name: string) => query(() => client.unsafe(dismissFrozenHolders("hashtextextended(name, 0)"), [[name]]))
  const take = (name: string) =>
    Effect.tap(
      query(() => tryLock(client, name)),
      (isLocked) =>
        Effect.sync(() => {
          if (isLocked) held++
        })
    )
  const acquire = Effect.fnUntraced(function* (name: string, wait: Effect.Effect<void>) {
    for (let attempts = 1; !(yield* take(name)); attempts++) {
      if (attempts % attemptsBetweenLooks === 0) yield* dismiss(name)
      yield* wait
    }
  })
  // The lock ends with the connection.
  const release = (name: string) =>
    Effect.andThen(
      Effect.sync(() => held--),
      Effect.ignore(attempt(() => client`select pg_advisory_unlock(${key(client, name)})`))
    )
  const showAlive = Effect.suspend(() => (held === 0 ? Effect.void : Effect.ignore(attempt(() => client`select 1`))))
  yield* Effect.forkScoped(Effect.repeat(showAlive, Schedule.spaced(heartbeat)))
  return {
    // Only the waiting and the use can be interrupted: a lock that is being acquired would never be released.
    withLock: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(acquire(name, restore(Effect.sleep(retryInterval))), Effect.ensuring(restore(effect), release(name)))
      ),
    /** None where another process holds it. */
    tryWithLock: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(take(name), (isLocked) =>
          isLocked ? Effect.asSome(Effect.ensuring(restore(effect), release(name))) : Effect.succeedNone
        )
      ),
    /** How often the connection has ended, and with it the locks. */
    losses: Effect.sync(() => losses)
  }
})
