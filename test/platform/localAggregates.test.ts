import { it } from "@effect/vitest"
import { Context, Effect, Layer, Result, Schema } from "effect"
import { describe, expect } from "vitest"
import type { Aggregate } from "#src/platform/Aggregate.ts"
import { handle, load } from "#src/platform/Commands.ts"
import { eventCodec } from "#src/platform/eventStore/codec.ts"
import { EventStore, type ReadOptions } from "#src/platform/eventStore/EventStore.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { LocalAggregates, makeLocalAggregates } from "#src/platform/LocalAggregates.ts"
import { count, countElsewhere, counted, counter } from "./counter.ts"

const Texted = Schema.TaggedUnion({ Texted: { text: Schema.String } })

/** Counts texts. */
const longTexts: Aggregate<string, { readonly text: string }, number, typeof Texted.Type, never> = {
  initial: 0,
  decide: ({ text }) => Result.succeed([Texted.cases.Texted.make({ text })]),
  evolve: (state) => state + 1,
  codec: eventCodec(Texted),
  stream: (name) => `texts-${name}`
}

class Reads extends Context.Service<Reads, Array<readonly [string, ReadOptions | undefined]>>()("chronoforge/test/Reads") {}

/** A log that notes what is read of it. */
const noted = Layer.effectContext(
  Effect.gen(function* () {
    const store = yield* EventStore
    const reads: Array<readonly [string, ReadOptions | undefined]> = []
    const read: typeof store.read = (stream, options) => {
      reads.push([stream, options])
      return store.read(stream, options)
    }
    return Context.make(Reads, reads).pipe(Context.add(EventStore, { ...store, read }))
  })
).pipe(Layer.provide(layerMemory))

const limited = (maxStates: number, maxCharacters: number) =>
  Layer.sync(LocalAggregates, () => makeLocalAggregates({ maxStates, maxCharacters }))

const log = Layer.merge(noted, limited(10, 100_000))

/** What is read of the log while it is asked for the state. */
const readsOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const reads = yield* Reads
    const before = reads.length
    yield* effect
    return reads.slice(before)
  })

const behind = (name: string, revision: number) => [`counter-${name}`, { from: revision, limit: 50, knowsFirst: true }]
const whole = (name: string) => [`counter-${name}`, { from: 0, limit: 50, knowsFirst: false }]

