import { assert, type Vitest } from "@effect/vitest"
import { Effect, Result } from "effect"
import { EventStore, WrongExpectedRevision } from "#src/platform/eventStore/EventStore.ts"
import { authored, ids, newEvent, newEvents, newStream } from "./eventStoreSamples.ts"

const actualRevisions = (results: ReadonlyArray<Result.Result<unknown, unknown>>) =>
  results.flatMap((result) =>
    Result.isFailure(result) && result.failure instanceof WrongExpectedRevision ? [result.failure.actual] : []
  )

/** Expected revisions, races and batches. */
export const appendContract = (it: Vitest.MethodsNonLive<EventStore>): void => {
  it.effect("appends to an absent stream, then behind its last revision, then anywhere", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      const [first, second, third, fourth] = [newEvent(), newEvent(), newEvent(), newEvent()]
      const answers = [
        yield* store.append(stream, "noStream", [first]),
        yield* store.append(stream, 0, [second, third]),
        yield* store.append(stream, "any", [fourth])
      ]
      const events = yield* store.read(stream)
      assert.deepEqual(events.map(authored), [first, second, third, fourth])
      assert.deepEqual(
        events.map(({ revision }) => revision),
        [0, 1, 2, 3]
      )
      assert.deepEqual(
        events.map(({ stream }) => stream),
        [stream, stream, stream, stream]
      )
      assert.deepEqual(
        answers,
        [0, 2, 3].map((revision, index) => ({
          ...(answers[index]?.hash !== undefined && { hash: events[revision]?.hash }),
          revision,
          position: events[revision]?.position
        }))
      )
    })
  )

  it.effect("appends behind the very event that is expected, and nowhere else", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const [stream, other] = [newStream(), newStream()]
      const stored = newEvents(2)
      yield* store.append(stream, "noStream", stored)
      yield* store.append(other, "noStream", newEvents(2))
      const lastOf = (name: string) => Effect.map(store.read(name), (events) => events.at(-1))
      const [last, foreign] = [yield* lastOf(stream), yield* lastOf(other)]
      const [hash, foreignHash] = [last?.hash ?? "", foreign?.hash ?? ""]
      for (const expected of [
        { revision: 1, hash: foreignHash },
        { revision: 0, hash },
        { revision: 2, hash }
      ]) {
        const refused = yield* Effect.flip(store.append(stream, expected, newEvents(1)))
        assert.deepEqual(refused, new WrongExpectedRevision({ stream, expected, actual: 1 }))
      }
      const absent = { revision: 0, hash }
      assert.deepEqual(
        yield* Effect.flip(store.append("contract-absent", absent, newEvents(1))),
        new WrongExpectedRevision({ stream: "contract-absent", expected: absent, actual: -1 })
      )
      const next = newEvents(2)
      const answer = yield* store.append(stream, { revision: 1, hash }, next)
      assert.strictEqual(answer.revision, 3)
      assert.deepEqual(yield* store.append(stream, { revision: 1, hash }, next), answer)
      assert.deepEqual(ids(yield* store.read(stream)), ids([...stored, ...next]))
    })
  )

  it.effect("creates a stream with any", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      assert.strictEqual((yield* store.append(stream, "any", newEvents(2))).revision, 1)
    })
  )

  it.effect("refuses a wrong expected revision, says the actual one, and stores nothing", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      const wrong = (expected: number | "noStream", actual: number) => new WrongExpectedRevision({ stream, expected, actual })
      const refused = (expected: number | "noStream") => Effect.flip(store.append(stream, expected, newEvents(2)))
      assert.deepEqual(yield* refused(0), wrong(0, -1))
      assert.deepEqual(yield* refused(5), wrong(5, -1))
      const stored = newEvents(3)
      yield* store.append(stream, "noStream", stored)
      assert.deepEqual(yield* refused("noStream"), wrong("noStream", 2))
      assert.deepEqual(yield* refused(1), wrong(1, 2))
      assert.deepEqual(yield* refused(3), wrong(3, 2))
      assert.deepEqual((yield* store.read(stream)).map(authored), stored)
    })
  )

  it.effect("lets exactly one of 32 concurrent writers win", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      const races = [
        { expected: "noStream", actual: 1 },
        { expected: 1, actual: 3 }
      ] as const
      for (const { actual, expected } of races) {
        const results = yield* Effect.forEach(
          Array.from({ length: 32 }, () => newEvents(2)),
          (events) => Effect.result(store.append(stream, expected, events)),
          { concurrency: "unbounded" }
        )
        assert.deepEqual(
          results.filter(Result.isSuccess).map(({ success }) => success.revision),
          [actual]
        )
        assert.deepEqual(actualRevisions(results), Array(31).fill(actual))
      }
      assert.strictEqual((yield* store.read(stream)).length, 4)
    })
  )

  it.effect("stores each of 32 concurrent batches whole and side by side when any revision will do", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      const batches = Array.from({ length: 32 }, () => newEvents(3))
      const answers = yield* Effect.forEach(batches, (batch) => store.append(stream, "any", batch), { concurrency: "unbounded" })
      const stored = yield* store.read(stream)
      assert.strictEqual(stored.length, 96)
      for (const [index, batch] of batches.entries()) {
        const last = answers[index]?.revision ?? -1
        assert.deepEqual(ids(stored.slice(last - 2, last + 1)), ids(batch))
      }
    })
  )
}
