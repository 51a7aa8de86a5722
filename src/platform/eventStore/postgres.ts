import { Duration, Effect, Layer, Option, Queue, Schedule, Stream } from "effect"
import { withPauses } from "../../kernel/inSlices.ts"
import { isConnectionLost, retryTransient } from "../sql/connection.ts"
import { lookupAll } from "../sql/lookup.ts"
import { attempt, type Client, query, Sql, type SqlError } from "../sql/Sql.ts"
import { EventStore, type LogItem, type Position, type ReadOptions, type RecordedEvent } from "./EventStore.ts"
import { appendError, makeAppend } from "./postgresAppend.ts"
import { RecordedTexts, recorded, type StoredEvent } from "./storedEvent.ts"

const channel = "chronoforge_log"
const pageSize = 1_000
/** A subscription looks for itself this often, should a notification be lost with its connection. */
const pollInterval = Duration.seconds(5)

/** Events with so many characters are parsed between two pauses. */
const parsedAtOnce = 128 * 1024

function* parsing(rows: ReadonlyArray<StoredEvent>) {
  const events: Array<RecordedEvent> = []
  let characters = 0
  for (const row of rows) {
    events.push(recorded(row))
    characters += row.data.length + row.metadata.length
    if (characters < parsedAtOnce) continue
    characters = 0
    yield
  }
  return events
}

/** The events of rows, of which there may be many megabytes. */
const recordedAll = (rows: ReadonlyArray<StoredEvent>): Effect.Effect<ReadonlyArray<RecordedEvent>> => {
  const isShort = rows.reduce((sum, { data }) => sum + data.length, 0) < parsedAtOnce
  return isShort ? Effect.sync(() => rows.map(recorded)) : Effect.promise(() => withPauses(parsing(rows)))
}

const answered = <A>(statement: Effect.Effect<A, SqlError>) =>
  Effect.orDie(Effect.mapError(retryTransient(statement), appendError))

const read = <A>(run: () => PromiseLike<A>) => answered(attempt(run))

const reconnect = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("2 seconds")])

/** Waits for as long as the database is away. */
const retryUntilConnected = <A>(run: () => PromiseLike<A>) =>
  Effect.orDie(Effect.retry(attempt(run), { while: isConnectionLost, schedule: reconnect }))

/** Reads of at most this many events of a stream go together with those of other requests. */
const maxEventsTogether = 50

const togetherText = `
  select e.position, e.stream, e.revision, e.id, e.type, e.schema_version as "schemaVersion", e.at, encode(e.hash, 'hex') as hash, a.key,
    case when e.revision = a.known_revision then '{}' else e.data end as data,
    case when e.revision = a.known_revision then '{}' else e.metadata end as metadata
  from unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::bigint[]) as a(key, stream, from_revision, count, known_revision)
  cross join lateral (
    select * from chronoforge.events where stream = a.stream and revision >= a.from_revision order by revision limit a.count
  ) e`

/** The parts of the key `<from> <limit> <known> <stream>`; -1 for none that is known. */
const partsOf = (key: string) => {
  const [, from = "", limit = "", known = "", stream = ""] = /^(\d+) (\d+) (-?\d+) (.*)$/s.exec(key) ?? []
  return { from, known, limit, stream }
}

/** Reads a few events of streams, forwards: those of many requests in one statement. */
const readTogether = (lookups: Client) => {
  const find = lookupAll(
    (keys: Array<string>) => {
      const parts = keys.map(partsOf)
      const [streams, from] = [parts.map(({ stream }) => stream), parts.map(({ from }) => from)]
      const columns = [keys, streams, from, parts.map(({ limit }) => limit), parts.map(({ known }) => known)]
      return lookups.unsafe<Array<StoredEvent & { readonly key: string }>>(togetherText, columns, { prepare: true })
    },
    ({ key }) => key
  )
  return (stream: string, from: number, limit: number, knowsFirst = false) =>
    answered(find(`${from} ${limit} ${knowsFirst ? from : -1} ${stream}`))
}

const readStream = (sql: Client, stream: string, options: ReadOptions) => {
  const backwards = options.direction === "backwards"
  const from = options.from ?? (backwards ? Number.MAX_SAFE_INTEGER : 0)
  return sql<Array<StoredEvent>>`
    select position, stream, revision, id, type, schema_version as "schemaVersion", at, data, metadata, encode(hash, 'hex') as hash
    from chronoforge.events
    where stream = ${stream} and ${backwards ? sql`revision <= ${from}` : sql`revision >= ${from}`}
    order by revision ${backwards ? sql`desc` : sql`asc`} limit ${options.limit ?? null}`
}

/** Data that one page holds, in bytes, or one event that has more. */
const maxPageBytes = 8 * 1024 * 1024

const readLog = (sql: Client, after: Position, limit: number) => sql<Array<StoredEvent>>`
  select position, stream, revision, id, type, schema_version as "schemaVersion", at, data, metadata, encode(hash, 'hex') as hash
  from (
    select *, sum(octet_length(data)) over (order by position) - octet_length(data) as bytes_before
    from (select * from chronoforge.events where position > ${after} order by position limit ${limit}) page
  ) sized
  where bytes_before < ${maxPageBytes} order by position`

