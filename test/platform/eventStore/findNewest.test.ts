import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { EventStore, type RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { findNewest } from "#src/platform/eventStore/findNewest.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { newEvents, newStream } from "#test/contracts/eventStoreSamples.ts"

/** The revision of the newest of so many events that fits, and how many were looked at. */
const search = Effect.fnUntraced(function* (count: number, fits: (revision: number) => boolean) {
  const store = yield* EventStore
  const stream = newStream()
  if (count > 0) yield* store.append(stream, "noStream", newEvents(count))
  let looks = 0
  const find = ({ revision }: RecordedEvent) => {
    looks++
    return Effect.succeed(fits(revision) ? revision : undefined)
  }
  return [yield* findNewest(stream, find), looks]
}, Effect.provide(layerMemory))

describe("the newest event that fits", () => {
  it.effect("is found from the end on, and nothing behind it is looked at", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* search(25, () => true), [24, 1])
      assert.deepEqual(yield* search(25, (revision) => revision % 10 === 3), [23, 2])
      assert.deepEqual(yield* search(25, (revision) => revision < 5), [4, 21])
      assert.deepEqual(yield* search(25, (revision) => revision === 0), [0, 25])
    })
  )

  it.effect("is none where none fits, there are no events, or it lies behind the last 200", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* search(20, () => false), [undefined, 20])
      assert.deepEqual(yield* search(0, () => true), [undefined, 0])
      assert.deepEqual(yield* search(300, (revision) => revision === 100), [100, 200])
      assert.deepEqual(yield* search(300, (revision) => revision === 99), [undefined, 200])
    })
  )
})
