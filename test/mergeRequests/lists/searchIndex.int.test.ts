import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { prepareReadModels } from "#projections/generations.ts"
import { issuesReadModel } from "#projections/issues/projection.ts"
import { allFound, commonTables } from "#projections/mergeRequests/list.ts"
import { mergeRequestsReadModel } from "#projections/mergeRequests/projection.ts"
import type { MergeRequestFilter } from "#src/mergeRequests/Queries.ts"
import { select, sql } from "#src/platform/sql/fragment.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { databaseLayer } from "#test/support/database.ts"

const readModels = [mergeRequestsReadModel, issuesReadModel]

/** The tables that have indexes by which texts are found. */
const textIndexes = Effect.gen(function* () {
  const { client } = yield* Sql
  yield* Effect.orDie(prepareReadModels(client, readModels))
  const found = yield* query(
    () => client<Array<{ name: string }>>`select schemaname || '.' || tablename as name from pg_indexes
      where schemaname like 'rm_%' and indexdef like '%gin_trgm_ops%' order by 1`
  )
  return found.map(({ name }) => name)
})

/** Rows of 5,000 merge requests, of which there is nothing but what they say. */
const statements = [
  `insert into rm_merge_requests.texts (project_id, iid, id, title, description)
    select 1, n, n, 'title of ' || md5(n::text), repeat(md5((-n)::text) || ' ', 10) from generate_series(1, 5000) n`,
  `do $$ declare name text; begin
    for name in select attname from pg_attribute where attrelid = 'rm_merge_requests.merge_requests'::regclass and attnum > 0 and attnotnull
      and attname not in ('project_id', 'iid') loop
      execute format('alter table rm_merge_requests.merge_requests alter %I drop not null', name);
    end loop; end $$`,
  "insert into rm_merge_requests.merge_requests (project_id, iid) select 1, n from generate_series(1, 5000) n",
  "vacuum analyze rm_merge_requests.texts, rm_merge_requests.merge_requests"
]

const fresh = Layer.fresh(databaseLayer)

/** How the server would find merge requests. */
const planOf = Effect.fnUntraced(function* (text: string) {
  const { client } = yield* Sql
  const filter: MergeRequestFilter = {
    projectId: 1,
    search: { text, in: ["title", "description"] },
    order: { by: "created_at", descending: true }
  }
  const statement = sql`explain ${commonTables(filter)} ${allFound(filter)}`
  const lines = yield* select<{ readonly "QUERY PLAN": string }>(client, statement)
  return lines.map((line) => line["QUERY PLAN"]).join("\n")
})

it.effect("what merge requests and issues say is found by an index", () =>
  Effect.gen(function* () {
    expect(yield* textIndexes).toEqual(["rm_issues.texts", "rm_merge_requests.texts"])
    const { client } = yield* Sql
    for (const statement of statements) yield* query(() => client.unsafe(statement))
    expect(yield* planOf("chrysoprase")).toContain("on texts_search_text_idx")
    expect(yield* planOf('the "rare words" chrysoprase')).toContain("on texts_search_text_idx")
  }).pipe(Effect.provide(fresh))
)

it.effect("a server that cannot have the index does without", () =>
  Effect.gen(function* () {
    yield* Sql.use(({ client }) => query(() => client`drop extension pg_trgm`))
    expect(yield* textIndexes).toEqual([])
    expect(yield* planOf("chrysoprase")).toContain("texts")
  }).pipe(Effect.provide(fresh))
)
