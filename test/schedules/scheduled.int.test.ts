import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { scheduleQueries } from "#projections/schedules/queries.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { ScheduleQueries } from "#src/schedules/Queries.ts"
import { asking, blocksOf } from "#test/support/blocks.ts"
import { databaseLayer } from "#test/support/database.ts"

const now = 1_000_000
/** Schedules, all but the first ten of which are due later, and slots, all but ten of which are over. */
const many = 60_000

const population: ReadonlyArray<string> = [
  `insert into rm_schedules.schedules (id, project_id, owner_id, description, ref, cron, cron_timezone, is_active, next_run_at, revision,
    planned_by, created_at, updated_at)
  select i, i % 1000, i % 100, 'nightly', 'refs/heads/main', '0 1 * * *', 'UTC', i % 5 > 0 or i <= 10,
    case when i <= 10 then ${now - 10} + i when i % 5 > 0 then ${now} + i end, 0, 0, 0, 0
  from generate_series(1, ${many}) i`,
  `insert into rm_schedules.slots (schedule_id, at, state, reason, noted_at)
  select i % 1000, i, case when i <= 10 then 'started' else 'fired' end, 'normal', 0 from generate_series(1, ${many}) i`,
  "analyze"
]

/** The tables have a thousand together. */
const maxBlocks = 60

describe("what the scheduler asks, at its start and again and again,", () => {
  it.live("costs no more where there is more that is not due", () =>
    Effect.gen(function* () {
      const { queries, sent } = yield* asking(ScheduleQueries, scheduleQueries, population)
      const measure = Effect.fnUntraced(function* () {
        const due = yield* queries.due(now, 1_000, [3])
        expect(due.map(({ id }) => id)).toEqual([1, 2, 4, 5, 6, 7, 8, 9, 10])
        expect(yield* queries.due(0, 1, [])).toEqual([])
        expect(yield* queries.nextDue(now)).toBe(now + 11)
        expect(yield* queries.unfinished(now, 1_000, undefined)).toHaveLength(10)
        const statements = sent.splice(0)
        expect(statements).toHaveLength(4)
        for (const statement of statements) expect(yield* blocksOf(statement)).toBeLessThanOrEqual(maxBlocks)
      })
      yield* measure()
      yield* Sql.use(({ client }) => query(() => client.unsafe("vacuum")))
      yield* measure()
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(databaseLayer)))
  )
})
