import { Effect } from "effect"
import {
  type Append,
  type Appended,
  AppendTooLarge,
  EventStoreUnavailable,
  type ExpectedEnd,
  FenceMoved,
  type Fences,
  type NewEvent,
  WrongExpectedRevision
} from "../EventStore.ts"
import { chainEvents, endsAsExpected, type StreamEnd } from "../hashChain.ts"
import type { AppendCall } from "./appendCalls.ts"
import type { LogClock } from "./clock.ts"
import type { Connection } from "./connection.ts"
import { ConnectionLost, retryOnConnectionLoss } from "./failures.ts"
import { sealedAppend } from "./protocol.ts"
import { requireNeverDeleted } from "./readStream.ts"
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
  /** Whether the server cannot have these events yet. */
  readonly areNew: boolean
  readonly fences: Fences
}

/** What an append begins with. */
interface Start {
  readonly call: AppendCall
  /** Its stream as it was known after the call was opened. */
  readonly known: CachedStream
}

const send = ({ clock, connection }: Dependencies, { events, stream }: AppendRequest, { call, known: { end } }: Start) =>
  clock.withTime((at) =>
    Effect.suspend(() => {
      const chained = chainEvents(stream, end, at, events)
      const sealed = sealedAppend(stream, end.revision, chained)
      const tooLarge = (limit: number) => Effect.fail(new AppendTooLarge({ stream, bytes: sealed.bytes, limit }))
      if (sealed.bytes > maxAppendBytes) return tooLarge(maxAppendBytes)
      return connection.append(sealed, call).pipe(
        Effect.map((answer) => ({ answer, last: chained.at(-1) })),
        Effect.catchTag("ServerRefusedSize", ({ limit }) => tooLarge(limit ?? maxAppendBytes))
      )
    })
  )

const earlierAppend = ({ events }: AppendRequest, { appended }: CachedStream): Appended | undefined => {
  const last = events.at(-1)
  return last === undefined ? undefined : appended.get(last.id)
}

/** The server put the events elsewhere than they are sealed for: the stream was deleted after this process had read it. */
const requireInPlace = ({ events, stream }: AppendRequest, end: StreamEnd, revision: number): Effect.Effect<void> =>
  revision === end.revision + events.length
    ? Effect.void
    : Effect.die(
        new EventStoreUnavailable({ cause: `stream ${stream} was deleted in EventStoreDB, and goes on at revision ${revision}` })
      )

/** The server cannot compare other streams as it appends: a process would have to stand still between this and the append. */
const requireInFences = Effect.fnUntraced(function* ({ streams }: Dependencies, { fences, stream }: AppendRequest) {
  for (const fence of fences) {
    const { end } = yield* streams.refresh(fence.stream)
    if (end.revision !== fence.revision) return yield* new FenceMoved({ stream })
  }
})

/** Appends behind the end that is known. Undefined where the server has another one. */
const appendBehind = Effect.fnUntraced(function* (dependencies: Dependencies, request: AppendRequest, start: Start) {
  const { areNew, events, expected, stream } = request
  const { end, position } = start.known
  const first = earlierAppend(request, start.known)
  if (first !== undefined) return first
  if (!endsAsExpected(expected, end)) return yield* new WrongExpectedRevision({ stream, expected, actual: end.revision })
  // An append of nothing answers where the stream is.
  if (events.length === 0) return { revision: end.revision, position }
  yield* requireInFences(dependencies, request)
  const { answer, last } = yield* send(dependencies, request, start)
  if (answer._tag === "Conflict") return undefined
  if (answer.position === undefined) {
    dependencies.streams.forget(stream)
    return yield* new ConnectionLost({ cause: `EventStoreDB hides what was appended to ${stream} before` })
  }
  yield* requireInPlace(request, end, answer.revision)
  const appended: Appended = { revision: answer.revision, position: answer.position }
  if (!areNew || last === undefined) return appended
  dependencies.streams.extend(stream, last, events.length, appended.position)
  return { ...appended, hash: last.hash.toString("hex") }
})

