import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { layerPostgres } from "#src/platform/eventStore/postgres.ts"
import { query, Sql, SqlError } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"

const log = Layer.provideMerge(layerPostgres, Layer.fresh(databaseLayer))

/** The defect of a question to the log after `statement` has damaged it. */
const defectAfter = (statement: string, question: (store: EventStore["Service"]) => Effect.Effect<unknown>) =>
  Effect.gen(function* () {
    const { client } = yield* Sql
    yield* query(() => client.unsafe(statement))
    return yield* EventStore.use(question).pipe(Effect.catchDefect(Effect.succeed))
  }).pipe(Effect.provide(log), Effect.runPromise)

it.each([
  ["read", "events", (store: EventStore["Service"]) => store.read("thing-1")],
  ["readAll", "events", (store: EventStore["Service"]) => store.readAll(0, 10)],
  ["head", "log_head", (store: EventStore["Service"]) => store.head]
])("a log that %s finds without the table %s is broken, not only out of reach", async (_, table, question) => {
  const defect = await defectAfter(`alter table chronoforge.${table} rename to lost`, question)
  expect(defect instanceof SqlError ? defect.code : defect).toBe("42P01")
})
