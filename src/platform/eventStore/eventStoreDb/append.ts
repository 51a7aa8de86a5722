import { Effect } from "effect"
import {
  type Append,
  type AppendError,
  type Appended,
  AppendTooLarge,
  EventStoreUnavailable,
  type ExpectedEnd,
  type NewEvent,
  WrongExpectedRevision
} from "../EventStore.ts"
import { type ChainedEvent, chainEvents, endsAsExpected, type StreamEnd } from "../hashChain.ts"
import type { LogClock } from "./clock.ts"
import { type Connection, ConnectionLost, retryOnConnectionLoss } from "./connection.ts"
import { appendRequests, sizeOf } from "./protocol.ts"
import type { CachedStream, StreamCache } from "./streamCache.ts"

/**
 * What the server has to take in one append, in bytes; its own default is 1 MiB. The highest limit that it can be given is 1,000 bytes
 * more, which it also sets to each event as it is sent, with its id and the names of its fields.
 */
export const maxAppendBytes = 16 * 1024 * 1024 - 11_000

interface Dependencies {
  readonly connection: Connection
  readonly clock: LogClock
  readonly streams: StreamCache<ConnectionLost>
}

interface AppendRequest {
  readonly stream: string
  readonly expected: ExpectedEnd
  readonly events: ReadonlyArray<NewEvent>
}

const tooLarge = (stream: string, chained: ReadonlyArray<ChainedEvent>, limit: number) =>
  new AppendTooLarge({ stream, bytes: sizeOf(chained), limit })

const send = ({ clock, connection }: Dependencies, { events, stream }: AppendRequest, end: StreamEnd) =>
  clock.withTime((at) =>
    Effect.suspend(() => {
      const chained = chainEvents(stream, end, at, events)
      if (sizeOf(chained) > maxAppendBytes) return Effect.fail(tooLarge(stream, chained, maxAppendBytes))
      return connection
        .append(appendRequests(stream, end.revision, chained))
        .pipe(
          Effect.catchTag("ServerRefusedSize", ({ limit }) => Effect.fail(tooLarge(stream, chained, limit ?? maxAppendBytes)))
        )
    })
  )

const earlierAppend = ({ events }: AppendRequest, { appended }: CachedStream): Appended | undefined => {
  const last = events.at(-1)
  return last === undefined ? undefined : appended.get(last.id)
}

/** An append of nothing answers where the stream is. */
const lastOf = ({ appended, end }: CachedStream): Appended => ({
  revision: end.revision,
  position: [...appended.values()].at(-1)?.position ?? 0
})

/** The server put the events elsewhere than they are sealed for: the stream was deleted after this process had read it. */
const requireInPlace = ({ events, stream }: AppendRequest, end: StreamEnd, revision: number): Effect.Effect<void> =>
  revision === end.revision + events.length
    ? Effect.void
    : Effect.die(
        new EventStoreUnavailable({ cause: `stream ${stream} was deleted in EventStoreDB, and goes on at revision ${revision}` })
      )

const appendTo: (
  dependencies: Dependencies,
  request: AppendRequest,
  stream: CachedStream
) => Effect.Effect<Appended, AppendError | ConnectionLost> = Effect.fnUntraced(function* (dependencies, request, stream) {
  const first = earlierAppend(request, stream)
  if (first !== undefined) return first
  const { revision } = stream.end
  if (!endsAsExpected(request.expected, stream.end)) {
    return yield* new WrongExpectedRevision({ stream: request.stream, expected: request.expected, actual: revision })
  }
  if (request.events.length === 0) return lastOf(stream)
  const answer = yield* send(dependencies, request, stream.end)
  if (answer._tag === "Appended" && answer.position !== undefined) {
    yield* requireInPlace(request, stream.end, answer.revision)
    return { revision: answer.revision, position: answer.position }
  }
  const current = yield* dependencies.streams.refresh(request.stream)
  if (current.end.revision > revision) return yield* appendTo(dependencies, request, current)
  return yield* new ConnectionLost({ cause: `${request.stream} ends at ${revision}, but the server does not append there` })
})

/**
 * The stream as the append expects it. What is known may be old: then the server refuses the append, because each is sent with
 * the exact revision that it was sealed for.
 */
const expectedStream = (
  { streams }: Dependencies,
  { expected, stream }: AppendRequest
): Effect.Effect<CachedStream, ConnectionLost> => {
  const cached = streams.peek(stream)
  return cached !== undefined && expected !== "any" && endsAsExpected(expected, cached.end)
    ? Effect.succeed(cached)
    : streams.refresh(stream)
}

/**
 * Appends with the predecessor's hash. `any` follows the stream's end until an append fits there. A lost connection leaves open
 * what happened, so the append is made again: the event ids show whether it is there.
 */
export const makeAppend =
  (dependencies: Dependencies): Append =>
  (stream, expected, events) => {
    const request = { stream, expected, events }
    return retryOnConnectionLoss(
      Effect.flatMap(expectedStream(dependencies, request), (current) => appendTo(dependencies, request, current))
    )
  }
