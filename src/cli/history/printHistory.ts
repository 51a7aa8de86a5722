import { Effect } from "effect"
import { asItHappened, EventStore, type RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import type { Page } from "./partStreams.ts"

/** Writes events, the earlier ones of the same history first. */
type Print<R> = (events: ReadonlyArray<RecordedEvent>) => Effect.Effect<void, never, R>

/** So many events are read and printed at a time, each of which may have a mebibyte, and so many streams are looked for. */
const [eventsAtOnce, streamsAtOnce] = [100, 1_000]

/** Where an event is among those of several streams: by when it happened, then by where it is in the log. */
type Place = readonly [at: number, position: number]

const end: Place = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]

const placeOf = (event: RecordedEvent): Place => [asItHappened(event).at, event.position]

/** Less than 0 where the first is before the other. Two ends are in one place. */
const compare = ([at, position]: Place, [otherAt, otherPosition]: Place): number => {
  if (at !== otherAt) return at < otherAt ? -1 : 1
  return position === otherPosition ? 0 : position < otherPosition ? -1 : 1
}

const earlier = (one: Place, other: Place): Place => (compare(one, other) < 0 ? one : other)

/** Reads a stream from its beginning, a bit further each time. */
const reading = Effect.fnUntraced(function* (stream: string) {
  const { read } = yield* EventStore
  let waiting: ReadonlyArray<RecordedEvent> = []
  let from = 0
  let isAtEnd = false
  /** The place of the next event; the end where there are no more. */
  const peek = Effect.gen(function* () {
    if (waiting.length === 0 && !isAtEnd) {
      waiting = yield* read(stream, { from, limit: eventsAtOnce })
      from += waiting.length
      isAtEnd = waiting.length < eventsAtOnce
    }
    return waiting[0] === undefined ? end : placeOf(waiting[0])
  })
  /** The next events before a place, of those that were read. */
  const take = (until: Place) => {
    const later = waiting.findIndex((event) => compare(placeOf(event), until) >= 0)
    const events = waiting.slice(0, later < 0 ? waiting.length : later)
    waiting = waiting.slice(events.length)
    return events
  }
  return { peek, take, count: () => from }
})
type Reading = Effect.Success<ReturnType<typeof reading>>

/** Prints what streams have before a place, in the order in which it happened. */
const printUntil = Effect.fnUntraced(function* <R>(readings: ReadonlyArray<Reading>, until: Place, print: Print<R>) {
  for (;;) {
    const places = yield* Effect.forEach(readings, (one) => Effect.map(one.peek, (place) => ({ place, one })))
    const [first, second] = places.sort((some, other) => compare(some.place, other.place))
    if (first === undefined || compare(first.place, until) >= 0) return
    yield* print(first.one.take(earlier(until, second?.place ?? until)))
  }
})

/** What is told of in several streams. */
export interface Selection<R> {
  /** Streams whose events are shown in the order in which they happened. */
  readonly streams: ReadonlyArray<string>
  /**
   * Pages of streams in the order in which they began: each is shown as a whole where it began, and what happened meanwhile after it, so that
   * few have to be read at a time.
   */
  readonly parts?: (page: Page) => Effect.Effect<ReadonlyArray<string>, never, R>
  /** What is shown behind a part, by its first event. */
  readonly behind?: (first: RecordedEvent) => Effect.Effect<ReadonlyArray<RecordedEvent>, never, R>
}

const nothing = () => Effect.succeed([])

/** Prints all of it, oldest first but for what happened while a part did. Answers how many events the streams have that are no parts. */
export const printHistory = Effect.fnUntraced(function* <R, P>(
  { behind = nothing, parts = nothing, streams }: Selection<R>,
  print: Print<P>
) {
  const { read } = yield* EventStore
  const main = yield* Effect.forEach(streams, reading)
  for (let offset = 0; ; offset += streamsAtOnce) {
    const page = yield* parts({ offset, limit: streamsAtOnce })
    for (const stream of page) {
      const part = yield* reading(stream)
      yield* printUntil(main, yield* part.peek, print)
      yield* printUntil([part], end, print)
      const [first] = yield* read(stream, { limit: 1 })
      if (first !== undefined) yield* print(yield* behind(first))
    }
    if (page.length < streamsAtOnce) break
  }
  yield* printUntil(main, end, print)
  return main.reduce((sum, { count }) => sum + count(), 0)
})