/** The same without events of other types, but for the last one, which says how far the page goes. */
const readLogOf = (sql: Client, after: Position, limit: number, types: ReadonlySet<string>) => sql<Array<StoredEvent>>`
  with page as (
    select *, type = any(${[...types]}::text[]) as is_wanted from chronoforge.events where position > ${after} order by position limit ${limit}
  ),
  wanted as (
    select position, stream, revision, id, type, schema_version, at, hash, case when is_wanted then data else '{}' end as data,
      case when is_wanted then metadata else '{}' end as metadata
    from page where is_wanted or position = (select max(position) from page)
  ),
  sized as (select *, sum(octet_length(data)) over (order by position) - octet_length(data) as bytes_before from wanted)
  select position, stream, revision, id, type, schema_version as "schemaVersion", at, data, metadata, encode(hash, 'hex') as hash
  from sized where bytes_before < ${maxPageBytes} order by position`

/** Who waits for the log to grow. */
interface Waiter {
  /** Holds something when there may be something new. */
  readonly signals: Queue.Queue<void>
  /** Whether there was no connection for a while: nobody knows what was missed. */
  missed: boolean
}

/** Tells those who wait for the log that it grew, here and in other processes. */
const makeNotifications = (client: Client) =>
  Effect.gen(function* () {
    const waiting = new Set<Waiter>()
    let head: Position = 0
    const signal = ({ signals }: Waiter) => Queue.offerUnsafe(signals, undefined)
    /** Positions come in any order: what is told last need not be the highest. */
    const wake = (position: Position) => {
      head = Math.max(head, position)
      for (const waiter of waiting) signal(waiter)
    }
    const lookAgain = () => {
      for (const waiter of waiting) {
        waiter.missed = true
        signal(waiter)
      }
    }
    yield* Effect.acquireRelease(
      query(() => client.listen(channel, (position) => wake(Number(position)), lookAgain)),
      (listener) => Effect.ignore(query(() => listener.unlisten()))
    )
    const register = Effect.acquireRelease(
      Effect.map(Queue.sliding<void>(1), (signals): Waiter => {
        const waiter = { signals, missed: false }
        waiting.add(waiter)
        return waiter
      }),
      (waiter) => Effect.sync(() => waiting.delete(waiter))
    )
    return { wake, register, hasGrown: (after: Position) => head > after }
  })

type Cursor = { readonly after: Position; readonly caughtUp: boolean }
const step = (item: LogItem, cursor: Cursor): readonly [LogItem, Cursor] => [item, cursor]

/** The log in Postgres. Needs the migrations to have run. */
export const layerPostgres: Layer.Layer<EventStore, never, Sql> = Layer.effect(
  EventStore,
  Effect.gen(function* () {
    const { client, lookups, url } = yield* Sql
    const { hasGrown, register, wake } = yield* makeNotifications(client)
    const append = yield* makeAppend(url, wake)
    const readFew = readTogether(lookups)

    const readAll = (after: Position, limit: number, { withTexts = false } = {}): Effect.Effect<ReadonlyArray<RecordedEvent>> =>
      Effect.flatMap(
        read(() => readLog(client, after, limit)),
        (rows) =>
          withTexts ? Effect.succeed<ReadonlyArray<RecordedEvent>>(rows.map((row) => new RecordedTexts(row))) : recordedAll(rows)
      )

    /** What comes behind the cursor: events, else once the word that there are no more, else whatever is appended next. */
    const nextItem = Effect.fnUntraced(function* ({ after, caughtUp }: Cursor, waiter: Waiter, types?: ReadonlySet<string>) {
      const readPage = () => (types === undefined ? readLog(client, after, pageSize) : readLogOf(client, after, pageSize, types))
      for (let looks = !caughtUp || waiter.missed || hasGrown(after); ; ) {
        if (looks) waiter.missed = false
        const rows = looks ? yield* retryUntilConnected(readPage) : []
        const last = rows.at(-1)
        if (last !== undefined)
          return step({ _tag: "Events", events: yield* recordedAll(rows) }, { caughtUp, after: last.position })
        if (!caughtUp) return step({ _tag: "CaughtUp" }, { caughtUp: true, after })
        const told = yield* Effect.timeoutOption(Queue.take(waiter.signals), pollInterval)
        looks = Option.isNone(told) || waiter.missed || hasGrown(after)
      }
    })

    const subscribe = (after: Position, types?: ReadonlySet<string>): Stream.Stream<LogItem> =>
      Stream.unwrap(
        Effect.map(register, (waiter) =>
          Stream.unfold({ after, caughtUp: false }, (cursor: Cursor) => nextItem(cursor, waiter, types))
        )
      )

    return EventStore.of({
      append,
      read: (stream, options = {}) => {
        const { direction, from = 0, knowsFirst, limit } = options
        const isFew = limit !== undefined && limit <= maxEventsTogether && direction !== "backwards"
        const rows: Effect.Effect<ReadonlyArray<StoredEvent>> = isFew
          ? readFew(stream, from, limit, knowsFirst)
          : read(() => readStream(client, stream, options))
        return Effect.flatMap(rows, (found) => recordedAll(found))
      },
      readAll,
      subscribe,
      head: Effect.map(
        read(() => client<Array<{ position: number }>>`select position from chronoforge.log_head`),
        (rows) => rows[0]?.position ?? 0
      )
    })
  })
)
