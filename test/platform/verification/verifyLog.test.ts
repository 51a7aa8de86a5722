import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { emptyLog, LogDigest } from "#src/platform/verification/LogDigest.ts"
import { fingerprint, type Seal, signSeal } from "#src/platform/verification/Seal.ts"
import { type Expectations, verifyLog } from "#src/platform/verification/verifyLog.ts"
import { allEvents, appendOneMore, appendSamples, storeOf } from "./sampleLog.ts"

const start = Date.parse("2026-01-01T00:00:00Z")

/** Twelve events at 00:00, one more at 01:00. */
const sampleEvents = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  yield* appendSamples
  yield* TestClock.adjust("1 hour")
  yield* appendOneMore
  return yield* allEvents
}).pipe(Effect.provide(layerMemory))

const { privateKey } = generateKeyPairSync("ed25519")
const other = generateKeyPairSync("ed25519").privateKey

/** Seals at these positions, each continuing the one before. */
const sealsOf = (
  events: ReadonlyArray<RecordedEvent>,
  positions: ReadonlyArray<number>,
  key = privateKey
): ReadonlyArray<Seal> => {
  const seals: Array<Seal> = []
  for (const position of positions) {
    const last = seals.at(-1)
    const digest = new LogDigest(last === undefined ? emptyLog : Buffer.from(last.digest, "hex"))
    for (const event of events) if (event.position > (last?.position ?? 0) && event.position <= position) digest.add(event)
    seals.push(signSeal(key, { position, digest: digest.value, at: start + position }))
  }
  return seals
}

const nothing: Expectations = { serialized: true, seals: [], checkpoints: [] }

/** `kind stream revision position` of each fault. */
const faultsOf = (events: ReadonlyArray<RecordedEvent>, expectations: Partial<Expectations> = {}, head?: number) =>
  verifyLog({ ...nothing, ...expectations }).pipe(
    Effect.map(({ faults }) => faults.map(({ kind, position, revision, stream }) => [kind, stream, revision, position])),
    Effect.provide(storeOf(events, head))
  )

const swap = (one: number, other: number, position: number) => (position === one ? other : position === other ? one : position)

const inOrder = (events: ReadonlyArray<RecordedEvent>) => events.toSorted((one, other) => one.position - other.position)

const altered = (events: ReadonlyArray<RecordedEvent>, position: number, change: Partial<RecordedEvent>) =>
  events.map((event) => (event.position === position ? { ...event, ...change } : event))

describe("an intact log", () => {
  it.effect("has no fault, and its end is told", () =>
    Effect.gen(function* () {
      const events = yield* sampleEvents
      const seals = sealsOf(events, [5, 12])
      const verification = yield* verifyLog({
        ...nothing,
        seals,
        exported: seals,
        checkpoints: [{ readModel: "users", position: 13 }]
      }).pipe(Effect.provide(storeOf(events)))
      const { unsealed, ...rest } = verification
      assert.deepStrictEqual(rest, { events: 13, streams: 3, position: 13, faults: [] })
      assert.deepStrictEqual(sealsOf(events, [5, 12, 13])[2]?.digest, unsealed.digest.toString("hex"))
    })
  )

  it.effect("may be empty", () => Effect.map(faultsOf([]), (faults) => assert.deepStrictEqual(faults, [])))

  it.effect("may have gaps between positions and clocks that differ, where the store does not serialize", () =>
    Effect.gen(function* () {
      const events = (yield* sampleEvents).map((event) => ({ ...event, position: event.position * 100 }))
      assert.deepStrictEqual(yield* faultsOf(events, { serialized: false }), [])
    })
  )
})

const changes: Readonly<Record<string, Partial<RecordedEvent>>> = {
  data: { data: { name: "forged" } },
  metadata: { metadata: { actor: "user:2", commandId: "command-a-1", correlationId: "test" } },
  id: { id: "00000000-0000-7000-8000-000000000000" },
  type: { type: "Removed" },
  schemaVersion: { schemaVersion: 2 },
  at: { at: start + 1 },
  hash: { hash: "0".repeat(64) }
}

describe("an altered event is named", () => {
  for (const [field, change] of Object.entries(changes)) {
    it.effect(field, () =>
      Effect.gen(function* () {
        const [first] = yield* faultsOf(altered(yield* sampleEvents, 4, change))
        assert.deepStrictEqual(first, ["link", "a", 1, 4])
      })
    )
  }

  it.effect("with what was expected and what is there", () =>
    Effect.gen(function* () {
      const events = altered(yield* sampleEvents, 4, { hash: "0".repeat(64) })
      const { faults } = yield* Effect.provide(verifyLog(nothing), storeOf(events))
      const intact = (yield* sampleEvents)[3]?.hash
      assert.deepStrictEqual(faults, [
        {
          kind: "link",
          stream: "a",
          revision: 1,
          position: 4,
          expected: `hash ${intact}, over what is stored and the event before`,
          found: `hash ${"0".repeat(64)}`
        }
      ])
    })
  )

  it.effect("the first of several", () =>
    Effect.gen(function* () {
      const events = altered(altered(yield* sampleEvents, 9, { data: 1 }), 5, { data: 2 })
      assert.deepStrictEqual(yield* faultsOf(events), [["link", "b", 1, 5]])
    })
  )
})

