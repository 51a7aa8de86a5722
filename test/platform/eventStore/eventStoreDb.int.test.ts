import { afterAll, assert, describe, it, vi } from "@effect/vitest"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Layer, Option, Redacted, Stream } from "effect"
import { AppendTooLarge, EventStore, EventStoreUnavailable } from "#src/platform/eventStore/EventStore.ts"
import { maxAppendBytes } from "#src/platform/eventStore/eventStoreDb/append.ts"
import { layerEventStoreDb } from "#src/platform/eventStore/eventStoreDb/eventStoreDb.ts"
import { eventStoreContract } from "#test/contracts/eventStoreContract.ts"
import { ids, newEvent, newEvents, newStream } from "#test/contracts/eventStoreSamples.ts"
import { startEventStoreDbServer } from "#test/support/eventStoreDbServer/EventStoreDbServer.ts"
import { reachRealServer } from "#test/support/eventStoreDbServer/realServer.ts"

const storeAt = (url: string) => layerEventStoreDb(Redacted.make(url))

const server = await startEventStoreDbServer()
afterAll(server.stop)

eventStoreContract("event store in EventStoreDB", storeAt(server.url), {
  otherProcess: storeAt(server.discoverUrl),
  dropConnections: Effect.sync(server.dropConnections),
  maxAppendBytes
})

const real = await reachRealServer(process.env.EVENTSTORE_URL)
if (real !== undefined) {
  afterAll(real.stop)
  eventStoreContract("event store in the EventStoreDB of EVENTSTORE_URL", storeAt(real.url), {
    otherProcess: storeAt(real.url),
    ...(real.dropConnections && { dropConnections: Effect.sync(real.dropConnections) }),
    maxAppendBytes
  })
}

const storeOf = (url: string) => Effect.map(Layer.build(storeAt(url)), (context) => Context.get(context, EventStore))

const startServer = Effect.acquireRelease(Effect.promise(startEventStoreDbServer), ({ stop }) => Effect.sync(stop))

/** A server of its own and a store on it. */
const newStore = Effect.gen(function* () {
  const server = yield* startServer
  return { server, store: yield* storeOf(server.url) }
})

const foreign = (id: string) => ({
  id,
  type: "Foreign",
  contentType: "application/octet-stream",
  data: new Uint8Array([1, 2]),
  metadata: new Uint8Array()
})

describe("EventStoreDB adapter", () => {
  it.live("begins with an empty log", () =>
    Effect.gen(function* () {
      const { store } = yield* newStore
      assert.strictEqual(yield* store.head, 0)
      assert.deepEqual(yield* store.readAll(0, 10), [])
    })
  )

  it.live("stores an append once whose answer was lost", () =>
    Effect.gen(function* () {
      const { server, store } = yield* newStore
      const stream = newStream()
      const stored = [newEvents(2), newEvents(2), newEvents(2)] as const
      for (const [index, expected] of (["noStream", 1, "any"] as const).entries()) {
        server.behaviour.insteadOfNextAnswer = server.dropConnections
        assert.strictEqual((yield* store.append(stream, expected, stored[index] ?? [])).revision, index * 2 + 1)
        assert.isUndefined(server.behaviour.insteadOfNextAnswer)
      }
      assert.deepEqual(ids(yield* store.read(stream)), ids(stored.flat()))
    })
  )

  it.live("lets no append overtake another one with a later time", () =>
    Effect.gen(function* () {
      const { server, store } = yield* newStore
      const [arrived, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      server.behaviour.beforeNextAppend = () => {
        Deferred.doneUnsafe(arrived, Effect.void)
        return Effect.runPromise(Deferred.await(released))
      }
      const slow = yield* Effect.forkChild(store.append(newStream(), "noStream", newEvents(1)))
      yield* Deferred.await(arrived)
      const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 1_000)
      const later = yield* Effect.forkChild(store.append(newStream(), "noStream", newEvents(1)))
      const overtaken = yield* Effect.timeoutOption(Fiber.await(later), "200 millis")
      yield* Deferred.done(released, Exit.void)
      const answers = [yield* Fiber.join(slow), yield* Fiber.join(later)]
      clock.mockRestore()
      const log = yield* store.readAll(0, 10)
      assert.isTrue(Option.isNone(overtaken))
      assert.deepEqual(
        log.map(({ position }) => position),
        answers.map(({ position }) => position)
      )
      assert.isAtLeast((log[1]?.at ?? 0) - (log[0]?.at ?? 0), 900)
    })
  )

  it.live("passes over events of the server and of other programs", () =>
    Effect.gen(function* () {
      const { server, store } = yield* newStore
      const own = newEvents(12)
      for (const [index, event] of own.entries()) {
        yield* store.append(newStream(), "noStream", [event])
        server.log.append(`other-${index}`, "any", [foreign(crypto.randomUUID()), foreign(crypto.randomUUID())])
      }
      assert.isTrue(server.log.all().some(({ type }) => type.startsWith("$")))
      const log = yield* store.readAll(0, 100)
      assert.deepEqual(ids(log), ids(own))
      assert.deepEqual(yield* store.readAll(0, 5), log.slice(0, 5))
      assert.strictEqual(yield* store.head, log.at(-1)?.position)
      const items = yield* store.subscribe(0).pipe(
        Stream.takeUntil(({ _tag }) => _tag === "CaughtUp"),
        Stream.runCollect
      )
      assert.deepEqual(
        items.flatMap((item) => (item._tag === "Events" ? item.events : [])),
        log
      )
    })
  )

  it.live("notices by itself that it has caught up with an older server", () =>
    Effect.gen(function* () {
      const { server, store } = yield* newStore
      server.behaviour.saysCaughtUp = false
      const own = newEvents(3)
      yield* store.append(newStream(), "noStream", own)
      const items = yield* store.subscribe(0).pipe(
        Stream.takeUntil(({ _tag }) => _tag === "CaughtUp"),
        Stream.runCollect
      )
      assert.deepEqual(ids(items.flatMap((item) => (item._tag === "Events" ? item.events : []))), ids(own))
    })
  )

  it.live("says the limit of a server that takes less than 16 MiB", () =>
    Effect.gen(function* () {
      const { server, store } = yield* newStore
      server.behaviour.maxAppendBytes = 1_048_576
      const stream = newStream()
      const refused = yield* Effect.flip(store.append(stream, "noStream", [newEvent("x".repeat(1_048_576))]))
      assert.instanceOf(refused, AppendTooLarge)
      assert.strictEqual(
        refused.message,
        `An append of ${refused.bytes} bytes to ${stream} is over the event store's limit of 1048576 bytes`
      )
      assert.deepEqual(yield* store.read(stream), [])
    })
  )

  it.live("gives up after a while when nothing answers", () =>
    Effect.gen(function* () {
      const server = yield* startServer
      server.stop()
      const store = yield* storeOf(server.url)
      const calls = [store.append(newStream(), "noStream", newEvents(1)), store.read(newStream()), store.head] as const
      const exits = yield* Effect.all(
        calls.map((call) => Effect.exit<unknown, unknown, never>(call)),
        { concurrency: "unbounded" }
      )
      const defects = exits.map((exit) => Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof EventStoreUnavailable)
      assert.deepEqual(defects, [true, true, true])
    })
  )
})
