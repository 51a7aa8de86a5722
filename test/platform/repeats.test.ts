import { it } from "@effect/vitest"
import { Effect, Exit, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { handle, load, record } from "#src/platform/Commands.ts"
import { CurrentRun, outsideRun, type RequestRun } from "#src/platform/CurrentRun.ts"
import { eventCodec } from "#src/platform/eventStore/codec.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { changes, changesFound, creates, makes } from "#src/platform/repeats.ts"
import { counter } from "./counter.ts"

const numbered = { ...counter, stream: (id: number) => `counter-${id}` }
const count = (id: number, by: number) => handle(numbered, id, { _tag: "Count", by })
const close = (id: number) => handle(numbered, id, { _tag: "Close" })

/** Runs of one request, one after the other. */
const newRequest = () => {
  const numbers: Array<number> = []
  let runs = 0
  const nextRun = (): RequestRun => {
    const commands = new Map<string, number>()
    let taken = 0
    return {
      isRepeat: runs++ > 0,
      firstCommandId: (stream) => `${stream}/0`,
      nextCommandId: (stream) => {
        const index = commands.get(stream) ?? 0
        commands.set(stream, index + 1)
        return `${stream}/${index}`
      },
      remembered: () => numbers[taken],
      remember: (fresh) => {
        const known = numbers[taken++]
        return known === undefined
          ? Effect.tap(fresh, (number) => Effect.sync(() => numbers.push(number)))
          : Effect.succeed(known)
      }
    }
  }
  return <A, E, R>(write: Effect.Effect<A, E, R>) => Effect.suspend(() => Effect.provideService(write, CurrentRun, nextRun()))
}

let ids = 100
/** As `nextId` of a kind. */
const takeId = Effect.flatMap(CurrentRun, (run) => {
  const fresh = Effect.sync(() => ids++)
  return run === undefined ? fresh : run.remember(fresh)
})

/** The log, and a process that dies once it has appended so often, or is about to append again. */
class Killed extends Schema.TaggedError<Killed>()("Killed", {}) {}
const killedAfter = (appends: number, isBefore: boolean) =>
  Layer.effect(
    EventStore,
    Effect.gen(function* () {
      const store = yield* EventStore
      let left = appends
      const kill = Effect.suspend(() => Effect.die(new Killed()))
      return EventStore.of({
        ...store,
        append: (...order) => {
          if (left-- > 0) return store.append(...order)
          if (left < -1) return kill
          return isBefore ? kill : Effect.andThen(store.append(...order), kill)
        }
      })
    })
  )

const commentCodec = eventCodec(Schema.TaggedUnion({ Said: { what: Schema.String } }))

/** A request that creates something and writes to two more streams, once to one of them twice. */
const creation = Effect.gen(function* () {
  const created = yield* creates(
    numbered,
    Effect.gen(function* () {
      const id = yield* takeId
      return { ...(yield* count(id, 1)), id }
    })
  )
  yield* count(1, 5)
  yield* count(1, 5)
  yield* record(commentCodec, "comments", [{ _tag: "Said", what: "done" } as const], { once: true })
  return created.id
})

const change = Effect.gen(function* () {
  const { id } = yield* changesFound(
    numbered,
    Effect.map(load(numbered, 1), ({ state }) => ({ id: 1, state })),
    ({ state }) => (state === "closed" ? Effect.die("judged again") : close(1))
  )
  yield* changes(
    numbered,
    2,
    Effect.flatMap(load(numbered, 2), ({ state }) => (state === 0 ? count(2, 1) : Effect.die("judged again")))
  )
  yield* count(3, 1)
  return id
})

describe.each([
  ["of a creation", creation, 4],
  ["of changes that take away what they need", change, 3]
] as const)("the repeat %s", (_, write, appends) => {
  const kills = Array.from({ length: appends }, (_, appended) =>
    [true, false].map((isBefore) => [appended, isBefore] as const)
  ).flat()

  it.effect.each(kills)(
    "adds what is missing, and nothing twice, when the first run was killed at append %i (before it: %s)",
    ([appended, isBefore]) =>
      Effect.gen(function* () {
        const run = newRequest()
        const killed = yield* Effect.exit(Effect.provide(run(write), killedAfter(appended, isBefore)))
        expect(Exit.isFailure(killed)).toBe(true)
        const repeated = yield* run(write)
        const log = (yield* EventStore.use((store) => store.readAll(0, 100))).map(({ data, metadata, stream, type }) => [
          stream.replace(String(repeated), "own"),
          type,
          data,
          metadata.commandId.replace(String(repeated), "own")
        ])
        expect(log).toHaveLength(appends)
        expect(new Set(log.map(([, , , id]) => id)).size).toBe(appends)
        expect(yield* run(write)).toBe(repeated)
        expect((yield* EventStore.use((store) => store.readAll(0, 100))).length).toBe(appends)
      }).pipe(Effect.provide(layerMemory))
  )
})

describe("an earlier result", () => {
  it.effect("is what the first command did, whatever the aggregate is like now", () =>
    Effect.gen(function* () {
      const run = newRequest()
      const write = changes(numbered, 1, count(1, 2))
      const first = yield* run(write)
      yield* count(1, 3)
      const earlier = { stream: "counter-1", events: [{ _tag: "Counted", by: 2 }], state: 5, revision: 1, position: 2 }
      expect([first, yield* run(write)]).toEqual([{ ...earlier, state: 2, revision: 0, position: 1 }, earlier])
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("is not looked for in a first run, nor outside requests", () =>
    Effect.gen(function* () {
      yield* count(1, 2)
      expect(yield* changes(numbered, 1, Effect.succeed("made"))).toBe("made")
      expect(yield* newRequest()(changes(numbered, 1, Effect.succeed("made")))).toBe("made")
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("is found by a run that does not know that it was taken for dead and repeated", () =>
    Effect.gen(function* () {
      const run: RequestRun = {
        isRepeat: false,
        firstCommandId: (stream) => stream,
        nextCommandId: (stream) => stream,
        remember: (fresh) => fresh,
        remembered: () => undefined
      }
      const twice = (write: Effect.Effect<unknown, unknown, EventStore>) =>
        Effect.provideService(Effect.all([write, write]), CurrentRun, run)
      const counted = { stream: "counter-1", events: [{ _tag: "Counted", by: 2 }], state: 2, revision: 0, position: 1 }
      const closed = { stream: "counter-2", events: [{ _tag: "Closed" }], state: "closed", revision: 0, position: 2 }
      expect(yield* twice(count(1, 2))).toEqual([counted, counted])
      expect(yield* twice(close(2))).toEqual([closed, closed])
      expect(yield* EventStore.use((store) => store.head)).toBe(2)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("is none of what the request did outside itself", () =>
    Effect.gen(function* () {
      const run = newRequest()
      const write = outsideRun(changes(numbered, 1, count(1, 2)))
      yield* run(write)
      expect((yield* run(write)).state).toBe(4)
    }).pipe(Effect.provide(layerMemory))
  )
})

describe("what is made outside the log", () => {
  it.effect("has the same time in each run, and is looked for once that was kept", () =>
    Effect.gen(function* () {
      const run = newRequest()
      const made: Array<number> = []
      const write = (dies: boolean) =>
        makes(
          (time) => Effect.sync(() => made.find((one) => one === time)),
          Effect.fnUntraced(function* (time) {
            const at = yield* time
            if (dies) return yield* Effect.die(new Killed())
            made.push(at, yield* time)
            return at
          })
        )
      yield* TestClock.adjust("7 seconds")
      expect(Exit.isFailure(yield* Effect.exit(run(write(true))))).toBe(true)
      yield* TestClock.adjust("7 seconds")
      expect([yield* run(write(false)), yield* run(write(false)), made]).toEqual([7, 7, [7, 7]])
      expect(yield* write(false)).toBe(14)
    })
  )
})
