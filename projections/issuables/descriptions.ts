import { type Fragment, raw, select, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"

/** So many bytes of descriptions are read with the rows of a page. */
const maxOctets = 2 * 1024 * 1024

/**
 * The descriptions of a page of the table with this alias, up to the row where they become too long to be read all at once. What is left out
 * is not read.
 */
export const shortDescriptions = (alias: string, order: Fragment): Fragment => {
  const octets = raw(`coalesce(octet_length(${alias}.description), 0)`)
  const sum = sql`sum(${octets}) over (order by ${order} rows unbounded preceding)`
  return sql`${octets} as description_octets,
    case when ${sum} <= ${raw(String(maxOctets))} then ${raw(alias)}.description end as description,
    ${sum} > ${raw(String(maxOctets))} as description_is_left_out`
}

interface Numbered {
  readonly project_id: number
  readonly iid: number
}

/** The descriptions of rows of a table, by their ids. */
export const selectDescriptions = (client: Client, table: string, keys: ReadonlyArray<Numbered>) =>
  select<{ readonly id: number; readonly description: string | null }>(
    client,
    sql`select _d.id, _d.description from ${raw(table)} _d
      join unnest(${keys.map(({ project_id }) => project_id)}::bigint[], ${keys.map(({ iid }) => iid)}::bigint[]) _k(project_id, iid)
        on _d.project_id = _k.project_id and _d.iid = _k.iid`
  )
