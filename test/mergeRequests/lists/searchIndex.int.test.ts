import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { prepareReadModels } from "#projections/generations.ts"
import { mergeRequestsReadModel } from "#projections/mergeRequests/projection.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"

/** How many indexes the tables have by which texts are found. */
const textIndexes = Effect.gen(function* () {
  const { client } = yield* Sql
  yield* Effect.orDie(prepareReadModels(client, [mergeRequestsReadModel]))
  const found = yield* query(
    () => client`select from pg_indexes where schemaname = 'rm_merge_requests' and indexdef like '%gin_trgm_ops%'`
  )
  return found.length
})

const fresh = Layer.fresh(databaseLayer)

it.effect("what merge requests say is found by an index", () =>
  Effect.gen(function* () {
    expect(yield* textIndexes).toBe(1)
  }).pipe(Effect.provide(fresh))
)

it.effect("a server that cannot have the index does without", () =>
  Effect.gen(function* () {
    yield* Sql.use(({ client }) => query(() => client`drop extension pg_trgm`))
    expect(yield* textIndexes).toBe(0)
  }).pipe(Effect.provide(fresh))
)
