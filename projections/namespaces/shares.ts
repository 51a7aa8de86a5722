import { isCurrent, leadsToMembership, roleInPlace } from "./access.ts"

/**
 * The current shares of the things `$1` (an array of ids) with groups, as user `$2` (may be null) sees these: a select statement
 * with the columns of a `ShareRow`, by id. `shared` is the column of the table that names the things.
 */
export const sharesOf = (table: string, shared: string): string => `
  select _s.id, _s.${shared} as shared_id, _s.invited_group_id as group_id, _g.name as group_name, _g.visibility,
    _at.full_path as group_full_path, _s.created_at, _s.access_level, _s.expires_at, _at.role,
    _at.role = 0 and _g.visibility <> 'public' and ${leadsToMembership("$2::bigint", "_g.id")} as "leadsToMembership"
  from ${table} _s
  join rm_namespaces.namespaces _g on _g.id = _s.invited_group_id
  cross join lateral (${roleInPlace("$2::bigint", { namespace: "_g.id" })}) _at
  where _s.${shared} = any($1::bigint[]) and ${isCurrent("_s")}
  order by _s.id`
