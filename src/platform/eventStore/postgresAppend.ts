import { Effect, Exit, type Scope } from "effect"
import { inSlices } from "../../kernel/inSlices.ts"
import { isLong, jsonTexts } from "../../kernel/json/jsonTexts.ts"
import { makeClient } from "../sql/client.ts"
import { isConnectionLost, retryTransient } from "../sql/connection.ts"
import { attempt, type Client, type SqlError } from "../sql/Sql.ts"
import {
  type Append,
  type AppendError,
  type Appended,
  EventStoreUnavailable,
  type ExpectedEnd,
  expectedHash,
  expectedRevision,
  FenceMoved,
  type Fences,
  type NewEvent,
  type Position,
  WrongExpectedRevision
} from "./EventStore.ts"
import { canonicalJson, contentDigest, endDigest, type HashedContent, metadataJson, startDigest } from "./hashChain.ts"

interface EncodedEvent extends HashedContent {
  readonly digest: Buffer
}

interface PendingAppend {
  readonly stream: string
  readonly expected: ExpectedEnd
  readonly events: ReadonlyArray<EncodedEvent>
  readonly fences: Fences
  /** The number of characters of all its data. */
  readonly size: number
  readonly answer: (answer: Effect.Effect<Appended, AppendError>) => void
}

/** One transaction has at most this many appends. */
const maxBatch = 256
/** One transaction has at most this many characters; an append that has more goes alone. */
const maxBatchSize = 8 * 1024 * 1024
/** At most this many transactions are in flight, so that the database starts the next one as soon as it committed the last. */
const maxInFlight = 2

interface AppendRow extends Appended {
  readonly outcome: "appended" | "repeated" | "refused" | "fenced"
  readonly hash: string
}

const anyRevision = -2

const encoded = (stream: string, { data, id, metadata, schemaVersion, type }: NewEvent): EncodedEvent => {
  const content = { stream, id, type, schemaVersion, data: canonicalJson(data), metadata: metadataJson(metadata) }
  return { ...content, digest: contentDigest(content) }
}

/** The same with a pause after each piece of the data. */
function* encodedInPieces(
  stream: string,
  { data: value, metadata: origin, ...event }: NewEvent
): Generator<void, EncodedEvent, void> {
  const { id, schemaVersion, type } = event
  const metadata = metadataJson(origin)
  const digest = startDigest({ stream, id, type, schemaVersion })
  let data = ""
  for (const text of jsonTexts(value)) {
    data += text
    digest.update(text)
    yield
  }
  return { stream, id, type, schemaVersion, data, metadata, digest: endDigest(digest, metadata) }
}

function* encoding(stream: string, events: ReadonlyArray<NewEvent>) {
  const all: Array<EncodedEvent> = []
  for (const event of events) all.push(isLong(event.data) ? yield* encodedInPieces(stream, event) : encoded(stream, event))
  return all
}

/** The events as they are stored. What is long is encoded while others have their turns. */
const encodeAll = (stream: string, events: ReadonlyArray<NewEvent>): Effect.Effect<ReadonlyArray<EncodedEvent>> =>
  Effect.suspend(() =>
    events.some(({ data }) => isLong(data))
      ? inSlices(encoding(stream, events))
      : Effect.succeed(events.map((event) => encoded(stream, event)))
  )

/** JSON texts, which have no line breaks, as one text: nothing in it is escaped, as the elements of an array would be. */
const asLines = (texts: ReadonlyArray<string>): string => texts.join("\n")

/** The fences of a batch, one append after the other, with the number of them up to each; nulls where there are none. */
const fencesOf = (batch: ReadonlyArray<PendingAppend>) => {
  const fences = batch.flatMap((append) => append.fences)
  if (fences.length === 0) return { streams: null, revisions: null, ends: null }
  let count = 0
  return {
    streams: fences.map(({ stream }) => stream),
    revisions: fences.map(({ revision }) => revision),
    ends: batch.map((append) => (count += append.fences.length))
  }
}

/** Sends many appends as one statement, which is one transaction. */
const send = (client: Client, batch: ReadonlyArray<PendingAppend>): PromiseLike<ReadonlyArray<AppendRow>> => {
  const [ids, types, versions]: [Array<string>, Array<string>, Array<number>] = [[], [], []]
  const ends: Array<number> = []
  const [data, metadata, digests]: [Array<string>, Array<string>, Array<Buffer>] = [[], [], []]
  for (const { events } of batch) {
    for (const event of events) {
      ids.push(event.id)
      types.push(event.type)
      versions.push(event.schemaVersion)
      data.push(event.data)
      metadata.push(event.metadata)
      digests.push(event.digest)
    }
    ends.push(ids.length)
  }
  const streams = batch.map((append) => append.stream)
  const revisions = batch.map((append) => expectedRevision(append.expected) ?? anyRevision)
  const hashes = batch.map((append) => expectedHash(append.expected) ?? null)
  const fences = fencesOf(batch)
  return client<Array<AppendRow>>`
    select outcome, revision, "position", hash from chronoforge.append(
      ${Date.now()}::bigint, ${streams}::text[], ${revisions}::bigint[], ${hashes}::text[], ${ends}::int[],
      ${ids}::uuid[], ${types}::text[], ${versions}::int[], string_to_array(${asLines(data)}, chr(10)),
      string_to_array(${asLines(metadata)}, chr(10)), ${Buffer.concat(digests)}::bytea,
      ${fences.streams}::text[], ${fences.revisions}::bigint[], ${fences.ends}::int[])`
}

