import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { Contended, handle, load } from "#src/platform/Commands.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { CurrentOrigin, OnAppended, type Origin } from "#src/platform/Origin.ts"
import { count, countElsewhere, counted, counter } from "./counter.ts"

/** A store whose appends say that they have begun, and then wait. */
const slowStore = Effect.gen(function* () {
  const [appending, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const store = yield* EventStore
  const slow = EventStore.of({
    ...store,
    append: (...order) =>
      Deferred.succeed(appending, undefined).pipe(Effect.andThen(Deferred.await(goOn)), Effect.andThen(store.append(...order)))
  })
  return { appending, goOn, slow }
})

describe("handling a command", () => {
  it.effect("appends what was decided and answers where it stands", () =>
    Effect.gen(function* () {
      expect(yield* count(2)).toEqual(counted(2, 2, 0))
      expect(yield* count(3)).toEqual(counted(3, 5, 1))
      expect((yield* load(counter, "a")).state).toBe(5)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("adds nothing when nothing is to do, and says where the stream stands", () =>
    Effect.gen(function* () {
      yield* count(2)
      expect(yield* count(0)).toEqual(counted(0, 2, 0))
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("adds nothing for a command id that was handled, whatever happened since", () =>
    Effect.gen(function* () {
      yield* count(2, "one")
      yield* count(3, "two")
      const first = counted(2, 5, 1)
      expect(yield* count(2, "one")).toEqual(first)
      yield* handle(counter, "a", { _tag: "Close" })
      expect(yield* count(3, "two")).toMatchObject({ events: [{ by: 3 }], state: "closed", position: 3 })
      expect(yield* EventStore.use((store) => store.head)).toBe(3)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("fails with the refusal and appends nothing", () =>
    Effect.gen(function* () {
      yield* handle(counter, "a", { _tag: "Close" })
      expect(yield* Effect.flip(count(1))).toBe("Closed")
      expect(yield* EventStore.use((store) => store.head)).toBe(1)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("lets commands to one stream take turns, in the order in which they came", () =>
    Effect.gen(function* () {
      const numbers = Array.from({ length: 64 }, (_, index) => index + 1)
      yield* Effect.forEach(numbers, (by) => count(by), { concurrency: "unbounded" })
      const events = yield* EventStore.use((store) => store.read("counter-a"))
      expect(events.map(({ data }) => data)).toEqual(numbers.map((by) => ({ by })))
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("a command that is interrupted while it waits, or while it appends, holds nobody up", () =>
    Effect.gen(function* () {
      const { appending, slow } = yield* slowStore
      const first = yield* Effect.forkChild(Effect.provideService(count(1), EventStore, slow))
      yield* Deferred.await(appending)
      const second = yield* Effect.forkChild(count(2))
      const third = yield* Effect.forkChild(count(4))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(second)
      yield* Fiber.interrupt(first)
      expect(yield* Fiber.join(third)).toMatchObject({ state: 4, position: 1 })
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("is given up when its turn comes too late", () =>
    Effect.gen(function* () {
      const { appending, goOn, slow } = yield* slowStore
      const first = yield* Effect.forkChild(Effect.provideService(count(1), EventStore, slow))
      yield* Deferred.await(appending)
      const second = yield* Effect.forkChild(Effect.catchDefect(count(2), Effect.succeed))
      yield* TestClock.adjust("29 seconds")
      const third = yield* Effect.forkChild(count(4))
      yield* TestClock.adjust("2 seconds")
      yield* Deferred.succeed(goOn, undefined)
      expect([yield* Fiber.join(first), yield* Fiber.join(second), yield* Fiber.join(third)]).toEqual([
        expect.objectContaining({ state: 1 }),
        new Contended({ stream: "counter-a" }),
        expect.objectContaining({ state: 5 })
      ])
    }).pipe(Effect.provide(layerMemory))
  )

  /** A log in which another process is faster, as often as said. */
  const overtaken = (times: number) =>
    Layer.effect(
      EventStore,
      Effect.gen(function* () {
        const store = yield* EventStore
        let left = times
        return EventStore.of({
          ...store,
          append: (...order) =>
            Effect.suspend(() => (left-- > 0 ? Effect.provideService(countElsewhere(1), EventStore, store) : Effect.void)).pipe(
              Effect.andThen(store.append(...order))
            )
        })
      })
    ).pipe(Layer.provide(layerMemory))

  it.live("decides again, at once and then after growing pauses, when another process was faster", () =>
    Effect.gen(function* () {
      expect(yield* count(100)).toMatchObject({ state: 106, events: [{ by: 100 }] })
    }).pipe(Effect.provide(overtaken(6)))
  )

  it.effect("gives up after ten seconds of it", () =>
    Effect.gen(function* () {
      const counted = yield* Effect.forkChild(Effect.catchDefect(count(1), Effect.succeed))
      let waited = 0
      for (; counted.pollUnsafe() === undefined && waited < 20_000; waited += 100) yield* TestClock.adjust("100 millis")
      expect(waited).toBeGreaterThan(9_900)
      expect(waited).toBeLessThan(11_000)
      expect(yield* Fiber.join(counted)).toEqual(new Contended({ stream: "counter-a" }))
    }).pipe(Effect.provide(overtaken(Number.POSITIVE_INFINITY)))
  )

  it.effect("a command that is sent many times at once is handled once", () =>
    Effect.gen(function* () {
      yield* Effect.all(
        Array.from({ length: 10 }, () => count(1, "same")),
        { concurrency: "unbounded" }
      )
      expect((yield* load(counter, "a")).state).toBe(1)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("writes down who caused it, and tells the request its position", () =>
    Effect.gen(function* () {
      const told: Array<number> = []
      const origin: Origin = {
        actor: "user:7",
        onBehalfOf: "user:1",
        correlationId: "request-1",
        requestId: "request-1",
        idempotencyKey: "key"
      }
      yield* count(1, "one").pipe(
        Effect.provideService(CurrentOrigin, origin),
        Effect.provideService(OnAppended, (position) => told.push(position))
      )
      expect(told).toEqual([1])
      const [event] = yield* EventStore.use((store) => store.read("counter-a"))
      expect(event?.metadata).toEqual({
        actor: "user:7",
        onBehalfOf: "user:1",
        correlationId: "request-1",
        requestId: "request-1",
        idempotencyKey: "key",
        commandId: "one"
      })
    }).pipe(Effect.provide(layerMemory))
  )
})