describe("the state of an aggregate", () => {
  it.effect("is kept, so that only its last event and newer ones are read", () =>
    Effect.gen(function* () {
      yield* countElsewhere(1)
      expect(yield* load(counter, "a")).toEqual({ state: 1, revision: 0, position: 1 })
      expect(yield* readsOf(load(counter, "a"))).toEqual([behind("a", 0)])
      yield* countElsewhere(2)
      expect(yield* load(counter, "a")).toEqual({ state: 3, revision: 1, position: 2 })
      expect(yield* readsOf(load(counter, "a"))).toEqual([behind("a", 1)])
    }).pipe(Effect.provide(log))
  )

  it.effect("is kept with what this process appends, so that its next change reads nothing", () =>
    Effect.gen(function* () {
      expect(yield* readsOf(count(1))).toEqual([whole("a")])
      expect(yield* readsOf(count(2))).toEqual([])
      expect(yield* readsOf(count(4))).toEqual([])
      expect(yield* load(counter, "a")).toEqual({ state: 7, revision: 2, position: 3 })
    }).pipe(Effect.provide(log))
  )

  it.effect("is asked for before a command that changes nothing is answered", () =>
    Effect.gen(function* () {
      yield* count(1)
      expect(yield* readsOf(count(0))).toEqual([behind("a", 0)])
      yield* handle(counter, "a", { _tag: "Close" })
      expect(yield* readsOf(Effect.flip(count(1)))).toEqual([behind("a", 1)])
    }).pipe(Effect.provide(log))
  )

  it.effect("is not what decides once another process appended", () =>
    Effect.gen(function* () {
      yield* count(1)
      yield* countElsewhere(10)
      expect(yield* readsOf(count(2))).toEqual([behind("a", 0)])
      expect(yield* count(0)).toEqual(counted(0, 13, 2))
    }).pipe(Effect.provide(log))
  )

  it.effect("follows what other processes append", () =>
    Effect.gen(function* () {
      yield* count(1)
      yield* load(counter, "a")
      for (let times = 0; times < 3; times++) yield* countElsewhere(10)
      expect(yield* load(counter, "a")).toEqual({ state: 31, revision: 3, position: 4 })
      yield* countElsewhere(10)
      expect(yield* count(2)).toEqual(counted(2, 43, 5))
    }).pipe(Effect.provide(log))
  )

  it.effect("follows however much other processes append", () =>
    Effect.gen(function* () {
      yield* count(1)
      yield* load(counter, "a")
      for (let times = 0; times < 120; times++) yield* countElsewhere(1)
      expect(yield* load(counter, "a")).toEqual({ state: 121, revision: 120, position: 121 })
      expect(yield* readsOf(load(counter, "a"))).toEqual([behind("a", 120)])
    }).pipe(Effect.provide(log))
  )

  it.effect("is read in pieces: of small events many at a time, of large ones few", () =>
    Effect.gen(function* () {
      for (let times = 0; times < 120; times++) yield* countElsewhere(1)
      expect(yield* readsOf(load(counter, "a"))).toEqual([
        whole("a"),
        ["counter-a", { from: 49, limit: 5_000, knowsFirst: true }]
      ])
      const text = "a".repeat(1024 * 1024)
      for (let times = 0; times < 60; times++) yield* handle(longTexts, "b", { text }, { commandId: `${times}` })
      const read = yield* Effect.provide(readsOf(load(longTexts, "b")), limited(1, 1_000))
      expect(read.map(([, options]) => [options?.from, options?.limit])).toEqual([
        [0, 50],
        [49, 3],
        [51, 3],
        [53, 3],
        [55, 3],
        [57, 3],
        [59, 3]
      ])
      expect(yield* Effect.provide(load(longTexts, "b"), limited(1, 1_000))).toMatchObject({ state: 60, revision: 59 })
    }).pipe(Effect.provide(log))
  )

  it.effect("is read once for all who miss it at the same time", () =>
    Effect.gen(function* () {
      for (let times = 0; times < 3; times++) yield* countElsewhere(1)
      const all = Effect.forEach([1, 2, 3, 4], () => load(counter, "a"), { concurrency: "unbounded" })
      expect(yield* readsOf(all)).toEqual([whole("a"), behind("a", 2), behind("a", 2), behind("a", 2)])
    }).pipe(Effect.provide(log))
  )

  const other = (counts: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      for (const by of counts) yield* countElsewhere(by)
      const loaded = yield* load(counter, "a")
      return [loaded, (yield* count(1)).state]
    }).pipe(Effect.provide(Layer.fresh(layerMemory)))

  it.effect("is that of the log as it is, also after a restore: shorter, as long, longer, empty", () =>
    Effect.gen(function* () {
      for (let times = 0; times < 3; times++) yield* count(1)
      yield* load(counter, "a")
      expect(yield* other([5])).toEqual([{ state: 5, revision: 0, position: 1 }, 6])
      yield* load(counter, "a")
      expect(yield* other([5, 5, 5])).toEqual([{ state: 15, revision: 2, position: 3 }, 16])
      yield* load(counter, "a")
      expect(yield* other([5, 5, 5, 5, 5])).toEqual([{ state: 25, revision: 4, position: 5 }, 26])
      expect(yield* load(counter, "a")).toEqual({ state: 3, revision: 2, position: 3 })
      expect(yield* other([])).toEqual([{ state: 0, revision: -1, position: 0 }, 1])
    }).pipe(Effect.provide(log))
  )

  const changedAfter = (counts: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      for (const by of counts) yield* countElsewhere(by)
      return (yield* count(1)).state
    }).pipe(Effect.provide(Layer.fresh(layerMemory)))

  it.effect("decides on the log as it is, when the first thing after a restore is a change", () =>
    Effect.gen(function* () {
      for (let times = 0; times < 3; times++) yield* count(1)
      expect(yield* changedAfter([5])).toBe(6)
      expect(yield* changedAfter([5, 5, 5])).toBe(16)
      expect(yield* changedAfter([5, 5, 5, 5, 5])).toBe(26)
      expect(yield* changedAfter([])).toBe(1)
      expect((yield* count(1)).state).toBe(4)
    }).pipe(Effect.provide(log))
  )

  it.effect("is not taken for that of another kind of aggregate on the same stream", () =>
    Effect.gen(function* () {
      const doubled = { ...counter, initial: 0, evolve: (state: number | "closed") => (state === "closed" ? state : state + 2) }
      yield* count(5)
      expect((yield* load(counter, "a")).state).toBe(5)
      expect((yield* load(doubled, "a")).state).toBe(2)
      expect((yield* load(counter, "a")).state).toBe(5)
    }).pipe(Effect.provide(log))
  )

  const add = (name: string, times: number) =>
    Effect.forEach(Array.from({ length: times }), () => handle(counter, name, { _tag: "Count", by: 1 }), { discard: true })

  it.effect("is forgotten when others were used since, as many as are kept", () =>
    Effect.gen(function* () {
      for (const name of ["a", "b", "c"]) yield* Effect.andThen(add(name, 1), load(counter, name))
      expect(yield* readsOf(load(counter, "b"))).toEqual([behind("b", 0)])
      expect(yield* readsOf(load(counter, "a"))).toEqual([whole("a")])
      expect(yield* readsOf(load(counter, "c"))).toEqual([whole("c")])
    }).pipe(Effect.provide(Layer.merge(noted, limited(2, 100_000))))
  )

  const texts = {
    ...counter,
    initial: "",
    decide: () => Result.succeed([]),
    evolve: (state: string) => `${state}${"x".repeat(100)}`
  }
  const text = (name: string) => load(texts, name)

  it.effect("is forgotten when states are large, however many events they had", () =>
    Effect.gen(function* () {
      yield* add("long", 20)
      yield* add("short", 1)
      yield* Effect.andThen(text("long"), text("short"))
      // 2,000 characters and 100, with what each costs besides.
      expect(yield* readsOf(text("long"))).toEqual([behind("long", 19)])
      yield* add("long", 20)
      yield* Effect.andThen(text("long"), text("short"))
      expect(yield* readsOf(text("long"))).toEqual([whole("long")])
    }).pipe(Effect.provide(Layer.merge(noted, limited(100, 4_000))))
  )
})
