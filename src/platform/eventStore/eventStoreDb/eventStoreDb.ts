import { Effect, Layer, type Redacted, Stream } from "effect"
import type { StartError } from "../../../kernel/StartError.ts"
import { EventStore } from "../EventStore.ts"
import { makeAppend } from "./append.ts"
import { makeLogClock } from "./clock.ts"
import { scopedConnection } from "./connection.ts"
import { type ConnectionLost, retryOnConnectionLoss } from "./failures.ts"
import { lastOfLog, readLog } from "./readLog.ts"
import { readStream } from "./readStream.ts"
import { makeStreamCache } from "./streamCache.ts"
import { makeSubscribe } from "./subscribe.ts"
import { makeTeller } from "./tellUnavailability.ts"
import { connect } from "./url.ts"

/**
 * The log in EventStoreDB 22.6 or newer, or KurrentDB. Positions are the server's commit positions, so they have gaps. Events
 * that other programs wrote to the server are passed over.
 */
export const layerEventStoreDb = (url: Redacted.Redacted<string>): Layer.Layer<EventStore, StartError> =>
  Layer.effect(
    EventStore,
    Effect.gen(function* () {
      // What was known before may be of another log.
      const connection = yield* scopedConnection(yield* connect(url), () => streams.forget())
      const last = lastOfLog(connection)
      const clock = makeLogClock(Effect.map(retryOnConnectionLoss(last), (event) => event?.at ?? 0))
      const streams = makeStreamCache((stream, from) =>
        Effect.tap(readStream(connection, stream, { from }), (events) => Effect.sync(() => clock.observe(events.at(-1)?.at ?? 0)))
      )
      const head = Effect.map(last, (event) => event?.position ?? 0)
      const subscribe = makeSubscribe(connection, head)
      const append = makeAppend({ connection, clock, streams })
      const telling = makeTeller()
      const call = <A, E>(effect: Effect.Effect<A, E | ConnectionLost>) => telling(retryOnConnectionLoss(effect))

      return EventStore.of({
        append: (...request) => telling(append(...request)),
        read: (stream, options = {}) =>
          Effect.tap(call(readStream(connection, stream, options)), (events) =>
            Effect.sync(() => {
              if (options.direction !== "backwards" && options.limit !== 0) streams.add(stream, events, options.from ?? 0)
            })
          ),
        readAll: (after, limit, { withTexts = false } = {}) => call(readLog(connection, after, limit, withTexts)),
        subscribe: (after) =>
          Stream.tap(subscribe(after), (item) =>
            Effect.sync(() => (item._tag === "Events" ? clock.observe(item.events.at(-1)?.at ?? 0) : undefined))
          ),
        head: call(head)
      })
    })
  )
