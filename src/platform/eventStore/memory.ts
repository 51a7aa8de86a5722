import { Clock, Deferred, Effect, Layer, Stream } from "effect"
import {
  type Append,
  type Appended,
  EventStore,
  FenceMoved,
  type LogItem,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  WrongExpectedRevision
} from "./EventStore.ts"
import { type ChainedEvent, chainEvents, emptyStream, endsAsExpected, hexOf, type StreamEnd } from "./hashChain.ts"

const batchSize = 1_000

const recorded = ({ data, hash, metadata, ...event }: ChainedEvent, position: Position): RecordedEvent => ({
  ...event,
  position,
  data: JSON.parse(data),
  metadata: JSON.parse(metadata),
  hash: hexOf(hash)
})

interface StoredStream {
  readonly end: StreamEnd
  readonly events: ReadonlyArray<RecordedEvent>
}

const absent: StoredStream = { end: emptyStream, events: [] }

/** The log in arrays: event n of the log has position n. */
const makeLog = () => {
  const log: Array<RecordedEvent> = []
  const streams = new Map<string, StoredStream>()
  const appended = new Map<string, Appended>()
  let growth = Deferred.makeUnsafe<void>()
  return {
    stream: (name: string) => streams.get(name) ?? absent,
    appended: (id: string | undefined) => (id === undefined ? undefined : appended.get(id)),
    after: (position: Position, limit: number) => log.slice(position, position + limit),
    head: () => log.length,
    at: () => log.at(-1)?.at ?? 0,
    growth: () => growth,
    add: (name: string, events: ReadonlyArray<ChainedEvent>) => {
      const { events: earlier } = streams.get(name) ?? absent
      const added = events.map((event, index) => recorded(event, log.length + index + 1))
      log.push(...added)
      for (const { hash, id, position, revision } of added) appended.set(id, { revision, position, hash })
      streams.set(name, { end: events.at(-1) ?? emptyStream, events: [...earlier, ...added] })
      const grown = growth
      growth = Deferred.makeUnsafe()
      Deferred.doneUnsafe(grown, Effect.void)
    }
  }
}

const selected = (events: ReadonlyArray<RecordedEvent>, { direction, from, limit }: ReadOptions) => {
  const wanted =
    direction === "backwards" ? events.slice(0, from === undefined ? undefined : from + 1).reverse() : events.slice(from ?? 0)
  return limit === undefined ? wanted : wanted.slice(0, limit)
}

type Cursor = { readonly after: Position; readonly caughtUp: boolean }

/** A log that lives as long as its layer. Yields between reading and appending, so that tests meet real races. */
export const layerMemory: Layer.Layer<EventStore> = Layer.sync(EventStore, () => {
  const log = makeLog()

  const append: Append = Effect.fnUntraced(function* (stream, expected, events, { fences = [] } = {}) {
    yield* Effect.yieldNow
    const clock = yield* Clock.currentTimeMillis
    const repeated = log.appended(events.at(-1)?.id)
    if (repeated !== undefined) return repeated
    const { end } = log.stream(stream)
    if (!endsAsExpected(expected, end)) return yield* new WrongExpectedRevision({ stream, expected, actual: end.revision })
    if (fences.some((fence) => log.stream(fence.stream).end.revision !== fence.revision)) return yield* new FenceMoved({ stream })
    if (events.length > 0) log.add(stream, chainEvents(stream, end, Math.max(clock, log.at()), events))
    const { hash, revision } = log.stream(stream).end
    return { revision, position: log.head(), hash: hexOf(hash) }
  })

  const following: (cursor: Cursor) => Effect.Effect<readonly [LogItem, Cursor]> = Effect.fnUntraced(function* (cursor) {
    yield* Effect.yieldNow
    const events = log.after(cursor.after, batchSize)
    const last = events.at(-1)
    if (last !== undefined)
      return [
        { _tag: "Events", events },
        { ...cursor, after: last.position }
      ] as const
    if (!cursor.caughtUp) return [{ _tag: "CaughtUp" }, { ...cursor, caughtUp: true }] as const
    yield* Deferred.await(log.growth())
    return yield* following(cursor)
  })

  return EventStore.of({
    append,
    read: (stream, options = {}) =>
      Effect.tap(
        Effect.sync(() => selected(log.stream(stream).events, options)),
        () => Effect.yieldNow
      ),
    readAll: (after, limit) =>
      Effect.tap(
        Effect.sync(() => log.after(after, limit)),
        () => Effect.yieldNow
      ),
    subscribe: (after) => Stream.unfold({ after, caughtUp: false }, following),
    head: Effect.sync(() => log.head())
  })
})
