import { Effect } from "effect"
import { isCurrent, roleInPlace } from "#projections/namespaces/access.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"
import type { ProjectDetails, ProjectQueries } from "#src/projects/Queries.ts"
import { starCount } from "./stars.ts"

type Row = Omit<ProjectDetails, "group_level"> & { readonly namespace_level: number }

/** The select list and the tables of projects with their details; `user` is an SQL expression, may be null. */
export const detailed = (user: string): string => `
  select p.*, s.full_path || '/' || p.path as path_with_namespace, s.full_name || ' / ' || p.name as name_with_namespace,
    json_build_object('id', n.id, 'name', n.name, 'path', n.path, 'kind', n.kind, 'full_path', s.full_path,
      'parent_id', n.parent_id) as namespace,
    (select count(*) from rm_projects.projects f join rm_namespaces.namespaces fn on fn.id = f.namespace_id
      where f.forked_from_id = p.id) as forks_count,
    ${starCount("p.id")} as star_count,
    case when o.id is null then null
      else json_build_object('id', o.id, 'username', o.username, 'name', o.name, 'state', o.state) end as owner,
    m.access_level as own_level, s.inherited_role as namespace_level, greatest(m.access_level, s.role) as role,
    exists (select from rm_projects.project_shares h where h.project_id = p.id) as is_shared
  from rm_projects.projects p
  join rm_namespaces.namespaces n on n.id = p.namespace_id
  cross join lateral (${roleInPlace(user, { namespace: "p.namespace_id", project: "p.id" })}) s
  left join rm_users.users o on o.id = n.owner_id
  left join rm_projects.project_members m on m.project_id = p.id and m.user_id = ${user} and ${isCurrent("m")}`

export const detailsOfRow = ({ namespace_level, ...row }: Row): ProjectDetails => ({
  ...row,
  group_level: row.namespace.kind === "group" ? namespace_level : 0
})

const byIds = `${detailed("$2::bigint")} where p.id = any($1::bigint[])`

/** Projects by id, for a user. */
export const detailsOf =
  (lookups: Client): ProjectQueries["Service"]["details"] =>
  (ids, userId) =>
    Effect.map(
      query(() => lookups.unsafe<Array<Row>>(byIds, [[...ids], userId ?? null], { prepare: true })),
      (rows) => rows.map(detailsOfRow)
    )
