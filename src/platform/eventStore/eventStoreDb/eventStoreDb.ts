import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js"
import { Effect, Layer, type Redacted, Stream } from "effect"
import type { StartError } from "../../../kernel/StartError.ts"
import { EventStore, type Position, type ReadOptions, type RecordedEvent } from "../EventStore.ts"
import { makeAppend } from "./append.ts"
import { makeLogClock } from "./clock.ts"
import { type Connection, type ConnectionLost, retryOnConnectionLoss, scopedConnection } from "./connection.ts"
import { logEndRequest, logRequest, positionOf, recordedEvent, streamRequest } from "./protocol.ts"
import { makeStreamCache } from "./streamCache.ts"
import { makeSubscribe } from "./subscribe.ts"
import { connect } from "./url.ts"

type Events = Effect.Effect<ReadonlyArray<RecordedEvent>, ConnectionLost>

interface Page {
  readonly events: ReadonlyArray<RecordedEvent>
  /** The number of events of this page, including those of other programs. */
  readonly count: number
  readonly last: Position
}

const readPage = (connection: Connection, request: ReadReq): Effect.Effect<Page, ConnectionLost> =>
  Effect.map(connection.read(request), (responses) => {
    const found = responses.flatMap((response) => response.getEvent()?.getEvent() ?? [])
    const last = found.at(-1)
    return {
      events: found.flatMap((event) => recordedEvent(event) ?? []),
      count: found.length,
      last: last === undefined ? 0 : positionOf(last)
    }
  })

const allOfStream = Number.MAX_SAFE_INTEGER

const readStream = (connection: Connection, stream: string, { direction = "forwards", from, limit }: ReadOptions): Events =>
  limit === 0
    ? Effect.succeed([])
    : Effect.map(readPage(connection, streamRequest(stream, direction, from, limit ?? allOfStream)), ({ events }) => events)

/** Reads on where other programs' events took the place of ours, so that a short answer always means the end of the log. */
const readLog: (connection: Connection, after: Position, limit: number) => Events = Effect.fnUntraced(
  function* (connection, after, limit) {
    const found: Array<RecordedEvent> = []
    let from = after
    while (found.length < limit) {
      // The event at `from` is answered once more.
      const count = limit - found.length + 1
      const page = yield* readPage(connection, logRequest(from, count))
      const behind = from
      found.push(...page.events.filter(({ position }) => position > behind))
      if (page.count < count) break
      from = page.last
    }
    return found.slice(0, limit)
  }
)

/** The numbers of events that are read from the end of the log, until one of this service is found. */
const endPages = [1, 100, 10_000]

const lastOfLog = (connection: Connection): Effect.Effect<RecordedEvent | undefined, ConnectionLost> =>
  Effect.gen(function* () {
    for (const count of endPages) {
      const page = yield* readPage(connection, logEndRequest(count))
      const last = page.events[0]
      if (last !== undefined || page.count < count) return last
    }
    return undefined
  })

/**
 * The log in EventStoreDB 22.6 or newer, or KurrentDB. Positions are the server's commit positions, so they have gaps. Events
 * that other programs wrote to the server are passed over.
 */
export const layerEventStoreDb = (url: Redacted.Redacted<string>): Layer.Layer<EventStore, StartError> =>
  Layer.effect(
    EventStore,
    Effect.gen(function* () {
      const connection = yield* scopedConnection(yield* connect(url))
      const last = lastOfLog(connection)
      const clock = makeLogClock(Effect.map(retryOnConnectionLoss(last), (event) => event?.at ?? 0))
      const seen = (events: ReadonlyArray<RecordedEvent>) => clock.observe(events.at(-1)?.at ?? 0)
      const streams = makeStreamCache((stream, from) =>
        Effect.tap(readStream(connection, stream, { from }), (events) => Effect.sync(() => seen(events)))
      )
      const head = Effect.map(last, (event) => event?.position ?? 0)
      const subscribe = makeSubscribe(connection, head)

      return EventStore.of({
        append: makeAppend({ connection, clock, streams }),
        read: (stream, options = {}) =>
          Effect.tap(retryOnConnectionLoss(readStream(connection, stream, options)), (events) =>
            Effect.sync(() => {
              if (options.direction !== "backwards") streams.add(stream, events, options.from ?? 0)
            })
          ),
        readAll: (after, limit) => retryOnConnectionLoss(readLog(connection, after, limit)),
        subscribe: (after) =>
          Stream.tap(subscribe(after), (item) => Effect.sync(() => (item._tag === "Events" ? seen(item.events) : undefined))),
        head: retryOnConnectionLoss(head)
      })
    })
  )
