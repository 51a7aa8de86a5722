import { Effect, Layer } from "effect"
import { ImportQueries, type PendingImport } from "#src/imports/Queries.ts"
import { lookupById } from "#src/platform/sql/lookup.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import type { ImportRow } from "#src/projects/ProjectImports.ts"

/** So many callers are looked at together, and so many of the oldest imports of each. */
const [maxCallers, maxOfCaller] = [20, 10]

/** Each step is one look into an index, so that it costs the same however many imports are pending. */
const pendingText = `
  with recursive callers(name, place) as (
    (select scheduled_by, 1 from rm_imports.pending where scheduled_by > $1 order by scheduled_by limit 1)
    union all
    select (select p.scheduled_by from rm_imports.pending p where p.scheduled_by > c.name order by p.scheduled_by limit 1), c.place + 1
    from callers c where c.name is not null and c.place < ${maxCallers}
  )
  select oldest.id, c.name as "scheduledBy"
  from callers c cross join lateral (
    select p.id, p.scheduled_at from rm_imports.pending p where p.scheduled_by = c.name order by p.scheduled_at, p.id limit ${maxOfCaller}
  ) oldest
  where c.name is not null order by c.name, oldest.scheduled_at, oldest.id`

/** Answers questions about imports from Postgres. */
export const importQueries: Layer.Layer<ImportQueries, never, Sql> = Layer.effect(
  ImportQueries,
  Effect.map(Sql, ({ client, lookups }) =>
    ImportQueries.of({
      find: lookupById<ImportRow>(
        lookups,
        "select id, import_url, status, error, progress from rm_imports.imports where id = any($1)"
      ),
      pending: (after) => query(() => client.unsafe<Array<PendingImport>>(pendingText, [after], { prepare: true }))
    })
  )
)
