import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { release, reserve } from "#src/platform/Reservations.ts"

const root = { kind: "username", text: "root" }
const held = () => Effect.succeed(true)
const notHeld = () => Effect.succeed(false)

/** `taken by <owner>`, or `mine`. */
const outcome = (owner: string, stillHeld: typeof held = held, name = root) =>
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
      yield* release(root, "user-2")
      expect(yield* outcome("user-2")).toBe("taken by user-1")
      yield* release(root, "user-1")
      expect(yield* outcome("user-2")).toBe("mine")
      yield* release(root, "user-1")
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
})
