import { assert, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Queue } from "effect"
import { vi } from "vitest"
import { gather, lookup, lookupAll } from "#src/platform/sql/lookup.ts"
import { SqlError } from "#src/platform/sql/Sql.ts"

interface Row {
  readonly id: number
  readonly name: string
}

/** A table with the rows 1 to 3, and the keys of the statements that were sent to it. Key 666 breaks the connection when its turn comes. */
const makeTable = () => {
  const statements: Array<Array<number>> = []
  const rowsOf = (ids: Array<number>): ReadonlyArray<Row> => {
    statements.push(ids)
    return ids.filter((id) => id <= 3 || id === 666).map((id): Row => ({ id, name: `row ${id}` }))
  }
  const find = lookup<number, Row>(
    async (ids, onRow) => {
      for (const row of rowsOf(ids)) {
        if (row.id === 666) throw new Error("no connection")
        onRow(row)
      }
    },
    ({ id }) => id
  )
  const findAll = lookupAll<number, Row>(
    async (ids) => {
      const rows = rowsOf(ids)
      if (ids.includes(666)) throw new Error("no connection")
      return [...rows, ...rows]
    },
    ({ id }) => id
  )
  return { find, findAll, statements }
}

const messageOf = (exit: Exit.Exit<unknown, SqlError>): unknown => {
  const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit.value
  return defect instanceof SqlError ? defect.message : defect
}

it.live("asks in one statement what is asked in one turn, every key once", () =>
  Effect.gen(function* () {
    const { find, statements } = makeTable()
    const found = yield* Effect.all([find(2), find(1), find(2), find(9)], { concurrency: "unbounded" })
    assert.deepStrictEqual(found, [{ id: 2, name: "row 2" }, { id: 1, name: "row 1" }, { id: 2, name: "row 2" }, undefined])
    assert.deepStrictEqual(statements, [[2, 1, 9]])
  })
)

it.live("asks again for whoever comes after the statement was sent", () =>
  Effect.gen(function* () {
    const { find, statements } = makeTable()
    const late = Effect.andThen(
      Effect.callback<void>((resume) => {
        setImmediate(() => resume(find(1)))
      }),
      find(1)
    )
    yield* Effect.all([find(1), late], { concurrency: "unbounded" })
    assert.deepStrictEqual(statements, [[1], [1], [1]])
  })
)

it.live("answers with all rows of a key, each key once", () =>
  Effect.gen(function* () {
    const { findAll, statements } = makeTable()
    const found = yield* Effect.all([findAll(2), findAll(9), findAll(2)], { concurrency: "unbounded" })
    const row = { id: 2, name: "row 2" }
    assert.deepStrictEqual(found, [[row, row], [], [row, row]])
    assert.deepStrictEqual(statements, [[2, 9]])
  })
)

it.live("fails all who have no answer yet, and nobody after them", () =>
  Effect.gen(function* () {
    const { find, findAll } = makeTable()
    const some = [find(1), find(666), find(2)].map(Effect.exit)
    const exits = yield* Effect.all(some, { concurrency: "unbounded" })
    assert.deepStrictEqual(exits.map(messageOf), [{ id: 1, name: "row 1" }, "no connection", "no connection"])
    assert.deepStrictEqual(yield* find(2), { id: 2, name: "row 2" })
    assert.strictEqual(messageOf(yield* Effect.exit(findAll(666))), "no connection")
  })
)

it.live("answers as soon as a row is there", () =>
  Effect.gen(function* () {
    const rest = yield* Deferred.make<void>()
    const find = lookup<number, Row>(
      async (_, onRow) => {
        onRow({ id: 1, name: "row 1" })
        await Effect.runPromise(Deferred.await(rest))
        onRow({ id: 2, name: "row 2" })
      },
      ({ id }) => id
    )
    const second = yield* Effect.forkChild(find(2), { startImmediately: true })
    assert.deepStrictEqual(yield* find(1), { id: 1, name: "row 1" })
    yield* Deferred.succeed(rest, undefined)
    assert.deepStrictEqual(yield* Fiber.join(second), { id: 2, name: "row 2" })
  })
)

it.live("survives one who goes away", () =>
  Effect.gen(function* () {
    const { find } = makeTable()
    const found = yield* Effect.all([Effect.timeoutOption(find(1), 0), find(1)], { concurrency: "unbounded" })
    assert.deepStrictEqual(found[1], { id: 1, name: "row 1" })
  })
)

it.live("gathers what is asked for while as many statements as may be are on their way", () =>
  Effect.gen(function* () {
    const sent = yield* Queue.unbounded<{ readonly keys: Array<number>; readonly answer: () => void }>()
    const find = gather<number, string>(async (waiting, keys) => {
      const answered = Promise.withResolvers<void>()
      Queue.offerUnsafe(sent, { keys, answer: answered.resolve })
      await answered.promise
      for (const [key, resumes] of waiting) for (const resume of resumes) resume(Effect.succeed(`found ${key}`))
    }, 1)
    const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    const ask = (key: number) => Effect.tap(Effect.forkChild(find(key), { startImmediately: true }), turn)
    const asked = [yield* ask(1), yield* ask(2), yield* ask(3), yield* ask(2)]
    const first = yield* Queue.take(sent)
    first.answer()
    const second = yield* Queue.take(sent)
    second.answer()
    assert.deepStrictEqual([first.keys, second.keys], [[1], [2, 3]])
    assert.deepStrictEqual(yield* Effect.forEach(asked, Fiber.join), ["found 1", "found 2", "found 3", "found 2"])
  })
)

it.effect("gives up in time, the last second of which begins when the loop goes on after a halt", () =>
  Effect.gen(function* () {
    const timers: Array<readonly [callback: () => void, millis: number]> = []
    const startedAt = performance.now()
    vi.spyOn(performance, "now").mockReturnValue(startedAt)
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((callback: () => void, millis: number) => {
      timers.push([callback, millis])
    }) as never)
    yield* Effect.addFinalizer(() => Effect.sync(() => vi.restoreAllMocks()))
    const answers: Array<() => void> = []
    const find = gather<number, number>(async (waiting, keys) => {
      await new Promise<void>((resolve) => answers.push(resolve))
      for (const resume of keys.flatMap((key) => waiting.get(key) ?? [])) resume(Effect.succeed(keys.length))
    })
    const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    const ask = Effect.tap(Effect.forkChild(Effect.exit(find(1)), { startImmediately: true }), turn)
    const [answered, unanswered] = [yield* ask, yield* ask]
    for (const [expire] of [...timers]) expire()
    assert.deepStrictEqual(
      timers.map(([, millis]) => millis),
      [7_000, 7_000, 1_000, 1_000]
    )
    // What has arrived meanwhile is read in the turn in which the first timers went off.
    answers[0]?.()
    assert.deepStrictEqual(yield* Fiber.join(answered), Exit.succeed(1))
    timers[3]?.[0]()
    assert.strictEqual(messageOf(yield* Fiber.join(unanswered)), "the database does not answer")
  })
)
