import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { makeClient } from "#src/platform/sql/client.ts"
import { raw, select, sql } from "#src/platform/sql/fragment.ts"
import { query } from "#src/platform/sql/Sql.ts"
import { freshDatabase } from "#test/support/database.ts"

it.live("of statements with many texts the server keeps the first, and answers the others as well", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase()
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => makeClient(url, { connections: 1, name: "test" })),
      (it) => Effect.promise(() => it.end())
    )
    /** `kind` is a part of the text, the limit is not. */
    const numbers = (kind: number, limit: number) => {
      const filter = sql`where n < ${limit} and n <> all(${[1, 2]}::int[]) ${raw(`and n <> ${-1 - kind}`)}`
      return select<{ n: number }>(client, sql`select n from generate_series(0, ${9}::int) n ${filter}`)
    }
    const kept = query(
      async () => (await client`select from pg_prepared_statements where statement like 'select n from%'`).length
    )
    for (let kind = 0; kind < 40; kind++) {
      for (const [limit, expected] of [
        [3, [0]],
        [5, [0, 3, 4]]
      ] as const) {
        expect((yield* numbers(kind, limit)).map(({ n }) => n)).toEqual(expected)
      }
    }
    expect(yield* kept).toBe(32)
  }).pipe(Effect.scoped)
)
