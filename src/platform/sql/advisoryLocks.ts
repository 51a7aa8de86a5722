import { Effect, type Option } from "effect"
import { makeClient } from "./client.ts"
import { attempt, type Client, query, Sql } from "./Sql.ts"

/** A lock that another process holds is tried again after this time. */
const retryInterval = "20 millis"

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
  const acquire = Effect.fnUntraced(function* (name: string, wait: Effect.Effect<void>) {
    while (!(yield* query(() => tryLock(client, name)))) yield* wait
  })
  // The lock ends with the connection.
  const release = (name: string) => Effect.ignore(attempt(() => client`select pg_advisory_unlock(${key(client, name)})`))
  return {
    // Only the waiting and the use can be interrupted: a lock that is being acquired would never be released.
    withLock: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(acquire(name, restore(Effect.sleep(retryInterval))), Effect.ensuring(restore(effect), release(name)))
      ),
    /** None where another process holds it. */
    tryWithLock: <A, E, R>(name: string, effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(
          query(() => tryLock(client, name)),
          (isLocked) => (isLocked ? Effect.asSome(Effect.ensuring(restore(effect), release(name))) : Effect.succeedNone)
        )
      ),
    /** How often the connection has ended, and with it the locks. */
    losses: Effect.sync(() => losses)
  }
})
