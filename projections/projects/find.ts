import { Effect } from "effect"
import { isCurrent, roleInPlace } from "#projections/namespaces/access.ts"
import { namespaceByPath } from "#projections/namespaces/expressions.ts"
import { lookup } from "#src/platform/sql/lookup.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import type { ProjectRow, Projects } from "#src/projects/Projects.ts"
import type { ProjectDetails, ProjectQueries } from "#src/projects/Queries.ts"
import { projectColumns } from "./columns.ts"
import { detailColumns, detailTables } from "./details.ts"

/** The project with a full path: what has it comes before what had it. */
const byPath = `
  select found.id
  from (select ${namespaceByPath("regexp_replace(a.path, '/[^/]*$', '')")} as namespace,
    lower(regexp_replace(a.path, '^.*/', '')) as path) requested
  cross join lateral (
    select q.id, 0 as preference from rm_projects.projects q
    where q.namespace_id = requested.namespace and lower(q.path) = requested.path
    union all
    select r.project_id, 1 from rm_projects.redirects r where r.namespace_id = requested.namespace and r.path = requested.path
    order by preference limit 1
  ) found
  where a.path is not null`

/** Projects `p` that are requested by id or path, `a`: `$1` keys, `$2` users, `$3` ids, `$4` paths, null where not given. */
const requested = `
  from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) as a(key, user_id, id, path)
  cross join lateral (select a.id where a.id is not null union all ${byPath}) matched(id)
  join rm_projects.projects p on p.id = matched.id`

const isMoved = "a.path is not null and lower(a.path) <> lower(s.full_path || '/' || p.path) as is_moved"

const findText = `
  select ${projectColumns}, s.full_path || '/' || p.path as path_with_namespace, a.key as asked,
    greatest(m.access_level, s.role) as role, ${isMoved}
  ${requested}
  join lateral (${roleInPlace("a.user_id", { namespace: "p.namespace_id", project: "p.id" })}) s on s.full_path is not null
  left join rm_projects.project_members m on m.project_id = p.id and m.user_id = a.user_id and ${isCurrent("m")}`

const findDetailsText = `select ${detailColumns}, a.key as asked, ${isMoved} ${requested} ${detailTables("a.user_id")}`

type Requested = { readonly asked: string; readonly is_moved: boolean }

const parsed = (key: string) => {
  const split = key.indexOf(" ")
  const [user, text] = [key.slice(0, split), key.slice(split + 1)]
  return {
    user: user === "" ? null : Number(user),
    id: /^\d{1,15}$/.test(text) ? Number(text) : null,
    path: text.includes("/") ? text : null
  }
}

/** Finds projects by id or path, for a user, with a statement that answers for `asked`. */
const finder = <Row extends Requested>(lookups: Client, text: string) => {
  const find = lookup(
    (keys: Array<string>) => {
      const requests = keys.map(parsed)
      const columns = [keys, requests.map(({ user }) => user), requests.map(({ id }) => id), requests.map(({ path }) => path)]
      return lookups.unsafe<Array<Row>>(text, columns, { prepare: true })
    },
    ({ asked }: Row) => asked
  )
  // Postgres takes no NUL, so that nothing has such a path.
  return (idOrPath: string, userId: number | undefined): Effect.Effect<Row | undefined> =>
    idOrPath.includes("\0") ? Effect.undefined : find(`${userId ?? ""} ${idOrPath}`)
}

export const findOf = (lookups: Client): Projects["Service"]["find"] => {
  const find = finder<ProjectRow & Requested & { readonly role: number }>(lookups, findText)
  return (idOrPath, userId) =>
    Effect.map(find(idOrPath, userId), (row) => row && { project: row, role: row.role, isMoved: row.is_moved })
}

export const findDetailsOf = (lookups: Client): ProjectQueries["Service"]["find"] => {
  const find = finder<ProjectDetails & Requested>(lookups, findDetailsText)
  return (idOrPath, userId) =>
    Effect.map(find(idOrPath, userId), (row) => row && { project: row, role: row.role, isMoved: row.is_moved })
}
