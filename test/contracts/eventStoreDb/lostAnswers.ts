import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Schedule } from "effect"
import type { EventStore } from "#src/platform/eventStore/EventStore.ts"
import type { LogServer, Relay } from "#test/support/eventStoreDbServer/LogServer.ts"
import { assertSealed, ids, newEvents, newStream } from "../eventStoreSamples.ts"
import { storeOf } from "./stores.ts"

type Store = EventStore["Service"]

const withDeadline = (url: string, millis: number) => `${url}${url.includes("?") ? "&" : "?"}defaultDeadline=${millis}`

/** Waits until the server has so many events of the stream. */
const stored = (store: Store, stream: string, count: number) =>
  Effect.repeat(store.read(stream), { until: (events) => events.length === count, schedule: Schedule.spaced("5 millis") })

/** Appends whose answer does not come, at the time at which it would have come. */
export const lostAnswersContract = (server: LogServer, relay: Relay): void => {
  /** Answers are kept back, until they are let through or the test ends. */
  const held = Effect.acquireRelease(Effect.sync(relay.hold), () => Effect.sync(relay.release))

  it.live("stores an append once whose connection was lost between the append and its answer", () =>
    Effect.gen(function* () {
      const [store, witness] = [yield* storeOf(server.url), yield* storeOf(server.directUrl)]
      const stream = newStream()
      const appends = [newEvents(2), newEvents(3)] as const
      // The first append of a process asks for the end of the log.
      yield* store.append(newStream(), "noStream", newEvents(1))
      for (const [index, expected] of (["noStream", 1] as const).entries()) {
        yield* store.read(stream)
        yield* held
        const appending = yield* Effect.forkChild(store.append(stream, expected, appends[index] ?? []))
        yield* stored(witness, stream, index === 0 ? 2 : 5)
        relay.drop()
        relay.release()
        const answer = yield* Fiber.join(appending)
        assert.deepEqual(answer, yield* witness.append(stream, expected, appends[index] ?? []))
      }
      assert.deepEqual(ids(yield* store.read(stream)), ids(appends.flat()))
    })
  )

  it.live("stores an append once whose answer came after its deadline", () =>
    Effect.gen(function* () {
      const store = yield* storeOf(withDeadline(server.url, 300))
      const witness = yield* storeOf(server.directUrl)
      const stream = newStream()
      const [first, second] = [newEvents(1), newEvents(2)]
      yield* store.append(stream, "noStream", first)
      yield* store.read(stream)
      yield* held
      const appending = yield* Effect.forkChild(Effect.exit(store.append(stream, 0, second)))
      yield* stored(witness, stream, 3)
      const waited = yield* Effect.timeoutOption(Fiber.await(appending), "700 millis")
      assert.isTrue(waited._tag === "None")
      relay.release()
      const answer = yield* Fiber.join(appending)
      assert.deepEqual(answer, Exit.succeed(yield* witness.append(stream, 0, second)))
      assert.deepEqual(ids(yield* store.read(stream)), ids([...first, ...second]))
    })
  )

  it.live("seals nothing behind what it sent itself and does not know to be stored", () =>
    Effect.gen(function* () {
      const [store, witness] = [yield* storeOf(server.url), yield* storeOf(server.directUrl)]
      const stream = newStream()
      const appends = [newEvents(1), newEvents(2), newEvents(1)] as const
      const own = { areNew: true }
      const first = yield* store.append(stream, "noStream", appends[0], own)
      yield* held
      const appending = yield* Effect.forkChild(store.append(stream, { revision: 0, hash: first.hash ?? "" }, appends[1], own))
      yield* stored(witness, stream, 3)
      relay.drop()
      relay.release()
      const { hash, revision } = yield* Fiber.join(appending)
      assert.deepEqual([revision, hash], [2, undefined])
      yield* store.append(stream, 2, appends[2], own)
      const events = yield* store.read(stream)
      assert.deepEqual(ids(events), ids(appends.flat()))
      assertSealed(events)
    })
  )
}
