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

/** Appends to streams of their own, behind which others gather. */
const fillers = (store: EventStore["Service"]) =>
  Array.from({ length: 40 }, () => Effect.result(store.append(newStream(), "noStream", newEvents(1))))

/** Which of these appends succeed when they come at once, and gather behind others. */
const successes = (store: EventStore["Service"], appends: ReadonlyArray<ReturnType<EventStore["Service"]["append"]>>) =>
  Effect.map(Effect.all([...fillers(store), ...appends.map(Effect.result)], { concurrency: "unbounded" }), (results) =>
    results.slice(-appends.length).map(Result.isSuccess)
  )

const absent = (stream: string) => ({ fences: [{ stream, revision: -1 }] })

/** Appends that gather, each with its own fences. */
const gatheringContract = (it: Vitest.MethodsNonLive<EventStore>): void => {
  it.effect("tells the fences of appends that gather apart", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const ends = [newStream(), newStream(), newStream(), newStream()]
      for (const stream of ends) yield* store.append(stream, "noStream", newEvents(1))
      const [right, wrong] = [0, 5].map((revision) => (index: number) => ({ stream: ends[index] ?? "", revision }))
      if (right === undefined || wrong === undefined) return assert.fail()
      const cases = [
        [right(0)],
        [],
        [wrong(1)],
        [right(1), right(2)],
        [],
        [right(0), wrong(3)],
        [right(3)],
        [right(0), right(0), right(1)],
        [wrong(0)],
        []
      ]
      const appends = cases.map((fences) => store.append(newStream(), "noStream", newEvents(2), { fences }))
      const expected = cases.map((fences) => fences.every(({ revision }) => revision === 0))
      for (let round = 0; round < 10; round++) assert.deepEqual(yield* successes(store, appends), expected)
    })
  )

  it.effect("sees behind which append of those that gather a fence is", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      for (let round = 0; round < 10; round++) {
        const [one, another] = [newStream(), newStream()]
        const plain = store.append(one, "noStream", newEvents(1))
        const fenced = store.append(another, "noStream", newEvents(1), absent(one))
        assert.deepEqual(yield* successes(store, [plain, fenced]), [true, false])
        const [next, last] = [newStream(), newStream()]
        const before = store.append(next, "noStream", newEvents(1), absent(last))
        assert.deepEqual(yield* successes(store, [before, store.append(last, "noStream", newEvents(1))]), [true, true])
      }
    })
  )
}

/** The same of stores that look at the fences as they append. */
export const exactFenceContract = (
  it: Vitest.MethodsNonLive<EventStore>,
  otherProcess?: Effect.Effect<EventStore["Service"], never, Scope.Scope>
): void => {
  gatheringContract(it)
  it.effect("stores one of two appends that are fenced by each other", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const other = otherProcess === undefined ? store : yield* otherProcess
      for (let round = 0; round < 50; round++) {
        const [one, another] = [newStream(), newStream()]
        const results = yield* Effect.all(
          [
            Effect.result(store.append(one, "noStream", newEvents(1), absent(another))),
            Effect.result((round % 2 === 0 ? store : other).append(another, "noStream", newEvents(1), absent(one)))
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.filter(Result.isSuccess).length, 1)
        const stored = [...(yield* store.read(one)), ...(yield* store.read(another))]
        assert.strictEqual(stored.length, 1)
      }
    })
  )
}
