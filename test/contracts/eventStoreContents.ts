import { assert, type Vitest, vi } from "@effect/vitest"
import { Effect } from "effect"
import { AppendTooLarge, EventStore } from "#src/platform/eventStore/EventStore.ts"
import { canonicalJson } from "#src/platform/eventStore/hashChain.ts"
import { assertSealed, authored, newEvent, newEvents, newStream } from "./eventStoreSamples.ts"

const values: ReadonlyArray<unknown> = [
  {
    plain: "ä",
    bmp: "漢字",
    astral: "😀𝄞",
    lastCodePoint: "\u{10FFFF}",
    combining: "e\u0301",
    rightToLeft: "שלום",
    bom: "\uFEFF"
  },
  { nul: "a\u0000b", controls: "\u0001\u001f\u007f\u0085\u2028\u2029", quotes: `"\\/` },
  { loneHigh: "\uD800", loneLow: "x\uDC00", reversed: "\uDE00\uD83D" },
  { "ключ 😀": { nested: [[], {}, [null, true, false]] }, "": "" },
  { numbers: [0, -1, 1.5, 1e300, 5e-324, Number.MAX_SAFE_INTEGER], 7: "seven" },
  JSON.parse(`{"__proto__":{"own":1},"constructor":2}`),
  [],
  "text",
  12,
  null
]

/** What is stored comes back as it was, sealed and dated. */
export const contentContract = (it: Vitest.MethodsNonLive<EventStore>, maxAppendBytes: number | undefined): void => {
  it.effect("keeps every Unicode text and JSON value", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      const events = values.map((data) => newEvent(data, "Üblich 😀"))
      const start = yield* store.head
      yield* store.append(stream, "noStream", events)
      const expected = events.map((event) => ({ ...event, data: JSON.parse(canonicalJson(event.data)) }))
      assert.deepEqual((yield* store.read(stream)).map(authored), expected)
      assert.deepEqual((yield* store.readAll(start, 100)).map(authored), expected)
    })
  )

  it.effect("keeps streams apart whose names are alike", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const base = newStream()
      const streams = [base, `${base}-1`, `${base} `, `${base}-Ä😀`, base.toUpperCase()]
      const stored = streams.map((stream) => ({ stream, event: newEvent({ stream }) }))
      for (const { event, stream } of stored) yield* store.append(stream, "noStream", [event])
      for (const { event, stream } of stored) assert.deepEqual((yield* store.read(stream)).map(authored), [event])
    })
  )

  it.effect("keeps a text of 1,048,576 four-byte characters", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      const event = newEvent({ description: "😀".repeat(1_048_576) })
      const start = yield* store.head
      yield* store.append(stream, "noStream", [event])
      const [read] = yield* store.read(stream)
      const [inLog] = yield* store.readAll(start, 10)
      // Compared by identity of text: a deep comparison would print eight megabytes when it fails.
      assert.isTrue(canonicalJson(read?.data) === canonicalJson(event.data))
      assert.isTrue(canonicalJson(inLog?.data) === canonicalJson(event.data))
    })
  )

  it.effect("seals every event with its predecessor, however it was appended", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const stream = newStream()
      const repeated = newEvents(2)
      yield* store.append(stream, "noStream", repeated)
      yield* store.append(stream, 1, newEvents(3))
      yield* store.append(stream, 4, [newEvent({ text: "ü😀\n".repeat(100_000), lone: "\uD800".repeat(300_000) }), newEvent()])
      yield* store.append(stream, "any", repeated)
      yield* Effect.forEach(Array.from({ length: 8 }), () => store.append(stream, "any", newEvents(2)), {
        concurrency: "unbounded"
      })
      const events = yield* store.read(stream)
      assert.strictEqual(events.length, 23)
      assertSealed(events)
    })
  )

  it.effect("never lets the recorded time go back, neither when the clock does nor among concurrent writers", () =>
    Effect.gen(function* () {
      const store = yield* EventStore
      const start = yield* store.head
      const before = Date.now()
      const stream = newStream()
      yield* store.append(stream, "noStream", newEvents(1))
      const clock = vi.spyOn(Date, "now").mockReturnValue(before - 3_600_000)
      yield* Effect.ensuring(
        Effect.andThen(store.append(stream, "any", newEvents(1)), store.append(newStream(), "noStream", newEvents(1))),
        Effect.sync(() => clock.mockRestore())
      )
      const writer = Effect.forEach(Array.from({ length: 25 }), () => store.append(newStream(), "noStream", newEvents(1)))
      yield* Effect.all(
        Array.from({ length: 8 }, () => writer),
        { concurrency: "unbounded" }
      )
      const times = (yield* store.readAll(start, 1_000)).map(({ at }) => at)
      assert.strictEqual(times.length, 203)
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b)
      )
      assert.isAtLeast(times[0] ?? 0, before)
      assert.isAtMost(times.at(-1) ?? Number.POSITIVE_INFINITY, Date.now())
    })
  )

  if (maxAppendBytes !== undefined) {
    it.effect("refuses an append over the limit clearly and stores nothing of it", () =>
      Effect.gen(function* () {
        const store = yield* EventStore
        const stream = newStream()
        const half = "x".repeat(maxAppendBytes / 2)
        const refused = yield* Effect.flip(store.append(stream, "noStream", [newEvent({ half }), newEvent({ half })]))
        assert.instanceOf(refused, AppendTooLarge)
        assert.deepEqual([refused.stream, refused.limit], [stream, maxAppendBytes])
        assert.isAbove(refused.bytes, maxAppendBytes)
        assert.deepEqual(yield* store.read(stream), [])
        assert.strictEqual((yield* store.append(stream, "noStream", [newEvent({ half })])).revision, 0)
      })
    )
  }
}
