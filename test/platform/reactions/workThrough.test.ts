import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Stream, SubscriptionRef } from "effect"
import { TestClock } from "effect/testing"
import { OnAppended } from "#src/platform/Origin.ts"
import { Projections } from "#src/platform/Projections.ts"
import { type DueQuery, workThrough } from "#src/platform/reactions/workThrough.ts"

interface Item {
  readonly id: number
  readonly user: string
  readonly project: string
}

const itemOf = (id: number, user: string, project = `${id}`): Item => ({ id, user, project })

/** Read models, and how they are said to be further. */
const readModels = Effect.map(SubscriptionRef.make(0), (ref) => {
  const awaitPosition = (wanted: number) =>
    SubscriptionRef.changes(ref).pipe(
      Stream.filter((position) => position >= wanted),
      Stream.runHead,
      Effect.asVoid
    )
  return {
    advance: (position: number) => Effect.andThen(SubscriptionRef.set(ref, position), soon),
    layer: Layer.mock(Projections)({
      names: [],
      position: SubscriptionRef.get(ref),
      awaitPosition,
      awaitBeyond: (position) => awaitPosition(position + 1)
    })
  }
})
const standing = Layer.mock(Projections)({
  names: [],
  position: Effect.succeed(0),
  awaitPosition: () => Effect.void,
  awaitBeyond: () => Effect.never
})

/** Works through items that stay due until they are done, in the order of the list. */
const work = (items: Array<Item>, perform: (item: Item) => Effect.Effect<void, unknown>, projections = standing) => {
  const [done, told, queries] = [[] as number[], [] as (readonly [id: number, tries: number])[], [] as DueQuery[]]
  const working = workThrough({
    due: (query) =>
      Effect.sync(() => {
        queries.push(query)
        const taken = new Set([...query.running, ...query.waiting])
        return items.filter(({ id }) => !taken.has(id)).slice(0, query.limit)
      }),
    turnOf: ({ project, user }) => ({ caller: user, subject: project }),
    perform: (item) =>
      Effect.andThen(
        perform(item),
        Effect.sync(() => {
          done.push(item.id)
          items.splice(items.indexOf(item), 1)
        })
      ),
    onFailure: ({ id }, tries) => Effect.sync(() => void told.push([id, tries]))
  })
  return { queries, done, told, begin: Effect.forkScoped(Effect.provide(working, projections)) }
}

const soon = TestClock.adjust("1 millis")

it.effect("does all that is due, also what comes later", () =>
  Effect.gen(function* () {
    const items = Array.from({ length: 150 }, (_, id) => itemOf(id, `user-${id}`))
    const { begin, done } = work(items, () => Effect.void)
    yield* begin
    yield* TestClock.adjust("1 second")
    assert.strictEqual(done.length, 150)
    items.push(itemOf(200, "later"))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(done.slice(150), [200])
  })
)

it.effect("tries again what fails, after a longer time each time, and keeps nobody by that", () =>
  Effect.gen(function* () {
    const items = [itemOf(1, "a"), itemOf(2, "a"), itemOf(3, "b")]
    const { begin, done, told } = work(items, ({ id }) => (id === 1 ? Effect.fail("no") : Effect.void))
    yield* begin
    yield* soon
    assert.deepStrictEqual([done, told], [[2, 3], [[1, 1]]])
    for (const [seconds, tries] of [
      [2, 2],
      [3, 3],
      [5, 4]
    ] as const) {
      yield* TestClock.adjust(`${seconds} seconds`)
      assert.deepStrictEqual(told.at(-1), [1, tries])
    }
    yield* TestClock.adjust("1 hour")
    assert.isAtMost(told.length, 9 + 12)
  })
)

it.effect("keeps nobody by what takes long, of a few users or in a few projects", () =>
  Effect.gen(function* () {
    const slow = ["a", "b", "c", "d"].flatMap((user, index) => [1, 2, 3].map((more) => itemOf(10 * index + more, user)))
    const project = Array.from({ length: 6 }, (_, index) => itemOf(100 + index, `of-project-${index}`, "large"))
    const begun: Array<number> = []
    const { begin, done } = work([...slow, ...project, itemOf(200, "e")], ({ id }) =>
      Effect.andThen(
        Effect.sync(() => begun.push(id)),
        id === 200 ? Effect.void : Effect.never
      )
    )
    yield* begin
    yield* soon
    assert.deepStrictEqual(done, [200])
    assert.deepStrictEqual(
      begun.filter((id) => id !== 200),
      [1, 2, 11, 12, 21, 22, 31, 32, 100, 101, 102]
    )
  })
)

it.effect("forgets how often something failed that was done, or did not come back", () =>
  Effect.gen(function* () {
    let isFailing = true
    const items = [itemOf(1, "a")]
    const { queries, begin, told } = work(items, () => (isFailing ? Effect.fail("no") : Effect.void))
    yield* begin
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(told, [
      [1, 1],
      [1, 2]
    ])
    isFailing = false
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual(items, [])
    isFailing = true
    items.push(itemOf(1, "a"))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(told.at(-1), [1, 1])
    items.pop()
    yield* TestClock.adjust("10 minutes")
    assert.deepStrictEqual(queries.at(-1), { running: [], waiting: [], limit: 100 })
    items.push(itemOf(1, "a"))
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(told.at(-1), [1, 1])
  })
)

it.effect("looks again when read models have moved, but no more than five times a second", () =>
  Effect.gen(function* () {
    const { advance, layer } = yield* readModels
    const items: Array<Item> = []
    const { begin, done, queries } = work(items, () => Effect.void, layer)
    yield* begin
    yield* TestClock.adjust("300 millis")
    items.push(itemOf(1, "a"))
    yield* TestClock.adjust("100 millis")
    assert.deepStrictEqual([done, queries.length], [[], 1])
    yield* advance(1)
    assert.deepStrictEqual([done, queries.length], [[1], 2])
    for (let position = 2; position < 1_000; position++) yield* advance(position)
    assert.strictEqual(queries.length, 2 + 4)
  })
)

it.effect("takes nothing again before read models tell what became of it, and half a second has passed", () =>
  Effect.gen(function* () {
    const { advance, layer } = yield* readModels
    let appended = 0
    const change = Effect.map(OnAppended, (onAppended) => onAppended(++appended))
    const items = [itemOf(1, "a")]
    const { begin, done } = work(items, () => change, layer)
    yield* begin
    yield* soon
    items.push(itemOf(1, "a"))
    yield* TestClock.adjust("5 seconds")
    assert.deepStrictEqual(done, [1])
    yield* advance(1)
    yield* TestClock.adjust("490 millis")
    assert.deepStrictEqual(done, [1])
    yield* TestClock.adjust("20 millis")
    assert.deepStrictEqual(done, [1, 1])
  })
)

it.effect("looks less often the longer it takes to look", () =>
  Effect.gen(function* () {
    const times: Array<number> = []
    const due = Effect.gen(function* () {
      times.push(yield* Clock.currentTimeMillis)
      yield* Effect.sleep("50 millis")
      return []
    })
    const { advance, layer } = yield* readModels
    const working = workThrough<Item, never>({
      due: () => due,
      turnOf: ({ user }) => ({ caller: user }),
      perform: () => Effect.void,
      onFailure: () => Effect.void
    })
    yield* Effect.forkScoped(Effect.provide(working, layer))
    for (let position = 1; position < 1_100; position++) yield* advance(position)
    assert.deepStrictEqual(times, [0, 500, 1_000])
  })
)
