import { it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { describe, expect } from "vitest"
import { eventCodec } from "#src/platform/eventStore/codec.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { CurrentOrigin, OnAppended } from "#src/platform/Origin.ts"
import { type Past, recordPast } from "#src/platform/recordPast.ts"

const Said = Schema.TaggedUnion({ Said: { text: Schema.String } })
const codec = eventCodec(Said)

const said = (text: string, at: number): Past<typeof Said.Type> => ({ event: Said.cases.Said.make({ text }), at, by: 7 })

const recorded = Effect.fnUntraced(function* (stream: string) {
  const events = yield* EventStore.use((store) => store.read(stream))
  return events.map(({ data, metadata, revision }) => [revision, data, metadata.actor, metadata.onBehalfOf, metadata.occurredAt])
})

const origin = { actor: "user:1", correlationId: "import" }

describe("recording the past", () => {
  it.effect("tells who did it, on whose behalf it is told, and when it happened", () =>
    Effect.gen(function* () {
      const position = yield* Effect.provideService(recordPast(codec, "a", [said("x", 5), said("y", 6)]), CurrentOrigin, origin)
      expect(position).toBe(2)
      expect(yield* recorded("a")).toEqual([
        [0, { text: "x" }, "user:7", "user:1", 5],
        [1, { text: "y" }, "user:7", "user:1", 6]
      ])
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("appends much in parts that any log takes, in its order, and says where it ends", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const counts: Array<number> = []
      const positions: Array<number> = []
      const counting = EventStore.of({
        ...store,
        append: (stream, expected, events) => {
          counts.push(events.length)
          return store.append(stream, expected, events)
        }
      })
      const long = "x".repeat(100 * 1024)
      const texts = [long, long, long, "short", "x".repeat(300 * 1024), "last"]
      const happened = texts.map((text, at) => said(text, at))
      yield* recordPast(codec, "b", happened).pipe(
        Effect.provideService(EventStore, counting),
        Effect.provideService(OnAppended, (position) => void positions.push(position))
      )
      expect([counts, positions]).toEqual([[2, 2, 1, 1], [6]])
      expect((yield* recorded("b")).map(([revision, data]) => [revision, data])).toEqual(
        texts.map((text, revision) => [revision, { text }])
      )
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("refuses where somebody else was there", () =>
    Effect.gen(function* () {
      yield* recordPast(codec, "c", [said("first", 1)])
      expect(yield* Effect.flip(recordPast(codec, "c", [said("second", 2)]))).toMatchObject({
        _tag: "PastRefused",
        message: "Somebody else has made c meanwhile"
      })
      yield* recordPast(codec, "c", [said("third", 3)], { expected: "any" })
      expect((yield* recorded("c")).map(([, data]) => data)).toEqual([{ text: "first" }, { text: "third" }])
    }).pipe(Effect.provide(layerMemory))
  )
})
