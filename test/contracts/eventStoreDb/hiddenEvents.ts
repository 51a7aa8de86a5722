import { assert, it } from "@effect/vitest"
import { binaryEvent, type EventData, jsonEvent, NO_STREAM } from "@eventstore/db-client"
import { Effect, Result, type Scope, Stream } from "effect"
import type { EventStore } from "#src/platform/eventStore/EventStore.ts"
import type { LogServer } from "#test/support/eventStoreDbServer/LogServer.ts"
import { assertSealed, ids, newEvents, newStream } from "../eventStoreSamples.ts"
import { operatorAt, silence, storeOf, unavailability } from "./stores.ts"

type Store = EventStore["Service"]
type Operator = Effect.Success<ReturnType<typeof operatorAt>>

const notWhole = (stream: string, reason: string) =>
  `The event store is unavailable: stream ${stream} is not whole in EventStoreDB: ${reason}`
const hidden = (stream: string, revision: number) =>
  notWhole(stream, `revision ${revision} is hidden or of another program. See its settings ($maxCount, $maxAge, $tb)`)
const deleted = (stream: string) =>
  notWhole(stream, "it was deleted. Restore it from a backup, or set its $tb to 0 if it was not scavenged yet")

/** Every way to a stream from which events are missing says so, and nothing is appended to it. */
const assertRefused = Effect.fnUntraced(function* (server: LogServer, stream: string, message: string, known: Store) {
  const fresh = yield* storeOf(server.url)
  for (const store of [fresh, known]) {
    const calls = [
      store.read(stream),
      store.read(stream, { limit: 1 }),
      store.append(stream, "any", newEvents(1)),
      store.append(stream, "noStream", newEvents(1))
    ] as const
    for (const call of calls) {
      const said = yield* Effect.result(unavailability<unknown, unknown, never>(call))
      assert.deepEqual(said, Result.succeed(message))
    }
  }
})

/** What the log has behind a position, as a reader of its pages and as a subscriber gets it. */
const logBehind = Effect.fnUntraced(function* (store: Store, position: number) {
  const heard = yield* store.subscribe(position).pipe(
    Stream.takeUntil(({ _tag }) => _tag === "CaughtUp"),
    Stream.runCollect
  )
  const events = yield* store.readAll(position, 1_000)
  assert.deepEqual(
    heard.flatMap((item) => (item._tag === "Events" ? item.events : [])),
    events
  )
  return ids(events)
})