/** A stream that is expected to be absent. Whether it is the server says to the append, but not whether it was deleted. */
const absentStream = ({ connection, streams }: Dependencies, stream: string): Effect.Effect<CachedStream, ConnectionLost> =>
  Effect.map(requireNeverDeleted(connection, stream), () => streams.add(stream, [], 0))

/**
 * The stream where it is known to end as the append expects it. What is known may be old: then the server refuses the append, because
 * each is sent with the exact revision that it was sealed for.
 */
const knownStream = (
  { streams }: Dependencies,
  { areNew, expected, fences, stream }: AppendRequest
): CachedStream | undefined => {
  const known = streams.peek(stream)
  // Whether the server has the events already is told by the append itself, but for one that fences may hold back.
  const suffices = areNew || (expected !== "any" && fences.length === 0)
  return known !== undefined && suffices && endsAsExpected(expected, known.end) ? known : undefined
}

const lookUp = (dependencies: Dependencies, request: AppendRequest): Effect.Effect<CachedStream, ConnectionLost> =>
  Effect.suspend(() => {
    const { streams } = dependencies
    const { areNew, expected, stream } = request
    const known = knownStream(dependencies, request)
    if (known !== undefined) return Effect.succeed(known)
    if (areNew && expected === "noStream" && streams.peek(stream) === undefined) return absentStream(dependencies, stream)
    return streams.refresh(stream)
  })

/** The stream behind the end at which the server did not append. */
const lookAgain = Effect.fnUntraced(function* ({ streams }: Dependencies, stream: string, { end: { revision } }: CachedStream) {
  const known = yield* streams.refresh(stream)
  if (known.end.revision > revision) return known
  streams.forget(stream)
  return yield* new ConnectionLost({ cause: `${stream} ends at ${revision}, but the server does not append there` })
})

/** Looks up what the append needs, and again where another one was faster, as at `refused`. */
const appendSlowly = Effect.fnUntraced(function* (dependencies: Dependencies, request: AppendRequest, refused?: CachedStream) {
  const call = yield* dependencies.connection.appendCall
  const looking = refused === undefined ? lookUp(dependencies, request) : lookAgain(dependencies, request.stream, refused)
  let known = yield* looking
  for (;;) {
    const appended = yield* appendBehind(dependencies, request, { call, known })
    if (appended !== undefined) return appended
    known = yield* lookAgain(dependencies, request.stream, known)
  }
})

/** What the append begins with where nothing has to be looked up. */
const quickStart = (dependencies: Dependencies, request: AppendRequest): Start | undefined => {
  const call = dependencies.connection.currentAppendCall()
  const known = call && dependencies.clock.isStarted() ? knownStream(dependencies, request) : undefined
  return call && known && { call, known }
}

/**
 * Appends with the predecessor's hash. `any` follows the stream's end until an append fits there. A lost connection leaves open
 * what happened, so the append is made again, and its events are not new then: their ids show whether they are there.
 */
export const makeAppend =
  (dependencies: Dependencies): Append =>
  (stream, expected, events, { areNew = false, fences = [] } = {}) =>
    Effect.suspend(() => {
      const request: AppendRequest = { stream, expected, events, areNew, fences }
      const again = appendSlowly(dependencies, { ...request, areNew: false })
      const start = quickStart(dependencies, request)
      if (start === undefined) return retryOnConnectionLoss(again, appendSlowly(dependencies, request))
      return appendBehind(dependencies, request, start).pipe(
        Effect.catchTag("ConnectionLost", (lost) => retryOnConnectionLoss(again, Effect.fail(lost))),
        Effect.flatMap((appended) =>
          appended === undefined
            ? retryOnConnectionLoss(again, appendSlowly(dependencies, request, start.known))
            : Effect.succeed(appended)
        )
      )
    })
