import { assert, type Vitest } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { EventStore, type ExpectedEnd, WrongExpectedRevision } from "#src/platform/eventStore/EventStore.ts"
import { assertSealed, ids, newEvents, newStream } from "./eventStoreSamples.ts"

/** Appends whose event ids are stored already answer as the first one did and add nothing. */
export const repeatContract = (it: Vitest.MethodsNonLive<EventStore>): void => {
  it.effect("answers a repeated append as the first one, whatever revision it expects", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      const [first, second, third] = [newEvents(2), newEvents(3), newEvents(1)]
      const answers = {
        first: yield* store.append(stream, "noStream", first),
        second: yield* store.append(stream, 1, second),
        third: yield* store.append(stream, "any", third)
      }
      for (const expected of ["noStream", "any", 0, 1, 4, 5, 17] as const) {
        assert.deepEqual(yield* store.append(stream, expected, first), answers.first)
        assert.deepEqual(yield* store.append(stream, expected, second), answers.second)
        assert.deepEqual(yield* store.append(stream, expected, third), answers.third)
      }
      assert.deepEqual(ids(yield* store.read(stream)), ids([...first, ...second, ...third]))
    })
  )

  it.effect("answers 32 concurrent appends of the same events alike", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      yield* store.append(stream, "noStream", newEvents(1))
      for (const expected of [0, "any"] as const) {
        const events = newEvents(2)
        const answers = yield* Effect.forEach(Array.from({ length: 32 }), () => store.append(stream, expected, events), {
          concurrency: "unbounded"
        })
        assert.deepEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
        assert.deepEqual(ids((yield* store.read(stream)).slice(-2)), ids(events))
      }
      assert.strictEqual((yield* store.read(stream)).length, 5)
    })
  )
}

/** The same with two processes, neither of which knows what the other stored. */
export const otherProcessContract = (
  it: Vitest.MethodsNonLive<EventStore>,
  other: Effect.Effect<EventStore["Service"], never, Scope.Scope>
): void => {
  it.effect("shares streams and repeats with another process", () =>
    Effect.gen(function* () {
      const here = yield* EventStore
      const there = yield* other
      const stream = newStream()
      const [first, second, third] = [newEvents(1), newEvents(2), newEvents(1)]
      const answer = yield* here.append(stream, "noStream", first)
      assert.deepEqual(yield* there.append(stream, "noStream", first), answer)
      const answers = yield* Effect.all(
        Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? here : there).append(stream, 0, second)),
        { concurrency: "unbounded" }
      )
      assert.deepEqual(answers, Array(16).fill(answers[0]))
      assert.strictEqual((yield* there.append(stream, 2, third)).revision, 3)
      assert.strictEqual((yield* here.append(stream, "any", newEvents(1))).revision, 4)
      assert.deepEqual(yield* here.read(stream), yield* there.read(stream))
    })
  )

  it.effect("appends events of which it is told that nobody else sends them, in turn with another process", () =>
    Effect.gen(function* () {
      const [here, there] = [yield* EventStore, yield* other]
      const stream = newStream()
      const groups = Array.from({ length: 8 }, () => newEvents(2))
      const own = { areNew: true }
      const append = (store: EventStore["Service"], expected: ExpectedEnd, index: number) =>
        store.append(stream, expected, groups[index] ?? [], own)
      const answers = [
        yield* append(here, "noStream", 0),
        yield* append(here, 1, 1),
        yield* append(here, "any", 2),
        yield* append(there, "any", 3),
        yield* append(here, "any", 4),
        yield* append(here, { revision: 9, hash: (yield* here.read(stream)).at(-1)?.hash ?? "" }, 5),
        yield* append(there, 11, 6)
      ]
      const refused = [append(here, "noStream", 7), append(here, 11, 7), append(there, { revision: 13, hash: "" }, 7)] as const
      const errors = yield* Effect.all(refused.map(Effect.flip))
      assert.deepEqual(
        errors.map((error) => error instanceof WrongExpectedRevision && error.actual),
        [13, 13, 13]
      )
      const events = yield* there.read(stream)
      assert.deepEqual(ids(events), ids(groups.slice(0, 7).flat()))
      assertSealed(events)
      const last = (index: number) => events[index * 2 + 1]
      for (const [index, { hash, position, revision }] of answers.entries()) {
        assert.deepEqual([revision, position], [last(index)?.revision, last(index)?.position])
        if (hash !== undefined) assert.strictEqual(hash, last(index)?.hash)
      }
    })
  )
}
