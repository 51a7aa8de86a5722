import { raw, select, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"

interface Numbered {
  readonly project_id: number
  readonly iid: number
}

/** The descriptions of rows of a table, by their ids. */
export const selectDescriptions = (client: Client, table: string, keys: ReadonlyArray<Numbered>) =>
  select<{ readonly id: number; readonly text: string | null }>(
    client,
    sql`select _d.id, _d.description as text from ${raw(table)} _d
      join unnest(${keys.map(({ project_id }) => project_id)}::bigint[], ${keys.map(({ iid }) => iid)}::bigint[]) _k(project_id, iid)
        on _d.project_id = _k.project_id and _d.iid = _k.iid`
  )
