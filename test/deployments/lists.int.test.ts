import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { deploymentQueries } from "#projections/deployments/queries.ts"
import { type DeploymentFilter, DeploymentQueries } from "#src/deployments/Queries.ts"
import { asking, blocksOf } from "#test/support/blocks.ts"
import { databaseLayer } from "#test/support/database.ts"

/** More than are counted for a list. */
const many = 60_000
/** All of them are in 800. How many are counted is limited elsewhere. */
const maxBlocks = 400

const population = [
  `insert into rm_deployments.environments values (1, 1, 'production', 'production', null, 'other', 'available', false, 0, 0)`,
  `insert into rm_deployments.deployments
    select i, 1, i, 1, 1, 'b' || (i * 7919) % 1000, false, 'sha', case when i % 9 = 0 then 'running' else 'success' end,
      (i * 31) % ${many}, (i * 17) % ${many}, case when i % 9 = 0 then null else (i * 13) % ${many} end
    from generate_series(1, ${many}) i`,
  "analyze"
]

const orders: ReadonlyArray<DeploymentFilter["order"]["by"]> = ["id", "iid", "ref", "created_at", "updated_at", "finished_at"]

describe("a list of very many deployments", () => {
  it.live("reads about what it shows in every order, and behind a time", () =>
    Effect.gen(function* () {
      const { queries, sent } = yield* asking(DeploymentQueries, deploymentQueries, population)
      for (const by of orders) {
        for (const descending of [true, false]) {
          sent.length = 0
          const { rows } = yield* queries.list({ projectId: 1, order: { by, descending } }, { limit: 20, offset: 0 })
          expect(rows).toHaveLength(20)
          const [list] = sent
          expect([by, descending, (yield* blocksOf(list ?? expect.unreachable())) < maxBlocks]).toEqual([by, descending, true])
        }
      }
      sent.length = 0
      const order = { by: "updated_at", descending: true } as const
      const recent = yield* queries.list({ projectId: 1, order, updatedAfter: many - 5 }, { limit: 20, offset: 0 })
      expect(recent.rows.map(({ updated_at }) => updated_at)).toEqual([many - 1, many - 2, many - 3, many - 4, many - 5])
      const [list] = sent
      expect(yield* blocksOf(list ?? expect.unreachable())).toBeLessThan(maxBlocks)
    }).pipe(Effect.provide(Layer.fresh(databaseLayer)), Effect.scoped)
  )
})
