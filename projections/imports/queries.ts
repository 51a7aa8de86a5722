import { Effect, Layer } from "effect"
import { ImportQueries, type PendingImport } from "#src/imports/Queries.ts"
import { lookupById } from "#src/platform/sql/lookup.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import type { ImportRow } from "#src/projects/ProjectImports.ts"

/** No more pending imports than this are read at a time. */
const maxPending = 100

/** Answers questions about imports from Postgres. */
export const importQueries: Layer.Layer<ImportQueries, never, Sql> = Layer.effect(
  ImportQueries,
  Effect.map(Sql, ({ client, lookups }) =>
    ImportQueries.of({
      find: lookupById<ImportRow>(
        lookups,
        "select id, import_url, status, error, progress from rm_imports.imports where id = any($1)"
      ),
      pending: (except) =>
        query(
          () => client<Array<PendingImport>>`
            select id, scheduled_by as "scheduledBy" from rm_imports.pending
            where scheduled_by <> all(${[...except]}::text[]) order by scheduled_at, id limit ${maxPending}`
        )
    })
  )
)
