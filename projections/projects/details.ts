import { isCurrent, roleInPlace } from "#projections/namespaces/access.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"
import type { ProjectDetails, ProjectQueries, SimpleProjectRow } from "#src/projects/Queries.ts"
import { projectColumns, simpleColumns } from "./columns.ts"

/** What both forms of a project `p` show that is not in its row; `user` is an SQL expression, may be null. */
const shown = `
  s.full_path || '/' || p.path as path_with_namespace, s.full_name || ' / ' || p.name as name_with_namespace,
  json_build_object('id', n.id, 'name', n.name, 'path', n.path, 'kind', n.kind, 'full_path', s.full_path,
    'parent_id', n.parent_id) as namespace,
  (select count(*) from rm_projects.projects f join rm_namespaces.namespaces fn on fn.id = f.namespace_id
    where f.forked_from_id = p.id) as forks_count,
  coalesce((select c.star_count from rm_projects.star_counts c where c.project_id = p.id), 0) as star_count,
  greatest(m.access_level, s.role) as role`

/** What it is computed from, behind the table `p`. */
const around = (user: string): string => `
  join rm_namespaces.namespaces n on n.id = p.namespace_id
  cross join lateral (${roleInPlace(user, { namespace: "p.namespace_id", project: "p.id" })}) s
  left join rm_projects.project_members m on m.project_id = p.id and m.user_id = ${user} and ${isCurrent("m")}`

/** How many open issues a project `p` has, of some. Nothing is kept of none. */
const openIssues = (which: string): string =>
  `coalesce((select c.opened from rm_issues.open_counts c where c.project_id = p.id and ${which}), 0)`

/** The select list of projects `p` with their details. The `limit 1` makes it a lookup: `exists` would read all shares into a table first. */
export const detailColumns = `${projectColumns}, ${shown},
  case when o.id is null then null
    else json_build_object('id', o.id, 'username', o.username, 'name', o.name, 'state', o.state) end as owner,
  m.access_level as own_level, case when n.kind = 'group' then s.inherited_role else 0 end as group_level,
  (select true from rm_projects.project_shares h where h.project_id = p.id limit 1) is not null as is_shared,
  i.status as import_status, i.import_url, i.error as import_error,
  ${openIssues("not c.is_confidential")} as open_issues, ${openIssues("c.is_confidential")} as open_confidential_issues`

/** The tables behind `p` that details are computed from, for a user, an SQL expression that may be null. */
export const detailTables = (user: string): string => `${around(user)}
  left join rm_users.users o on o.id = n.owner_id
  left join rm_imports.imports i on i.id = p.id`

const simpleText = `
  select ${simpleColumns}, ${shown} from rm_projects.projects p ${around("$2::bigint")} where p.id = any($1::bigint[])`

const withSources = `array(
  select unnest($1::bigint[])
  union select f.forked_from_id from rm_projects.projects f where f.id = any($1::bigint[]) and f.forked_from_id is not null)`

const detailsText = `
  select ${detailColumns} from rm_projects.projects p ${detailTables("$2::bigint")} where p.id = any(${withSources})`

/** Projects by id, for a user. */
export const detailsOf = (client: Client): Pick<ProjectQueries["Service"], "details" | "simple"> => ({
  details: (ids, userId) =>
    query(() => client.unsafe<Array<ProjectDetails>>(detailsText, [[...ids], userId ?? null], { prepare: true })),
  simple: (ids, userId) =>
    query(() => client.unsafe<Array<SimpleProjectRow>>(simpleText, [[...ids], userId ?? null], { prepare: true }))
})
