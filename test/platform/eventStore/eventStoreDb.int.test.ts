import { once } from "node:events"
import { createServer } from "node:http2"
import { setImmediate } from "node:timers/promises"
import { assert, describe, it, vi } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Logger, Option, Schedule, Stream } from "effect"
import { AppendTooLarge, EventStoreUnavailable, WrongExpectedRevision } from "#src/platform/eventStore/EventStore.ts"
import { assertUnavailable, denied, unknownUser } from "#test/contracts/eventStoreDb/access.ts"
import { storeOf } from "#test/contracts/eventStoreDb/stores.ts"
import { assertSealed, ids, newEvent, newEvents, newStream } from "#test/contracts/eventStoreSamples.ts"
import { startEventStoreDbServer } from "#test/support/eventStoreDbServer/EventStoreDbServer.ts"
import { accessDenied, exhausted, leaderInfo, unauthenticated, unavailable } from "#test/support/eventStoreDbServer/messages.ts"

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

  it.live("lets the server send on while it works on what it has read", () =>
    Effect.gen(function* () {
      const server = createServer()
      const window = Promise.withResolvers<number | undefined>()
      server.on("session", (session) =>
        session.on("remoteSettings", ({ initialWindowSize }) => {
          window.resolve(initialWindowSize)
          session.destroy()
        })
      )
      yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      const address = server.address()
      const store = yield* storeOf(`esdb://127.0.0.1:${typeof address === "object" ? address?.port : address}?tls=false`)
      const reading = yield* Effect.forkChild(store.head)
      assert.strictEqual(yield* Effect.promise(() => window.promise), 4 * 1024 * 1024)
      yield* Fiber.interrupt(reading)
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

  it.live("says the limit of a server that refuses what many others share a call with", () =>
    Effect.gen(function* () {
      const { server, store } = yield* newStore
      server.behaviour.maxAppendBytes = 1_000
      const stream = newStream()
      const appends = Array.from({ length: 20 }, (_, index) => newEvent("x".repeat(index % 4 === 0 ? 1_000 : 10)))
      const limits = yield* Effect.forEach(
        appends,
        (event) =>
          store.append(stream, "any", [event]).pipe(
            Effect.as(undefined),
            Effect.catchTag("AppendTooLarge", ({ limit }) => Effect.succeed(limit))
          ),
        { concurrency: "unbounded" }
      )
      assert.deepEqual(
        limits,
        appends.map((_, index) => (index % 4 === 0 ? 1_000 : undefined))
      )
      assert.strictEqual((yield* store.read(stream)).length, 15)
    })
  )

  it.live("asks the server once for what it appends under ids of its own", () =>
    Effect.gen(function* () {
      const { server, store } = yield* newStore
      const own = { areNew: true }
      const stream = newStream()
      const first = yield* store.append(stream, "noStream", newEvents(2), own)
      const before = server.behaviour.reads
      const second = yield* store.append(stream, { revision: 1, hash: first.hash ?? "" }, newEvents(2), own)
      const third = yield* store.append(stream, second.revision, newEvents(1), own)
      yield* store.append(stream, "any", newEvents(1), own)
      assert.strictEqual(server.behaviour.reads, before)
      const events = yield* store.read(stream)
      assertSealed(events)
      assert.deepEqual(
        [first, second, third].map(({ hash }) => hash),
        [1, 3, 4].map((revision) => events[revision]?.hash)
      )
    })
  )

  it.live("seals nothing behind what it sent twice, of which the first may be what is stored", () =>
    Effect.gen(function* () {
      const { server, store } = yield* newStore
      const own = { areNew: true }
      const stream = newStream()
      const appends = [newEvents(1), newEvents(1), newEvents(1)] as const
      yield* store.append(stream, "noStream", appends[0], own)
      const { promise: released, resolve: release } = Promise.withResolvers<void>()
      server.behaviour.beforeNextAppend = () => {
        // The repeat arrives before the first one is stored, and is stored behind it.
        server.behaviour.beforeNextAppend = async () => {
          release()
          await setImmediate()
        }
        server.dropConnections()
        return released
      }
      const { hash, revision } = yield* store.append(stream, 0, appends[1], own)
      assert.deepEqual([revision, hash], [1, undefined])
      yield* store.append(stream, 1, appends[2], own)
      const events = yield* store.read(stream)
      assert.deepEqual(ids(events), ids(appends.flat()))
      assertSealed(events)
    })
  )

  it.live("stores an append once, and seals what follows, of which the server says that it took too long", () =>
    Effect.gen(function* () {
      const { server, store } = yield* newStore
      const stream = newStream()
      const appends = [newEvents(1), newEvents(2), newEvents(1)] as const
      yield* store.append(stream, "noStream", appends[0], { areNew: true })
      server.behaviour.saysTimeout = true
      const { hash, revision } = yield* store.append(stream, 0, appends[1], { areNew: true })
      yield* store.append(stream, { revision, hash: hash ?? "" }, appends[2], { areNew: true })
      const events = yield* store.read(stream)
      assert.deepEqual(ids(events), ids(appends.flat()))
      assertSealed(events)
    })
  )

  it.live("takes no limit of the connection for one of the append", () =>
    Effect.gen(function* () {
      const { server, store } = yield* newStore
      yield* store.append(newStream(), "noStream", newEvents(1))
      server.behaviour.beforeNextAppend = async () => {
        server.behaviour.refusal = exhausted
        setImmediate().then(() => {
          server.behaviour.refusal = undefined
        })
      }
      assert.strictEqual((yield* store.append(newStream(), "any", newEvents(1))).revision, 0)
    })
  )

  it.live("believes nothing of a server that comes back with another log", () =>
    Effect.gen(function* () {
      const [lost, restored] = [yield* startServer, yield* startServer]
      const stream = newStream()
      const store = yield* storeOf(lost.url)
      const own = { areNew: true }
      const known = yield* store.append(stream, "noStream", newEvents(1), own)
      yield* (yield* storeOf(restored.directUrl)).append(stream, "noStream", newEvents(1))
      lost.relay.redirect({ host: "127.0.0.1", port: Number(new URL(restored.directUrl).port) })
      lost.dropConnections()
      const refused = yield* Effect.flip(store.append(stream, { revision: 0, hash: known.hash ?? "" }, newEvents(1), own))
      assert.instanceOf(refused, WrongExpectedRevision)
      yield* store.append(stream, "any", newEvents(1), own)
      const events = yield* store.read(stream)
      assertSealed(events)
    })
  )

  it.live.each([
    ["its user is not known", unauthenticated, unknownUser],
    ["its user may not read and write", accessDenied, denied]
  ] as const)("says at once that %s, and goes on when that is mended", ([, refusal, message]) =>
    Effect.gen(function* () {
      const { server, store } = yield* newStore
      server.behaviour.refusal = refusal
      const lines: Array<unknown> = []
      const log = Logger.layer([Logger.make(({ message }) => lines.push(message))])
      yield* Effect.provide(
        assertUnavailable(store, (said) => said === message),
        log
      )
      assert.deepEqual(lines, [[message]])
      server.behaviour.refusal = undefined
      assert.strictEqual((yield* store.append(newStream(), "noStream", newEvents(1))).revision, 0)
    })
  )

  it.live("goes to the leader that a follower names", () =>
    Effect.gen(function* () {
      const [follower, leader] = [yield* startServer, yield* startServer]
      follower.behaviour.refusal = leaderInfo({ host: "127.0.0.1", port: leader.relay.port })
      const store = yield* storeOf(follower.url)
      const stream = newStream()
      const events = newEvents(2)
      yield* store.append(stream, "noStream", events)
      assert.deepEqual(ids(yield* (yield* storeOf(leader.url)).read(stream)), ids(events))
    })
  )

  it.live("finds the leader when the first node of its address is gone", () =>
    Effect.gen(function* () {
      const [gone, server] = [yield* startServer, yield* startServer]
      gone.stop()
      const store = yield* storeOf(
        `esdb+discover://127.0.0.1:${gone.relay.port},127.0.0.1:${server.relay.port}?tls=false&maxDiscoverAttempts=1`
      )
      assert.strictEqual((yield* store.append(newStream(), "noStream", newEvents(1))).revision, 0)
    })
  )

  it.live("survives calls that fail while nobody is found who leads", () =>
    Effect.gen(function* () {
      const server = yield* startServer
      const store = yield* storeOf(`${server.discoverUrl}&maxDiscoverAttempts=2&discoveryInterval=10`)
      yield* store.append(newStream(), "noStream", newEvents(1))
      server.kill()
      const before = server.relay.connections()
      const reading = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 20 }), () => Effect.exit(store.read(newStream())), { concurrency: "unbounded" })
      )
      // Who leads is asked again and again, each time for all calls that failed meanwhile.
      yield* Effect.repeat(Effect.sync(server.relay.connections), {
        until: (connections) => connections > before + 10,
        schedule: Schedule.spaced("5 millis")
      })
      yield* Effect.promise(server.start)
      assert.isTrue((yield* Fiber.join(reading)).every(Exit.isSuccess))
    })
  )

  it.live("survives a call that fails while another one looks in vain for who leads", () =>
    Effect.gen(function* () {
      const server = yield* startServer
      const store = yield* storeOf(`${server.discoverUrl}&maxDiscoverAttempts=2&discoveryInterval=10`)
      yield* store.append(newStream(), "noStream", newEvents(1))
      const [arrived, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      server.behaviour.beforeNextAppend = () => {
        Deferred.doneUnsafe(arrived, Effect.void)
        return Effect.runPromise(Deferred.await(released))
      }
      const appending = yield* Effect.forkChild(store.append(newStream(), "any", newEvents(1)))
      yield* Deferred.await(arrived)
      Object.assign(server.behaviour, { refusal: unavailable, knowsLeader: false })
      const { questions } = server.behaviour
      const reading = yield* Effect.forkChild(store.head)
      yield* Effect.repeat(
        Effect.sync(() => server.behaviour.questions),
        { until: (now) => now > questions, schedule: Schedule.spaced("1 millis") }
      )
      yield* Deferred.done(released, Exit.void)
      yield* Effect.repeat(
        Effect.sync(() => server.behaviour.questions),
        { until: (now) => now > questions + 4, schedule: Schedule.spaced("1 millis") }
      )
      Object.assign(server.behaviour, { refusal: undefined, knowsLeader: true })
      assert.strictEqual((yield* Fiber.join(appending)).revision, 0)
      assert.isAbove(yield* Fiber.join(reading), 0)
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
