import { Duration, Effect, Layer, Queue, Schedule, Stream } from "effect"
import { isConnectionLost, retryOnConnectionLoss } from "../sql/connection.ts"
import { attempt, type Client, query, Sql } from "../sql/Sql.ts"
import { EventStore, type LogItem, type Position, type ReadOptions, type RecordedEvent } from "./EventStore.ts"
import { appendError, makeAppend } from "./postgresAppend.ts"

const channel = "chronoforge_log"
const pageSize = 1_000
/** A subscription looks for itself this often, should a notification be lost with its connection. */
const pollInterval = Duration.seconds(5)

interface EventRow {
  readonly position: number
  readonly stream: string
  readonly revision: number
  readonly id: string
  readonly type: string
  readonly schema_version: number
  readonly at: number
  readonly data: string
  readonly metadata: string
  readonly hash: string
}

const recorded = (row: EventRow): RecordedEvent => ({
  position: row.position,
  stream: row.stream,
  revision: row.revision,
  id: row.id,
  type: row.type,
  schemaVersion: row.schema_version,
  at: row.at,
  data: JSON.parse(row.data),
  metadata: JSON.parse(row.metadata),
  hash: row.hash
})

const read = <A>(run: () => PromiseLike<A>) => Effect.orDie(Effect.mapError(retryOnConnectionLoss(run), appendError))

/** Waits for as long as the database is away. */
const retryUntilConnected = <A>(run: () => PromiseLike<A>) =>
  attempt(run).pipe(
    Effect.retry({
      while: isConnectionLost,
      schedule: Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("2 seconds")])
    }),
    Effect.orDie
  )

const readStream = (sql: Client, stream: string, options: ReadOptions) => {
  const backwards = options.direction === "backwards"
  const from = options.from ?? (backwards ? Number.MAX_SAFE_INTEGER : 0)
  return sql<Array<EventRow>>`
    select position, stream, revision, id, type, schema_version, at, data, metadata, encode(hash, 'hex') as hash
    from chronoforge.events
    where stream = ${stream} and ${backwards ? sql`revision <= ${from}` : sql`revision >= ${from}`}
    order by revision ${backwards ? sql`desc` : sql`asc`} limit ${options.limit ?? null}`
}

/** Data that one page holds, in bytes, or one event that has more. */
const maxPageBytes = 64 * 1024 * 1024

const readLog = (sql: Client, after: Position, limit: number) => sql<Array<EventRow>>`
  select position, stream, revision, id, type, schema_version, at, data, metadata, encode(hash, 'hex') as hash
  from (
    select *, sum(octet_length(data)) over (order by position) - octet_length(data) as bytes_before
    from (select * from chronoforge.events where position > ${after} order by position limit ${limit}) page
  ) sized
  where bytes_before < ${maxPageBytes} order by position`

/** Wakes those who wait for the log to grow, here and in other processes. */
const makeNotifications = (client: Client) =>
  Effect.gen(function* () {
    const waiting = new Set<Queue.Queue<void>>()
    const wake = () => {
      for (const queue of waiting) Queue.offerUnsafe(queue, undefined)
    }
    yield* Effect.acquireRelease(
      query(() => client.listen(channel, wake, wake)),
      (listener) => Effect.ignore(query(() => listener.unlisten()))
    )
    const register = Effect.acquireRelease(
      Effect.tap(Queue.sliding<void>(1), (queue) => Effect.sync(() => waiting.add(queue))),
      (queue) => Effect.sync(() => waiting.delete(queue))
    )
    return { wake, register }
  })

type Cursor = { readonly after: Position; readonly caughtUp: boolean }
const step = (item: LogItem, cursor: Cursor): readonly [LogItem, Cursor] => [item, cursor]

/** The log in Postgres. Needs the migrations to have run. */
export const layerPostgres: Layer.Layer<EventStore, never, Sql> = Layer.effect(
  EventStore,
  Effect.gen(function* () {
    const { client, url } = yield* Sql
    const { register, wake } = yield* makeNotifications(client)
    const append = yield* makeAppend(url, wake)

    const readAll = (after: Position, limit: number) =>
      Effect.map(
        read(() => readLog(client, after, limit)),
        (rows) => rows.map(recorded)
      )

    /** What comes behind the cursor: events, else once the word that there are no more, else whatever is appended next. */
    const nextItem = Effect.fnUntraced(function* (cursor: Cursor, notifications: Queue.Dequeue<void>) {
      for (;;) {
        const rows = yield* retryUntilConnected(() => readLog(client, cursor.after, pageSize))
        const last = rows.at(-1)
        if (last !== undefined) return step({ _tag: "Events", events: rows.map(recorded) }, { ...cursor, after: last.position })
        if (!cursor.caughtUp) return step({ _tag: "CaughtUp" }, { ...cursor, caughtUp: true })
        yield* Queue.take(notifications).pipe(Effect.timeoutOption(pollInterval))
      }
    })

    const subscribe = (after: Position): Stream.Stream<LogItem> =>
      Stream.unwrap(
        Effect.map(register, (notifications) =>
          Stream.unfold({ after, caughtUp: false }, (cursor: Cursor) => nextItem(cursor, notifications))
        )
      )

    return EventStore.of({
      append,
      read: (stream, options = {}) =>
        Effect.map(
          read(() => readStream(client, stream, options)),
          (rows) => rows.map(recorded)
        ),
      readAll,
      subscribe,
      head: Effect.map(
        read(() => client<Array<{ position: number }>>`select position from chronoforge.log_head`),
        (rows) => rows[0]?.position ?? 0
      )
    })
  })
)
