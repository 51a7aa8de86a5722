import { Effect } from "effect"
import { isCurrent, roleInPlace } from "#projections/namespaces/access.ts"
import { namespaceByPath } from "#projections/namespaces/expressions.ts"
import { lookup } from "#src/platform/sql/lookup.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import type { ProjectRow, Projects } from "#src/projects/Projects.ts"
import type { ProjectDetails, ProjectQueries } from "#src/projects/Queries.ts"
import { projectColumns } from "./columns.ts"
import { detailColumns, detailTables } from "./details.ts"

/** The project with a full path `a.wanted`: what has it comes before what had it. */
const byPath = `
  select found.id
  from (select ${namespaceByPath("regexp_replace(a.wanted, '/[^/]*$', '')")} as namespace,
    lower(regexp_replace(a.wanted, '^.*/', '')) as path) requested
  cross join lateral (
    select q.id, 0 as preference from rm_projects.projects q
    where q.namespace_id = requested.namespace and lower(q.path) = requested.path
    union all
    select r.project_id, 1 from rm_projects.redirects r where r.namespace_id = requested.namespace and r.path = requested.path
    order by preference limit 1
  ) found`

/** How projects are wanted: the type of `$3`, how the tables continue to projects `p`, and whether one was found by a former path. */
const wantedById = { type: "bigint", projects: "join rm_projects.projects p on p.id = a.wanted", isMoved: "false" }
const wantedByPath = {
  type: "text",
  projects: `cross join lateral (${byPath}) matched(id) join rm_projects.projects p on p.id = matched.id`,
  isMoved: "lower(a.wanted) <> lower(s.full_path || '/' || p.path)"
}
type Wanted = typeof wantedById

/** Projects `p` that are wanted: `$1` keys, `$2` users or null, `$3` ids or paths. */
const requested = ({ projects, type }: Wanted): string =>
  `from unnest($1::text[], $2::bigint[], $3::${type}[]) as a(key, user_id, wanted) ${projects}`

const findText = (wanted: Wanted): string => `
  select ${projectColumns}, s.full_path || '/' || p.path as path_with_namespace, a.key as asked,
    greatest(m.access_level, s.role) as role, ${wanted.isMoved} as is_moved
  ${requested(wanted)}
  join lateral (${roleInPlace("a.user_id", { namespace: "p.namespace_id", project: "p.id" })}) s on s.full_path is not null
  left join rm_projects.project_members m on m.project_id = p.id and m.user_id = a.user_id and ${isCurrent("m")}`

const findDetailsText = (wanted: Wanted): string => `
  select ${detailColumns}, a.key as asked, ${wanted.isMoved} as is_moved ${requested(wanted)} ${detailTables("a.user_id")}`

type Requested = { readonly asked: string; readonly is_moved: boolean }

/** The parts of the key `<user> <id or path>`. */
const partsOf = (key: string) => {
  const split = key.indexOf(" ")
  return { user: split === 0 ? null : Number(key.slice(0, split)), wanted: key.slice(split + 1) }
}

const isId = (text: string): boolean => /^\d{1,15}$/.test(text)

/** Postgres takes no NUL, so that nothing has such a path. */
const isPath = (text: string): boolean => text.includes("/") && !text.includes("\0")

/** Finds projects by id or path, for a user, with statements that answer for `asked`. */
const finder = <Row extends Requested>(lookups: Client, textOf: (wanted: Wanted) => string) => {
  const findBy = (text: string) =>
    lookup(
      (keys: Array<string>, onRow: (row: Row) => void) => {
        const parts = keys.map(partsOf)
        const columns = [keys, parts.map(({ user }) => user), parts.map(({ wanted }) => wanted)]
        return lookups.unsafe<Array<Row>>(text, columns, { prepare: true }).forEach(onRow)
      },
      ({ asked }: Row) => asked
    )
  const [findById, findByPath] = [findBy(textOf(wantedById)), findBy(textOf(wantedByPath))]
  return (idOrPath: string, userId: number | undefined): Effect.Effect<Row | undefined> => {
    const key = `${userId ?? ""} ${idOrPath}`
    if (isId(idOrPath)) return findById(key)
    return isPath(idOrPath) ? findByPath(key) : Effect.undefined
  }
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