const answerOf = (
  { expected, stream }: PendingAppend,
  { hash, outcome, position, revision }: AppendRow
): Effect.Effect<Appended, AppendError> => {
  if (outcome === "refused") return Effect.fail(new WrongExpectedRevision({ stream, expected, actual: revision }))
  return outcome === "fenced" ? Effect.fail(new FenceMoved({ stream })) : Effect.succeed({ revision, position, hash })
}

const answerAll = (batch: ReadonlyArray<PendingAppend>, rows: ReadonlyArray<AppendRow>) => {
  for (const [index, append] of batch.entries()) {
    const row = rows[index]
    if (row !== undefined) append.answer(answerOf(append, row))
  }
}

const lastOf = (positions: ReadonlyArray<Position>): Position => Math.max(0, ...positions)

/** The error of the log for a failed statement. */
export const appendError = (error: SqlError): EventStoreUnavailable | SqlError =>
  isConnectionLost(error) ? new EventStoreUnavailable({ cause: error }) : error

const failAll = (batch: ReadonlyArray<PendingAppend>, error: SqlError) => {
  for (const append of batch) append.answer(Effect.die(appendError(error)))
}

/**
 * Commits a batch; answers the last position of what is stored of it. When the database refuses it as a whole, each append is sent alone,
 * so that only the bad one fails.
 */
const commit = (client: Client, batch: ReadonlyArray<PendingAppend>): Effect.Effect<Position> =>
  retryTransient(attempt(() => send(client, batch))).pipe(
    Effect.map((rows) => {
      answerAll(batch, rows)
      return lastOf(rows.map(({ position }) => position))
    }),
    Effect.catch((error) =>
      batch.length > 1 && !isConnectionLost(error)
        ? Effect.map(
            Effect.forEach(batch, (append) => commit(client, [append])),
            lastOf
          )
        : Effect.sync(() => {
            failAll(batch, error)
            return 0
          })
    )
  )

/**
 * The first of the appends, up to one whose stream, or fence, is the stream of one before it: a batch does not see what it adds itself. And no
 * more than fit into a message of moderate size, but for one that is larger by itself.
 */
const nextBatch = (pending: ReadonlyArray<PendingAppend>): ReadonlyArray<PendingAppend> => {
  const streams = new Set<string>()
  let size = 0
  for (const append of pending) {
    size += append.size
    const isBehind = streams.has(append.stream) || append.fences.some(({ stream }) => streams.has(stream))
    if (isBehind || streams.size === maxBatch || (size > maxBatchSize && streams.size > 0)) break
    streams.add(append.stream)
  }
  return pending.slice(0, streams.size)
}

/**
 * The one writer of this process. While transactions are on their way, further appends gather and become the next one, so the
 * cost of a durable commit is shared by all who wait for it.
 */
export const makeAppend = (url: string, onCommit: (position: Position) => void): Effect.Effect<Append, never, Scope.Scope> =>
  Effect.gen(function* () {
    // There is one connection, so that transactions queue in its pipeline and not for the lock of the log.
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => makeClient(url, { connections: 1, name: "chronoforge-log" })),
      (it) => Effect.ignore(attempt(() => it.end({ timeout: 5 })))
    )
    let pending: Array<PendingAppend> = []
    let inFlight = 0
    let scheduled = false
    const sendPending = () => {
      scheduled = false
      while (pending.length > 0 && inFlight < maxInFlight) {
        const batch = nextBatch(pending)
        pending = pending.slice(batch.length)
        inFlight += 1
        Effect.runFork(commit(client, batch)).addObserver((exit) => {
          inFlight -= 1
          if (Exit.isSuccess(exit)) onCommit(exit.value)
          schedule()
        })
      }
    }
    // The next transaction is not sent at once, so that callers who were just answered can join it.
    const schedule = () => {
      if (scheduled || inFlight === maxInFlight || pending.length === 0) return
      scheduled = true
      if (inFlight === 0) queueMicrotask(sendPending)
      else setImmediate(sendPending)
    }
    const queue = (append: Omit<PendingAppend, "answer">) =>
      Effect.callback<Appended, AppendError>((answer) => {
        pending.push({ ...append, answer })
        schedule()
      })
    return (stream, expected, events, { fences = [] } = {}) =>
      Effect.flatMap(encodeAll(stream, events), (contents) => {
        const size = contents.reduce((sum, { data }) => sum + data.length, 0)
        return queue({ stream, expected, events: contents, fences, size })
      })
  })
