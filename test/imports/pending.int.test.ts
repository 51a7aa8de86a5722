import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { importQueries } from "#projections/imports/queries.ts"
import { ImportQueries } from "#src/imports/Queries.ts"
import { asking, blocksOf } from "#test/support/blocks.ts"
import { databaseLayer } from "#test/support/database.ts"

/** One user wants most of them, the others three each. */
const population = [
  `insert into rm_imports.pending (id, scheduled_at, scheduled_by)
  select i, i, case when i <= 30000 then 'user:1' else 'user:' || (1000 + i % 10000) end from generate_series(1, 60000) i`,
  "analyze"
]

/** The index alone has a thousand. */
const maxBlocks = 250

describe("imports that are pending", () => {
  it.live("are looked at by callers, at the same cost however many there are", () =>
    Effect.gen(function* () {
      const { queries, sent } = yield* asking(ImportQueries, importQueries, population)
      const { pending } = queries
      const first = yield* pending("")
      expect(first.slice(0, 11)).toEqual([
        ...Array.from({ length: 10 }, (_, index) => ({ id: index + 1, scheduledBy: "user:1" })),
        { id: 40_000, scheduledBy: "user:1000" }
      ])
      expect(new Set(first.map(({ scheduledBy }) => scheduledBy)).size).toBe(20)
      expect((yield* pending("user:1000"))[0]).toEqual({ id: 39_000, scheduledBy: "user:10000" })
      expect(yield* pending("user:9999")).toEqual([])
      const statements = sent.splice(0)
      expect(statements).toHaveLength(3)
      for (const statement of statements) expect(yield* blocksOf(statement)).toBeLessThanOrEqual(maxBlocks)
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(databaseLayer)))
  )
})
