import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { handle } from "#src/platform/Commands.ts"
import { layerMemory } from "#src/platform/eventStore/memory.ts"
import { NameHolders } from "#src/platform/NameHolders.ts"
import { projectAggregate } from "#src/projects/aggregate.ts"
import { heldByProject, NamesTaken, namesOf, releaseUnheld, reserveNames } from "#src/projects/names.ts"
import { create } from "./samples.ts"

const layer = Layer.merge(layerMemory, NameHolders.layer([heldByProject]))
const names = (path: string, name = path) => namesOf({ namespaceId: 2, path, name })
const made = (id: number, path: string) =>
  handle(projectAggregate, id, { ...create, path, settings: { ...create.settings, name: path } })

/** The attributes that are taken; undefined when the names were reserved. */
const attempt = (id: number, path: string, name?: string) =>
  reserveNames(names(path, name), id).pipe(
    Effect.as(undefined),
    Effect.catchTag("NamesTaken", ({ attributes }) => Effect.succeed(attributes))
  )

/** As `attempt`, where nobody comes about meanwhile who is waited for. */
const reserves = Effect.fnUntraced(function* (id: number, path: string, name?: string) {
  const attempted = yield* Effect.forkChild(attempt(id, path, name))
  while (attempted.pollUnsafe() === undefined) yield* TestClock.adjust("10 millis")
  return yield* Fiber.join(attempted)
})

it.effect("belong to one project, the path without regard to case", () =>
  Effect.gen(function* () {
    assert.isUndefined(yield* reserves(1, "tool"))
    yield* made(1, "tool")
    yield* TestClock.adjust("1 hour")
    assert.deepEqual(yield* reserves(2, "tool"), ["name", "path"])
    assert.deepEqual(yield* reserves(2, "TOOL", "other"), ["path"])
    assert.isUndefined(yield* reserves(3, "other"))
    assert.deepEqual(yield* heldByProject("project-1"), [
      { kind: "project-name", text: "2/tool" },
      { kind: "path", text: "2/tool" }
    ])
    assert.deepEqual(yield* heldByProject("group-1"), [])
  }).pipe(Effect.provide(layer))
)

it.effect("who is slower hears of every name of who is faster, also of those that come last", () =>
  Effect.gen(function* () {
    const [name, ...others] = names("tool")
    if (name === undefined) return assert.fail()
    yield* reserveNames([name], 1)
    const slower = yield* Effect.forkChild(attempt(2, "tool"))
    // Long enough that it has looked for every name once.
    yield* Effect.repeat(TestClock.adjust("10 millis"), { times: 100 })
    yield* reserveNames(others, 1)
    yield* made(1, "tool")
    while (slower.pollUnsafe() === undefined) yield* TestClock.adjust("10 millis")
    assert.deepEqual(yield* Fiber.join(slower), ["name", "path"])
  }).pipe(Effect.provide(layer))
)

it.effect("are free again when their project never came about, was renamed or deleted without giving them back", () =>
  Effect.gen(function* () {
    assert.isUndefined(yield* reserves(1, "tool"))
    assert.deepEqual(yield* reserves(2, "tool"), ["name", "path"])
    yield* TestClock.adjust("30 seconds")
    assert.isUndefined(yield* reserves(2, "tool"))
    yield* made(2, "tool")
    yield* handle(projectAggregate, 2, { _tag: "Change", path: "moved", changes: { name: "moved" }, ceilings: [] })
    yield* TestClock.adjust("30 seconds")
    assert.isUndefined(yield* reserves(3, "tool"))
    yield* made(3, "tool")
    yield* handle(projectAggregate, 3, { _tag: "Delete" })
    yield* TestClock.adjust("30 seconds")
    assert.isUndefined(yield* reserves(4, "tool"))
  }).pipe(Effect.provide(layer))
)

it.effect("are given back only when the project does not have them", () =>
  Effect.gen(function* () {
    yield* reserves(1, "tool")
    yield* made(1, "tool")
    yield* releaseUnheld(names("tool"), 1)
    assert.deepEqual(yield* reserves(2, "tool"), ["name", "path"])
    yield* handle(projectAggregate, 1, { _tag: "Delete" })
    yield* releaseUnheld(names("tool"), 1)
    assert.isUndefined(yield* reserves(2, "tool"))
  }).pipe(Effect.provide(layer))
)

it.effect("are not given to a project whose command comes after they were taken over", () =>
  Effect.gen(function* () {
    const guard = yield* reserveNames(names("tool"), 1)
    yield* TestClock.adjust("30 seconds")
    assert.isUndefined(yield* reserves(2, "tool"))
    yield* made(2, "tool")
    const late = handle(
      projectAggregate,
      1,
      { ...create, path: "tool", settings: { ...create.settings, name: "tool" } },
      { guard }
    )
    const refused = yield* Effect.flip(late)
    assert.deepEqual(refused, new NamesTaken({ attributes: ["name", "path"] }))
    assert.deepEqual(yield* heldByProject("project-1"), [])
  }).pipe(Effect.provide(layer))
)