/** Streams of which an operator of the server took something away, and what was never of this service. */
export const hiddenEventsContract = (server: LogServer): void => {
  const testOn = (name: string, test: (store: Store, operator: Operator) => Effect.Effect<void, unknown, Scope.Scope>) =>
    it.live(name, () =>
      Effect.gen(function* () {
        yield* test(yield* storeOf(server.url), yield* operatorAt(server.directUrl))
      }).pipe(Effect.provide(silence))
    )

  testOn("goes on with nothing that was cut off at the front, until it is whole again", (store, operator) =>
    Effect.gen(function* () {
      const stream = newStream()
      const events = newEvents(6)
      yield* store.append(stream, "noStream", events)
      for (const [settings, first] of [
        [{ truncateBefore: 3 }, 0],
        [{ maxCount: 2 }, 0],
        [{ truncateBefore: 6 }, 0]
      ] as const) {
        yield* Effect.promise(() => operator.setStreamMetadata(stream, settings))
        yield* Effect.scoped(assertRefused(server, stream, hidden(stream, first), yield* storeOf(server.url)))
      }
      yield* Effect.promise(() => operator.setStreamMetadata(stream, { truncateBefore: 3 }))
      assert.strictEqual(yield* unavailability(store.read(stream, { from: 1 })), hidden(stream, 1))
      assert.strictEqual(yield* unavailability(store.read(stream, { direction: "backwards" })), hidden(stream, 2))
      assert.deepEqual(ids(yield* store.read(stream, { direction: "backwards", limit: 3 })), ids(events.slice(3).toReversed()))
      assert.deepEqual(ids(yield* store.read(stream, { from: 4 })), ids(events.slice(4)))
      yield* Effect.promise(() => operator.setStreamMetadata(stream, {}))
      assert.strictEqual((yield* store.append(stream, 5, newEvents(1))).revision, 6)
      assert.deepEqual(ids((yield* store.read(stream)).slice(0, 6)), ids(events))
    })
  )

  testOn("appends nothing to a stream that was deleted, and tells it from one that never was", (store, operator) =>
    Effect.gen(function* () {
      const start = yield* store.head
      const stream = newStream()
      const events = newEvents(3)
      yield* store.append(stream, "noStream", events)
      yield* Effect.promise(() => operator.deleteStream(stream))
      const other = yield* storeOf(server.url)
      yield* assertRefused(server, stream, deleted(stream), other)
      assert.deepEqual(yield* logBehind(store, start), ids(events))
      // The server makes of new settings of a deleted stream that it begins behind its end. The next ones hold as they are.
      yield* Effect.promise(() => operator.setStreamMetadata(stream, {}))
      yield* Effect.scoped(assertRefused(server, stream, hidden(stream, 0), yield* storeOf(server.url)))
      yield* Effect.promise(() => operator.setStreamMetadata(stream, {}))
      assert.strictEqual((yield* store.append(stream, 2, newEvents(1))).revision, 3)
    })
  )

  testOn("says that a stream goes on elsewhere which was deleted after it was found absent", (store, operator) =>
    Effect.gen(function* () {
      const stream = newStream()
      yield* store.append(newStream(), "noStream", newEvents(1))
      assert.deepEqual(yield* store.read(stream), [])
      yield* Effect.promise(() =>
        operator.appendToStream(stream, jsonEvent({ type: "Foreign", data: {} }), { expectedRevision: NO_STREAM })
      )
      yield* Effect.promise(() => operator.deleteStream(stream))
      assert.strictEqual(
        yield* unavailability(store.append(stream, "noStream", newEvents(1))),
        `The event store is unavailable: stream ${stream} was deleted in EventStoreDB, and goes on at revision 1`
      )
    })
  )

  testOn(
    "goes on with a stream that was deleted while its end is known, which is whole when it is shown again",
    (store, operator) =>
      Effect.gen(function* () {
        const stream = newStream()
        const [events, more] = [newEvents(2), newEvents(1)]
        const { hash = "" } = yield* store.append(stream, "noStream", events, { areNew: true })
        yield* Effect.promise(() => operator.deleteStream(stream))
        assert.strictEqual((yield* store.append(stream, { revision: 1, hash }, more, { areNew: true })).revision, 2)
        assert.strictEqual(yield* unavailability(store.read(stream)), hidden(stream, 0))
        yield* Effect.promise(() => operator.setStreamMetadata(stream, { truncateBefore: 0 }))
        const whole = yield* store.read(stream)
        assert.deepEqual(ids(whole), ids([...events, ...more]))
        assertSealed(whole)
      })
  )

  testOn("says that a stream was deleted for ever", (store, operator) =>
    Effect.gen(function* () {
      const start = yield* store.head
      const stream = newStream()
      const events = newEvents(2)
      yield* store.append(stream, "noStream", events)
      yield* Effect.promise(() => operator.tombstoneStream(stream))
      const message = `The event store is unavailable: stream ${stream} was deleted in EventStoreDB; restore it from a backup`
      yield* assertRefused(server, stream, message, yield* storeOf(server.url))
      assert.strictEqual(yield* unavailability(store.append(stream, 1, newEvents(1))), message)
      assert.deepEqual(yield* logBehind(store, start), ids(events))
    })
  )

  testOn("never sees events of the server, links, and events of other programs", (store, operator) =>
    Effect.gen(function* () {
      const start = yield* store.head
      const stream = newStream()
      const foreign = () => jsonEvent({ type: "Foreign", data: {}, metadata: { hash: "" } })
      const binary = () => binaryEvent({ type: "Binary", data: new Uint8Array([1, 2]) })
      const link = (index: number) => binaryEvent({ type: "$>", data: Buffer.from(`${index}@${stream}`) })
      const append = (to: string, ...events: ReadonlyArray<EventData>) =>
        Effect.promise(() => operator.appendToStream(to, [...events]))
      const events = newEvents(20)
      for (const [index, event] of events.entries()) {
        yield* store.append(stream, index === 0 ? "noStream" : index - 1, [event])
        yield* append(`other-${stream}`, foreign(), binary(), link(index))
        yield* append(`$ce-${stream}`, link(index))
        yield* append(`$other-${stream}`, ...Array.from({ length: 150 }, foreign))
      }
      assert.deepEqual(yield* logBehind(store, start), ids(events))
      const last = (yield* store.readAll(start, 1_000)).at(-1)
      assert.strictEqual(yield* store.head, last?.position)
      assert.deepEqual(ids(yield* store.readAll(start, 7)), ids(events.slice(0, 7)))
      assert.deepEqual(yield* store.read(`other-${stream}`), [])
    })
  )
}
