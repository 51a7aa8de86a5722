import { Effect, Layer, Stream } from "effect"
import { EventStore, type NewEvent, type RecordedEvent } from "#src/platform/eventStore/EventStore.ts"

const event = (stream: string, index: number): NewEvent => ({
  id: `00000000-0000-7000-8000-${Buffer.from(`${stream}${index}`).toString("hex").padStart(12, "0").slice(-12)}`,
  type: "Renamed",
  schemaVersion: 1,
  data: { name: `name ${index} of ${stream}` },
  metadata: { actor: "user:1", commandId: `command-${stream}-${index}`, correlationId: "test" }
})

/** Appends three streams, `a`, `b` and `c`, of four events each, in turns: `a` has the positions 1, 4, 7 and 10. */
export const appendSamples = Effect.gen(function* () {
  const store = yield* EventStore
  for (let index = 0; index < 4; index++) {
    for (const stream of ["a", "b", "c"])
      yield* store.append(stream, index === 0 ? "noStream" : index - 1, [event(stream, index)])
  }
})

/** Appends one more event to stream `a`. */
export const appendOneMore = EventStore.use((store) => store.append("a", "any", [event("a", 99)]))

/** Every event of a store. */
export const allEvents = EventStore.use((store) => store.readAll(0, 1_000))

/** A store that holds just these events. `head` is what it says of its end. */
export const storeOf = (events: ReadonlyArray<RecordedEvent>, head = events.at(-1)?.position ?? 0): Layer.Layer<EventStore> =>
  Layer.succeed(EventStore)({
    append: () => Effect.die("read only"),
    read: (stream) => Effect.succeed(events.filter((each) => each.stream === stream)),
    readAll: (after, limit) => Effect.succeed(events.filter(({ position }) => position > after).slice(0, limit)),
    subscribe: () => Stream.empty,
    head: Effect.succeed(head)
  })
