import { Deferred, Effect } from "effect"
import { makeClient } from "../client.ts"
import { attempt, type Client, SqlError } from "../Sql.ts"

/**
 * A connection to the embedded server that stays open as long as this process uses it. Its locks tell who else does. Postgres
 * drops them with the connection, however the process ends; no file could go stale, and no process number could be mistaken.
 */
export interface Session {
  readonly client: Client
  /** The number of the server's process for this connection. */
  readonly backend: number
  /** Done when the connection is lost. */
  readonly ended: Deferred.Deferred<void>
}

/** Shared by all who use the server; held exclusively by the one who stops it. */
const usageLock = [0x4346, 1] as const
/** Held by the one process that serves. */
const serviceLock = [0x4346, 2] as const

/** How long a server may take to answer a new connection. */
const answerTimeout = "10 seconds"

/** The server holds the port but does not answer. */
export const isUnresponsive = (error: SqlError): boolean => error.code === "NO_ANSWER"

/** Connects and counts as a user of the server from then on. Waits while somebody is stopping it, and fails when it has stopped. */
export const openSession = Effect.fn("embedded.openSession")(function* (url: string, name: string) {
  const ended = yield* Deferred.make<void>()
  const client = makeClient(url, {
    connections: 1,
    name,
    usesKeepalive: true,
    onClosed: () => Deferred.doneUnsafe(ended, Effect.void)
  })
  const unresponsive = new SqlError({ cause: Object.assign(new Error("no answer"), { code: "NO_ANSWER" }) })
  const [key, part] = usageLock
  const [row] = yield* attempt(() => client<Array<{ backend: number }>>`select pg_backend_pid() as backend`).pipe(
    Effect.timeoutOrElse({ duration: answerTimeout, orElse: () => Effect.fail(unresponsive) }),
    Effect.tap(() => attempt(() => client`select pg_advisory_lock_shared(${key}, ${part})`)),
    Effect.onError(() => endSession({ client }))
  )
  return { client, ended, backend: row?.backend ?? 0 } satisfies Session
})

/** Ends a session without telling anybody. */
export const endSession = ({ client }: Pick<Session, "client">): Effect.Effect<void> =>
  Effect.ignore(attempt(() => client.end({ timeout: 0 })))

/**
 * Makes this process the one that serves; false when another session is it. A process that was killed a moment ago is waited for: the
 * server notices its end at once, but not instantly.
 */
export const acquireServiceLock = Effect.fn("embedded.acquireServiceLock")(function* ({ client }: Session) {
  const [key, part] = serviceLock
  yield* attempt(() => client`set lock_timeout = '1s'`)
  const acquired = yield* attempt(() => client`select pg_advisory_lock(${key}, ${part})`).pipe(
    Effect.as(true),
    Effect.catchIf(
      ({ code }) => code === "55P03",
      () => Effect.succeed(false)
    )
  )
  yield* attempt(() => client`set lock_timeout = 0`)
  return acquired
})

/** Who serves, as the server knows it. */
export interface Holder {
  /** What the session is called, such as `chronoforge serve, process 4711`. */
  readonly name: string
  /** The number of the server's process for its connection. */
  readonly backend: number
}

/** The session that serves, if there is one. */
export const serviceHolder = ({ client }: Session): Effect.Effect<Holder | undefined, SqlError> => {
  const [key, part] = serviceLock
  const holders = attempt(
    () => client<Array<Holder>>`
      select a.application_name as name, a.pid as backend from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.classid = ${key} and l.objid = ${part}`
  )
  return Effect.map(holders, ([holder]) => holder)
}

/**
 * Ends the session. When nobody else uses the server, `stop` runs first, while new users wait. Of several that end at the same
 * time the last one finds itself alone.
 */
export const closeSession = Effect.fn("embedded.closeSession")(function* ({ client, ended }: Session, stop: Effect.Effect<void>) {
  const [key, part] = usageLock
  const isLastUser = attempt(async () => {
    await client`select pg_advisory_unlock_all()`
    const [row] = await client<Array<{ alone: boolean }>>`select pg_try_advisory_lock(${key}, ${part}) as alone`
    return row?.alone === true
  }).pipe(Effect.orElseSucceed(() => false))
  // A lost connection must not be made anew by a statement.
  if (!(yield* Deferred.isDone(ended)) && (yield* isLastUser)) yield* stop
  yield* Effect.ignore(attempt(() => client.end({ timeout: 1 })))
})
