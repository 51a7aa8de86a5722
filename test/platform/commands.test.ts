import { it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { describe, expect } from "vitest"
import type { Aggregate } from "#src/platform/Aggregate.ts"
import { alreadyCreated, alreadyHandled, handle, load } from "#src/platform/Commands.ts"
import { eventCodec } from "#src/platform/eventStore/codec.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { CurrentOrigin, type Origin } from "#src/platform/Origin.ts"

const CounterEvent = Schema.TaggedUnion({ Counted: { by: Schema.Int }, Closed: {} })
type CounterEvent = typeof CounterEvent.Type
type Command = { readonly _tag: "Count"; readonly by: number } | { readonly _tag: "Close" }

/** Counts; counting by 0 adds nothing, and a closed counter refuses. */
const counter: Aggregate<string, Command, number | "closed", CounterEvent, "Closed"> = {
  initial: 0,
  decide: (command, state) => {
    if (state === "closed") return Result.fail("Closed")
    if (command._tag === "Close") return Result.succeed([CounterEvent.cases.Closed.make({})])
    return Result.succeed(command.by === 0 ? [] : [CounterEvent.cases.Counted.make({ by: command.by })])
  },
  evolve: (state, event) => (event._tag === "Closed" || state === "closed" ? "closed" : state + event.by),
  codec: eventCodec(CounterEvent),
  stream: (name) => `counter-${name}`
}

const count = (by: number, commandId?: string) => handle(counter, "a", { _tag: "Count", by }, commandId)

describe("handling a command", () => {
  it.effect("appends what was decided and answers where it stands", () =>
    Effect.gen(function* () {
      expect(yield* count(2)).toEqual({ stream: "counter-a", events: [{ _tag: "Counted", by: 2 }], state: 2, position: 1 })
      expect(yield* count(3)).toEqual({ stream: "counter-a", events: [{ _tag: "Counted", by: 3 }], state: 5, position: 2 })
      expect((yield* load(counter, "a")).state).toBe(5)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("adds nothing when nothing is to do, and says where the stream stands", () =>
    Effect.gen(function* () {
      yield* count(2)
      expect(yield* count(0)).toEqual({ stream: "counter-a", events: [], state: 2, position: 1 })
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("adds nothing for a command id that was handled, whatever happened since", () =>
    Effect.gen(function* () {
      yield* count(2, "one")
      yield* count(3, "two")
      const first = { stream: "counter-a", events: [{ _tag: "Counted", by: 2 }], state: 5, position: 2 }
      expect(yield* count(2, "one")).toEqual(first)
      yield* handle(counter, "a", { _tag: "Close" })
      expect(yield* count(3, "two")).toMatchObject({ events: [{ by: 3 }], state: "closed", position: 3 })
      expect(yield* EventStore.use((store) => store.head)).toBe(3)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("tells what the first command of the request did before, whatever the aggregate is like now", () =>
    Effect.gen(function* () {
      const origin: Origin = { ...(yield* CurrentOrigin), firstCommandId: (stream) => `1 of ${stream}`, keptId: () => 7 }
      const numbered = { ...counter, stream: (id: number) => `counter-${id}` }
      const asked = Effect.provideService(
        Effect.all([alreadyHandled(counter, "a"), alreadyCreated(numbered)]),
        CurrentOrigin,
        origin
      )
      expect(yield* asked).toEqual([undefined, undefined])
      yield* count(2, "1 of counter-a")
      yield* handle(numbered, 7, { _tag: "Close" }, "1 of counter-7")
      yield* count(3)
      expect(yield* asked).toEqual([
        { stream: "counter-a", events: [{ _tag: "Counted", by: 2 }], state: 5, position: 3 },
        { stream: "counter-7", events: [{ _tag: "Closed" }], state: "closed", position: 2, id: 7 }
      ])
      expect(yield* alreadyHandled(counter, "a")).toBe(undefined)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("fails with the refusal and appends nothing", () =>
    Effect.gen(function* () {
      yield* handle(counter, "a", { _tag: "Close" })
      expect(yield* Effect.flip(count(1))).toBe("Closed")
      expect(yield* EventStore.use((store) => store.head)).toBe(1)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("decides again when another writer was faster: no count is lost", () =>
    Effect.gen(function* () {
      yield* Effect.all(
        Array.from({ length: 10 }, () => count(1)),
        { concurrency: "unbounded" }
      )
      expect((yield* load(counter, "a")).state).toBe(10)
    }).pipe(Effect.provide(layerMemory))
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
      const told: Array<unknown> = []
      const origin: Origin = {
        actor: "user:7",
        onBehalfOf: "user:1",
        correlationId: "request-1",
        requestId: "request-1",
        idempotencyKey: "key",
        nextCommandId: (stream) => `derived for ${stream}`,
        onAppended: (...appended) => told.push(appended)
      }
      yield* Effect.provideService(count(1), CurrentOrigin, origin)
      expect(told).toEqual([[1, "counter-a"]])
      const [event] = yield* EventStore.use((store) => store.read("counter-a"))
      expect(event?.metadata).toEqual({
        actor: "user:7",
        onBehalfOf: "user:1",
        correlationId: "request-1",
        requestId: "request-1",
        idempotencyKey: "key",
        commandId: "derived for counter-a"
      })
    }).pipe(Effect.provide(layerMemory))
  )
})
