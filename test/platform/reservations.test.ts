import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { type Guard, guardOf, handle, load } from "#src/platform/Commands.ts"
import type { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { NameLost, type NameTaken, ownerOf, release, requireOwned, reserve } from "#src/platform/Reservations.ts"
import { count, counter } from "./counter.ts"

const root = { kind: "username", text: "root" }
const held = () => Effect.succeed(true)
const notHeld = () => Effect.succeed(false)

/** `taken by <owner>`, or `mine`. */
const outcome = (owner: string, stillHeld: () => Effect.Effect<boolean, never, EventStore> = held, name = root) =>
  reserve(name, owner, stillHeld).pipe(
    Effect.as("mine"),
    Effect.catchTag("NameTaken", (taken) => Effect.succeed(`taken by ${taken.owner}`))
  )

describe("reserving a name", () => {
  it.effect("gives it to the first, again and again, and refuses the second", () =>
    Effect.gen(function* () {
      expect(yield* outcome("user-1")).toBe("mine")
      expect(yield* outcome("user-1")).toBe("mine")
      expect(yield* outcome("user-2")).toBe("taken by user-1")
      expect(yield* outcome("user-2", held, { kind: "username", text: "Root" })).toBe("mine")
      expect(yield* outcome("user-2", held, { kind: "email", text: "root" })).toBe("mine")
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("gives it to exactly one of many who want it at once", () =>
    Effect.gen(function* () {
      const outcomes = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) => outcome(`user-${index}`)),
        { concurrency: "unbounded" }
      )
      expect(outcomes.filter((it) => it === "mine").length).toBe(1)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("gives a released name to the next; only its owner can release it", () =>
    Effect.gen(function* () {
      yield* outcome("user-1")
      yield* release(root, "user-2", notHeld())
      expect(yield* outcome("user-2")).toBe("taken by user-1")
      yield* release(root, "user-1", notHeld())
      expect(yield* outcome("user-2")).toBe("mine")
      yield* release(root, "user-1", notHeld())
      expect(yield* outcome("user-1")).toBe("taken by user-2")
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("takes over after 30 seconds from an owner that never came to hold it, not before", () =>
    Effect.gen(function* () {
      yield* outcome("user-1")
      yield* TestClock.adjust("29999 millis")
      expect(yield* outcome("user-2", notHeld)).toBe("taken by user-1")
      yield* TestClock.adjust("1 millis")
      expect(yield* outcome("user-2", held)).toBe("taken by user-1")
      expect(yield* outcome("user-2", notHeld)).toBe("mine")
      expect(yield* outcome("user-1", notHeld)).toBe("taken by user-2")
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("takes over the reservation that was too old, no later one of the same owner", () =>
    Effect.gen(function* () {
      yield* outcome("user-1")
      yield* TestClock.adjust("1 minute")
      // The owner gives it back and reserves it again as soon as it was asked whether it holds it.
      const renewed = () => release(root, "user-1", notHeld()).pipe(Effect.andThen(outcome("user-1")), Effect.as(false))
      expect(yield* outcome("user-2", renewed)).toBe("taken by user-1")
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("lets one of several take over", () =>
    Effect.gen(function* () {
      yield* outcome("user-1")
      yield* TestClock.adjust("1 minute")
      const outcomes = yield* Effect.all(
        Array.from({ length: 10 }, (_, index) => outcome(`user-${index + 2}`, notHeld)),
        {
          concurrency: "unbounded"
        }
      )
      expect(outcomes.filter((it) => it === "mine").length).toBe(1)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("takes nothing over from an owner that comes to hold it in that moment", () =>
    Effect.gen(function* () {
      yield* outcome("counter-a")
      yield* TestClock.adjust("1 minute")
      let isCounted = false
      // The owner counts as soon as it was asked for the first time.
      const askedTooEarly = () =>
        Effect.suspend(() => {
          if (isCounted) return Effect.succeed(true)
          isCounted = true
          return Effect.as(Effect.orDie(count(1)), false)
        })
      expect(yield* outcome("user-2", askedTooEarly)).toBe("taken by counter-a")
    }).pipe(Effect.provide(layerMemory))
  )
})

describe("what a reservation guards", () => {
  const guardedCount = (guard: Guard<NameTaken, EventStore>) =>
    handle(counter, "a", { _tag: "Count", by: 1 }, { guard }).pipe(
      Effect.map(({ state }) => state),
      Effect.catchTag("NameTaken", ({ owner }) => Effect.succeed(`taken by ${owner}`))
    )
  const guardOfRoot = guardOf(reserve(root, "counter-a", notHeld))

  it.effect("is done while the owner has the name", () =>
    Effect.gen(function* () {
      const guard = yield* guardOfRoot
      expect(yield* guardedCount(guard)).toBe(1)
      expect(yield* guardedCount(yield* guardOfRoot)).toBe(2)
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("is not done once the name was taken over", () =>
    Effect.gen(function* () {
      const guard = yield* guardOfRoot
      yield* TestClock.adjust("30 seconds")
      expect(yield* outcome("user-2", notHeld)).toBe("mine")
      expect(yield* guardedCount(guard)).toBe("taken by user-2")
      expect(yield* load(counter, "a")).toEqual({ state: 0, revision: -1, position: 0 })
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("is done after the name was given back meanwhile, and reserved again then", () =>
    Effect.gen(function* () {
      const guard = yield* guardOfRoot
      yield* release(root, "counter-a", notHeld())
      expect(yield* guardedCount(guard)).toBe(1)
      expect(yield* outcome("user-2")).toBe("taken by counter-a")
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("keeps the name where it is done in the moment in which the name is given back", () =>
    Effect.gen(function* () {
      const guard = yield* guardOfRoot
      let isCounted = false
      const askedTooEarly = Effect.suspend(() => {
        if (isCounted) return Effect.succeed(true)
        isCounted = true
        return Effect.as(Effect.orDie(guardedCount(guard)), false)
      })
      yield* release(root, "counter-a", askedTooEarly)
      expect(yield* ownerOf(root)).toBe("counter-a")
    }).pipe(Effect.provide(layerMemory))
  )

  it.effect("needs the name to be its own", () =>
    Effect.gen(function* () {
      const lost = (owner: string) => Effect.flip(requireOwned(root, owner))
      expect(yield* lost("user-1")).toEqual(new NameLost({ name: root, stream: "user-1" }))
      yield* outcome("user-1")
      expect(yield* lost("user-2")).toEqual(new NameLost({ name: root, stream: "user-2" }))
      expect(yield* requireOwned(root, "user-1")).toEqual(yield* reserve(root, "user-1", held))
    }).pipe(Effect.provide(layerMemory))
  )
})