describe("missing and moved events are found", () => {
  it.effect("one in the middle", () =>
    Effect.gen(function* () {
      const events = (yield* sampleEvents).filter(({ position }) => position !== 4)
      assert.deepStrictEqual(yield* faultsOf(events), [
        ["link", "a", 2, 7],
        ["position", "b", 1, 5]
      ])
    })
  )

  it.effect("a whole stream", () =>
    Effect.gen(function* () {
      const events = (yield* sampleEvents).filter(({ stream }) => stream !== "b")
      assert.deepStrictEqual(yield* faultsOf(events), [["position", "c", 0, 3]])
      assert.deepStrictEqual(yield* faultsOf(events, { serialized: false }), [])
      assert.deepStrictEqual(yield* faultsOf(events, { serialized: false, seals: sealsOf(yield* sampleEvents, [13]) }), [
        ["seal", null, null, 13]
      ])
    })
  )

  it.effect("the last ones: by the head, by a checkpoint, by a seal", () =>
    Effect.gen(function* () {
      const events = (yield* sampleEvents).slice(0, 10)
      const seals = sealsOf(yield* sampleEvents, [5, 12])
      const checkpoints = [{ readModel: "users", position: 13 }]
      assert.deepStrictEqual(yield* faultsOf(events), [])
      assert.deepStrictEqual(yield* faultsOf(events, {}, 13), [["end", null, null, 10]])
      assert.deepStrictEqual(yield* faultsOf(events, { checkpoints }), [["checkpoint", null, null, 10]])
      assert.deepStrictEqual(yield* faultsOf(events, { seals }), [["seal", null, null, 12]])
      assert.deepStrictEqual(yield* faultsOf([], { seals }), [["seal", null, null, 5]])
    })
  )

  it.effect("the sealed one itself", () =>
    Effect.gen(function* () {
      const events = (yield* sampleEvents).filter(({ position }) => position !== 12)
      assert.deepStrictEqual(yield* faultsOf(events, { serialized: false, seals: sealsOf(yield* sampleEvents, [12]) }), [
        ["seal", null, null, 12]
      ])
    })
  )

  it.effect("two of one stream in other order", () =>
    Effect.gen(function* () {
      const events = yield* sampleEvents
      const swapped = events.map((event) => ({ ...event, position: swap(1, 4, event.position) }))
      assert.deepStrictEqual(yield* faultsOf(inOrder(swapped)), [["link", "a", 1, 1]])
    })
  )

  it.effect("two of different streams in other order: only a seal tells, or their time", () =>
    Effect.gen(function* () {
      const events = yield* sampleEvents
      const sameTime = inOrder(events.map((event) => ({ ...event, position: swap(11, 12, event.position) })))
      assert.deepStrictEqual(yield* faultsOf(sameTime), [])
      assert.deepStrictEqual(yield* faultsOf(sameTime, { seals: sealsOf(events, [5, 12]) }), [["seal", null, null, 12]])
      const otherTime = inOrder(events.map((event) => ({ ...event, position: swap(12, 13, event.position) })))
      assert.deepStrictEqual(yield* faultsOf(otherTime), [["time", "c", 3, 13]])
    })
  )
})

describe("a log that was replaced as a whole, with good chains", () => {
  it.effect("contradicts its seals, in the table or exported", () =>
    Effect.gen(function* () {
      const original = yield* sampleEvents
      const forged = yield* Effect.provide(Effect.andThen(appendOneMore, allEvents), layerMemory)
      const seals = sealsOf(original, [1])
      assert.deepStrictEqual(yield* faultsOf(forged, { seals }), [["seal", null, null, 1]])
      const own = sealsOf(forged, [1])
      assert.deepStrictEqual(yield* faultsOf(forged, { seals: own }), [])
      assert.deepStrictEqual(yield* faultsOf(forged, { seals: own, exported: seals }), [
        ["seal", null, null, 1],
        ["seal", null, null, 1]
      ])
    })
  )
})

describe("seals that were tampered with", () => {
  it.effect("an altered one is refused", () =>
    Effect.gen(function* () {
      const events = yield* sampleEvents
      const seals = sealsOf(events, [5, 12]).map((seal) => ({ ...seal, at: seal.at + 1 }))
      assert.deepStrictEqual(yield* faultsOf(events, { seals }), [["seal", null, null, 5]])
    })
  )

  it.effect("one in the middle that is missing breaks the chain of seals", () =>
    Effect.gen(function* () {
      const events = yield* sampleEvents
      const seals = sealsOf(events, [5, 9, 12]).filter(({ position }) => position !== 9)
      assert.deepStrictEqual(yield* faultsOf(events, { seals }), [["seal", null, null, 12]])
    })
  )

  it.effect("one with a foreign key is refused, where the key is known", () =>
    Effect.gen(function* () {
      const events = yield* sampleEvents
      const [own] = sealsOf(events, [5])
      const seals = sealsOf(events, [5], other)
      const trustedKeys = new Set([fingerprint(own?.publicKey ?? "")])
      assert.deepStrictEqual(yield* faultsOf(events, { seals }), [])
      assert.deepStrictEqual(yield* faultsOf(events, { seals, trustedKeys }), [["seal", null, null, 5]])
    })
  )

  it.effect("cut from the table, but kept elsewhere", () =>
    Effect.gen(function* () {
      const events = yield* sampleEvents
      const exported = sealsOf(events, [5, 12])
      assert.deepStrictEqual(yield* faultsOf(events, { seals: exported.slice(0, 1), exported }), [["seal", null, null, 12]])
    })
  )
})
