import { Effect } from "effect"
import { isCurrent, namespaceName, namespacePath, namespaceRole } from "#projections/namespaces/expressions.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"
import type { ProjectDetails, ProjectReadModel } from "#src/projects/ReadModel.ts"

type Row = Omit<ProjectDetails, "role" | "group_level"> & { readonly namespace_level: number }

/** The select list and the tables of projects with their details; `user` is an SQL expression, may be null. */
export const detailed = (user: string): string => `
  select p.*, full_path.text || '/' || p.path as path_with_namespace,
    ${namespaceName("p.namespace_id")} || ' / ' || p.name as name_with_namespace,
    json_build_object('id', n.id, 'name', n.name, 'path', n.path, 'kind', n.kind, 'full_path', full_path.text,
      'parent_id', n.parent_id) as namespace,
    (select count(*) from rm_projects.projects f join rm_namespaces.namespaces fn on fn.id = f.namespace_id
      where f.forked_from_id = p.id) as forks_count,
    case when o.id is null then null
      else json_build_object('id', o.id, 'username', o.username, 'name', o.name, 'state', o.state) end as owner,
    m.access_level as own_level, ${namespaceRole(user, "p.namespace_id")} as namespace_level
  from rm_projects.projects p
  join rm_namespaces.namespaces n on n.id = p.namespace_id
  cross join lateral (select ${namespacePath("p.namespace_id")} as text) full_path
  left join rm_users.users o on o.id = n.owner_id
  left join rm_projects.project_members m on m.project_id = p.id and m.user_id = ${user} and ${isCurrent("m")}`

export const detailsOfRow = ({ namespace_level, ...row }: Row): ProjectDetails => ({
  ...row,
  role: Math.max(row.own_level ?? 0, namespace_level),
  group_level: row.namespace.kind === "group" ? namespace_level : 0
})

const byIds = `${detailed("$2::bigint")} where p.id = any($1::bigint[])`

/** Projects by id, for a user. */
export const detailsOf =
  (lookups: Client): ProjectReadModel["Service"]["details"] =>
  (ids, userId) =>
    Effect.map(
      query(() => lookups.unsafe<Array<Row>>(byIds, [[...ids], userId ?? null], { prepare: true })),
      (rows) => rows.map(detailsOfRow)
    )
