import { assert, type Vitest } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { EventStore, type NewEvent, type Position, type RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { authored, ids, newEvent, newEvents, newStream } from "./eventStoreSamples.ts"

interface Heard {
  readonly events: ReadonlyArray<RecordedEvent>
  /** How many events had come when `CaughtUp` came, for each time that it came. */
  readonly caughtUp: ReadonlyArray<number>
}

/** Listens until `count` events have come and the subscription has caught up. `on` runs after each batch. */
export const listen = (after: Position, count: number, on: (heard: number) => Effect.Effect<void> = () => Effect.void) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const events: Array<RecordedEvent> = []
    const caughtUp: Array<number> = []
    yield* store.subscribe(after).pipe(
      Stream.tap((item) => {
        if (item._tag === "CaughtUp") caughtUp.push(events.length)
        else events.push(...item.events)
        return on(events.length)
      }),
      Stream.takeUntil(() => events.length >= count && caughtUp.length > 0),
      Stream.runDrain
    )
    return { events, caughtUp } satisfies Heard
  })

const write = (appends: number, eventsEach: number) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const stream = newStream()
    for (let revision = -1; revision < appends * eventsEach - 1; revision += eventsEach) {
      yield* store.append(stream, revision === -1 ? "noStream" : revision, newEvents(eventsEach))
    }
  })

const writers = (count: number, appends: number, eventsEach: number) =>
  Effect.all(
    Array.from({ length: count }, () => write(appends, eventsEach)),
    { concurrency: "unbounded", discard: true }
  )

/** The log behind `after` has `count` events, which were heard in its order, each once. */
export const assertSameAsLog = (heard: Heard, after: Position, count: number) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const log = yield* store.readAll(after, count + 1)
    assert.strictEqual(log.length, count)
    assert.strictEqual(new Set(ids(log)).size, count)
    assert.deepEqual(ids(heard.events), ids(log))
    assert.isTrue(log.every(({ position }, index) => position > (log[index - 1]?.position ?? after)))
    assert.deepEqual(heard.events.at(-1), log.at(-1))
  })

export const subscriptionContract = (
  it: Vitest.MethodsNonLive<EventStore>,
  dropConnections: Effect.Effect<void> | undefined
): void => {
  it.effect("has caught up at once when nothing is behind the position", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      yield* store.append(newStream(), "noStream", newEvents(3))
      const heard = yield* listen(yield* store.head, 0)
      assert.deepEqual(heard, { events: [], caughtUp: [0] })
    })
  )

  it.effect("yields what is behind the position, then CaughtUp, then what is appended", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const [before, past, live] = [newEvents(2), newEvents(5), newEvents(3)]
      const { position } = yield* store.append(newStream(), "noStream", before)
      yield* store.append(newStream(), "noStream", past)
      const append = Effect.orDie(Effect.asVoid(store.append(newStream(), "noStream", live)))
      let appended = false
      const heard = yield* listen(position, 8, (count) => {
        if (count < 5 || appended) return Effect.void
        appended = true
        return append
      })
      assert.deepEqual(ids(heard.events), ids([...past, ...live]))
      assert.strictEqual(heard.caughtUp.length, 1)
    })
  )

  it.effect("misses nothing of the types that are asked for, and tells how far it is", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const start = yield* store.head
      const events = Array.from({ length: 2_500 }, (_, index) => newEvent({ index }, index % 700 === 5 ? "Wanted" : "Other"))
      const { position } = yield* store.append(newStream(), "noStream", events)
      const heard: Array<RecordedEvent> = []
      yield* store.subscribe(start, new Set(["Wanted"])).pipe(
        Stream.takeUntil((item) => item._tag === "CaughtUp"),
        Stream.runForEach((item) => Effect.sync(() => item._tag === "Events" && heard.push(...item.events)))
      )
      const wanted = ({ type }: NewEvent) => type === "Wanted"
      assert.deepEqual(heard.filter(wanted).map(authored), events.filter(wanted))
      assert.strictEqual(heard.at(-1)?.position, position)
    })
  )

  it.effect("misses and repeats nothing while 8 writers append 10,000 events", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const start = yield* store.head
      yield* writers(8, 10, 25)
      const listening = yield* Effect.forkChild(listen(start, 10_000))
      yield* writers(8, 40, 25)
      const heard = yield* Fiber.join(listening)
      yield* assertSameAsLog(heard, start, 10_000)
      assert.strictEqual(heard.caughtUp.length, 1)
      assert.isAtLeast(heard.caughtUp[0] ?? 0, 2_000)
    })
  )

  if (dropConnections !== undefined) {
    it.effect("goes on where it was after connections drop, and so do the writers", () =>
      Effect.gen(function* () {
        const store = yield* EventStore
        const start = yield* store.head
        yield* writers(4, 25, 2)
        let drops = 0
        const dropSometimes = (count: number) =>
          Effect.suspend(() => {
            if (count < (drops + 1) * 150) return Effect.void
            drops += 1
            return dropConnections
          })
        const writing = yield* Effect.forkChild(writers(4, 100, 2))
        const heard = yield* listen(start, 1_000, dropSometimes)
        yield* Fiber.join(writing)
        yield* assertSameAsLog(heard, start, 1_000)
        assert.strictEqual(heard.caughtUp.length, 1)
        assert.isAtLeast(drops, 2)
      })
    )
  }
}
