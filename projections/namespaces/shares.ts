import { Effect } from "effect"
import type { ShareRow } from "#src/members/questions.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"
import { isCurrent, roleInPlace } from "./access.ts"
import { leadsOf } from "./hiddenGroups.ts"

type Row = Omit<ShareRow, "leadsToMembership">

/** The columns of a `Row` of the shares of what has the ids `$1`, as user `$2` (may be null) finds the groups; by id. */
const textOf = (table: string, shared: string): string => `
  select _s.id, _s.${shared} as shared_id, _s.invited_group_id as group_id, _g.name as group_name, _g.visibility,
    _at.full_path as group_full_path, _s.created_at, _s.access_level, _s.expires_at, _at.role
  from ${table} _s
  join rm_namespaces.namespaces _g on _g.id = _s.invited_group_id
  cross join lateral (${roleInPlace("$2::bigint", { namespace: "_g.id" })}) _at
  where _s.${shared} = any($1::bigint[]) and ${isCurrent("_s")}
  order by _s.id`

/** Whoever asks for shares. */
interface Viewer {
  readonly userId: number | null | undefined
  readonly isAdministrator: boolean
}

/** Answers which current shares with groups things have. `shared` is the column of the table that names them. */
export const sharesOf = (lookups: Client, table: string, shared: string) => {
  const text = textOf(table, shared)
  const leads = leadsOf(lookups)
  return Effect.fnUntraced(function* (ids: ReadonlyArray<number>, { isAdministrator, userId = null }: Viewer) {
    const rows = yield* query(() => lookups.unsafe<Array<Row>>(text, [[...ids], userId], { prepare: true }))
    const asker = isAdministrator ? null : userId
    return yield* Effect.forEach(
      rows,
      (row) =>
        Effect.map(leads({ ...row, id: row.group_id }, asker), (leadsToMembership): ShareRow => ({ ...row, leadsToMembership })),
      { concurrency: "unbounded" }
    )
  })
}
