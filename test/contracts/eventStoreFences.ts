import { assert, type Vitest } from "@effect/vitest"
import { Effect, Result, type Scope } from "effect"
import { EventStore, FenceMoved } from "#src/platform/eventStore/EventStore.ts"
import { authored, newEvents, newStream } from "./eventStoreSamples.ts"

/** Appends to which the ends of other streams matter. */
export const fenceContract = (it: Vitest.MethodsNonLive<EventStore>): void => {
  it.effect("appends where the fences end as they should", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const [stream, fence, absent] = [newStream(), newStream(), newStream()]
      yield* store.append(fence, "noStream", newEvents(3))
      const events = newEvents(2)
      const fences = [
        { stream: fence, revision: 2 },
        { stream: absent, revision: -1 }
      ]
      assert.strictEqual((yield* store.append(stream, "noStream", events, { fences })).revision, 1)
      assert.deepEqual((yield* store.read(stream)).map(authored), events)
    })
  )

  it.effect("stores nothing where one of the fences ends elsewhere", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const [stream, fence, absent] = [newStream(), newStream(), newStream()]
      yield* store.append(fence, "noStream", newEvents(3))
      for (const wrong of [
        { stream: fence, revision: 1 },
        { stream: fence, revision: 3 },
        { stream: fence, revision: -1 },
        { stream: absent, revision: 0 }
      ]) {
        for (const expected of ["noStream", "any"] as const) {
          const fences = [{ stream: fence, revision: 2 }, wrong]
          const refused = yield* Effect.flip(store.append(stream, expected, newEvents(1), { fences }))
          assert.deepEqual(refused, new FenceMoved({ stream }))
        }
      }
      assert.deepEqual(yield* store.read(stream), [])
    })
  )

  it.effect("answers an append that is stored already whatever became of its fences", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const [stream, fence] = [newStream(), newStream()]
      const events = newEvents(2)
      const append = store.append(stream, "noStream", events, { fences: [{ stream: fence, revision: -1 }] })
      const { position, revision } = yield* append
      yield* store.append(fence, "noStream", newEvents(1))
      const again = yield* append
      assert.deepEqual([again.position, again.revision], [position, revision])
    })
  )
}

/** The same of stores that look at the fences as they append. */
export const exactFenceContract = (
  it: Vitest.MethodsNonLive<EventStore>,
  otherProcess?: Effect.Effect<EventStore["Service"], never, Scope.Scope>
): void =>
  it.effect("stores one of two appends that are fenced by each other", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const other = otherProcess === undefined ? store : yield* otherProcess
      for (let round = 0; round < 50; round++) {
        const [one, another] = [newStream(), newStream()]
        const fencedBy = (stream: string) => ({ fences: [{ stream, revision: -1 }] })
        const results = yield* Effect.all(
          [
            Effect.result(store.append(one, "noStream", newEvents(1), fencedBy(another))),
            Effect.result((round % 2 === 0 ? store : other).append(another, "noStream", newEvents(1), fencedBy(one)))
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.filter(Result.isSuccess).length, 1)
        const stored = [...(yield* store.read(one)), ...(yield* store.read(another))]
        assert.strictEqual(stored.length, 1)
      }
    })
  )
