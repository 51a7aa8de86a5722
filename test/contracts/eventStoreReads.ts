import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { ids, newEvents, newStream } from "./eventStoreSamples.ts"

/** Reading streams and the log. */
export const readContract = (it: Vitest.MethodsNonLive<EventStore>): void => {
  it.effect("reads a stream in both directions from any revision up to a limit", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      yield* store.append(stream, "noStream", newEvents(10))
      yield* store.append(newStream(), "noStream", newEvents(5))
      const revisions = (options?: Parameters<typeof store.read>[1]) =>
        Effect.map(store.read(stream, options), (events) => events.map(({ revision }) => revision))
      assert.deepEqual(yield* revisions(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
      assert.deepEqual(yield* revisions({ from: 7 }), [7, 8, 9])
      assert.deepEqual(yield* revisions({ from: 2, limit: 3 }), [2, 3, 4])
      assert.deepEqual(yield* revisions({ limit: 1 }), [0])
      assert.deepEqual(yield* revisions({ limit: 0 }), [])
      assert.deepEqual(yield* revisions({ from: 10 }), [])
      assert.deepEqual(yield* revisions({ direction: "backwards" }), [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
      assert.deepEqual(yield* revisions({ direction: "backwards", limit: 1 }), [9])
      assert.deepEqual(yield* revisions({ direction: "backwards", from: 4, limit: 3 }), [4, 3, 2])
      assert.deepEqual(yield* revisions({ direction: "backwards", from: 1, limit: 9 }), [1, 0])
      assert.deepEqual(yield* revisions({ direction: "backwards", from: 99, limit: 2 }), [9, 8])
    })
  )

  it.effect("reads whole what comes behind an event that is known", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      yield* store.append(stream, "noStream", newEvents(5))
      const [known, ...behind] = yield* store.read(stream, { from: 2, limit: 50 })
      const [first, ...others] = yield* store.read(stream, { from: 2, limit: 50, knowsFirst: true })
      assert.deepEqual([first?.position, first?.revision, first?.hash], [known?.position, known?.revision, known?.hash])
      assert.deepEqual(others, behind)
    })
  )

  it.effect("reads an absent stream as empty", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      assert.deepEqual(yield* store.read(newStream()), [])
      assert.deepEqual(yield* store.read(newStream(), { direction: "backwards", limit: 1 }), [])
      assert.deepEqual(yield* store.read(newStream(), { from: 3 }), [])
    })
  )

  it.effect("reads the log behind a position, page by page, as it was appended", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const start = yield* store.head
      const [one, other] = [newStream(), newStream()]
      const batches = Array.from({ length: 20 }, () => newEvents(3))
      for (const [index, batch] of batches.entries()) yield* store.append(index % 2 === 0 ? one : other, "any", batch)
      const all = yield* store.readAll(start, 1_000)
      assert.deepEqual(ids(all), ids(batches.flat()))
      const pages: Array<string> = []
      let after = start
      for (;;) {
        const page = yield* store.readAll(after, 7)
        const last = page.at(-1)
        if (last === undefined) break
        pages.push(...ids(page))
        after = last.position
      }
      assert.deepEqual(pages, ids(all))
      assert.deepEqual(
        all.filter(({ stream }) => stream === other),
        yield* store.read(other)
      )
      assert.deepEqual(yield* store.readAll(start, 0), [])
      assert.strictEqual((yield* store.readAll(0, 1)).length, 1)
    })
  )

  it.effect("knows the log's head, behind which there is nothing", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const { position } = yield* store.append(newStream(), "noStream", newEvents(2))
      assert.strictEqual(yield* store.head, position)
      assert.deepEqual(yield* store.readAll(position, 10), [])
    })
  )
}
