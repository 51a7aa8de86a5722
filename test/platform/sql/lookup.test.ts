import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { lookup } from "#src/platform/sql/lookup.ts"
import { SqlError } from "#src/platform/sql/Sql.ts"

interface Row {
  readonly id: number
  readonly name: string
}

/** A table with the rows 1 to 3, and the keys of the statements that were sent to it. */
const makeTable = () => {
  const statements: Array<Array<number>> = []
  const find = lookup(
    (ids: Array<number>) => {
      statements.push(ids)
      if (ids.includes(666)) return Promise.reject(new Error("no connection"))
      return Promise.resolve(ids.filter((id) => id <= 3).map((id): Row => ({ id, name: `row ${id}` })))
    },
    ({ id }) => id
  )
  return { find, statements }
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

it.live("fails all who asked, and nobody after them", () =>
  Effect.gen(function* () {
    const { find } = makeTable()
    const exits = yield* Effect.all([Effect.exit(find(1)), Effect.exit(find(666))], { concurrency: "unbounded" })
    const defects = exits.map((exit) => (Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit.value))
    assert.deepStrictEqual(
      defects.map((defect) => defect instanceof SqlError && defect.message),
      ["no connection", "no connection"]
    )
    assert.deepStrictEqual(yield* find(1), { id: 1, name: "row 1" })
  })
)

it.live("survives one who goes away", () =>
  Effect.gen(function* () {
    const { find } = makeTable()
    const found = yield* Effect.all([Effect.timeoutOption(find(1), 0), find(1)], { concurrency: "unbounded" })
    assert.deepStrictEqual(found[1], { id: 1, name: "row 1" })
  })
)
