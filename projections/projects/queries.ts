import { Context, Effect, Layer } from "effect"
import { isCurrent, roleInPlace } from "#projections/namespaces/access.ts"
import { namespaceByPath, showsMore } from "#projections/namespaces/expressions.ts"
import { sharesOf } from "#projections/namespaces/shares.ts"
import type { Visibility } from "#src/kernel/visibility.ts"
import type { ShareRow } from "#src/members/questions.ts"
import { lookup } from "#src/platform/sql/lookup.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"
import { type FoundProject, type ProjectRow, Projects, type ProtectedRefRow } from "#src/projects/Projects.ts"
import { ProjectQueries } from "#src/projects/Queries.ts"
import { detailsOf } from "./details.ts"
import { listOf } from "./list.ts"
import { memberQuestionsOf } from "./members.ts"
import { starrersOf } from "./stars.ts"
import { transferLocationsOf } from "./transferLocations.ts"
import { usersOf } from "./users.ts"

type RequestedRow = ProjectRow & { readonly asked: string; readonly role: number; readonly is_moved: boolean }

/** The project with a full path: what has it comes before what had it. */
const byPath = `
  select found.id
  from (select ${namespaceByPath("regexp_replace(a.path, '/[^/]*$', '')")} as namespace,
    lower(regexp_replace(a.path, '^.*/', '')) as path) wished
  cross join lateral (
    select q.id, 0 as preference from rm_projects.projects q
    where q.namespace_id = wished.namespace and lower(q.path) = wished.path
    union all
    select r.project_id, 1 from rm_projects.redirects r where r.namespace_id = wished.namespace and r.path = wished.path
    order by preference limit 1
  ) found
  where a.path is not null`

/** Projects by id or path, each with the role of one user: `$1` keys, `$2` users, `$3` ids, `$4` paths, null where not given. */
const findText = `
  select p.*, s.full_path || '/' || p.path as path_with_namespace, a.key as asked, greatest(m.access_level, s.role) as role,
    a.path is not null and lower(a.path) <> lower(s.full_path || '/' || p.path) as is_moved
  from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) as a(key, user_id, id, path)
  cross join lateral (select a.id where a.id is not null union all ${byPath}) wish(id)
  join rm_projects.projects p on p.id = wish.id
  join lateral (${roleInPlace("a.user_id", { namespace: "p.namespace_id", project: "p.id" })}) s on s.full_path is not null
  left join rm_projects.project_members m on m.project_id = p.id and m.user_id = a.user_id and ${isCurrent("m")}`

const keyOf = (idOrPath: string, userId: number | undefined): string => `${userId ?? ""} ${idOrPath}`

const parsed = (key: string) => {
  const split = key.indexOf(" ")
  const [user, text] = [key.slice(0, split), key.slice(split + 1)]
  return {
    user: user === "" ? null : Number(user),
    id: /^\d{1,15}$/.test(text) ? Number(text) : null,
    path: text.includes("/") ? text : null
  }
}

const foundProject = ({ asked: _, is_moved, role, ...project }: RequestedRow): FoundProject => ({
  project,
  role,
  isMoved: is_moved
})

const finder = (lookups: Client): Projects["Service"]["find"] => {
  const find = lookup(
    (keys: Array<string>) => {
      const requests = keys.map(parsed)
      const columns = [keys, requests.map(({ user }) => user), requests.map(({ id }) => id), requests.map(({ path }) => path)]
      return lookups.unsafe<Array<RequestedRow>>(findText, columns, { prepare: true })
    },
    ({ asked }) => asked
  )
  // Postgres takes no NUL, so that nothing has such a path.
  return (idOrPath, userId) =>
    idOrPath.includes("\0") ? Effect.undefined : Effect.map(find(keyOf(idOrPath, userId)), (row) => row && foundProject(row))
}

const refsText = "select * from rm_projects.protected_refs where project_id = $1 and kind = $2 order by name, id"

const projectsOf = (lookups: Client): Projects["Service"] => ({
  find: finder(lookups),
  protectedRefs: (projectId, kind) =>
    query(() => lookups.unsafe<Array<ProtectedRefRow>>(refsText, [projectId, kind], { prepare: true }))
})

type Names = { readonly namespaceId: number; readonly name: string; readonly path: string }
interface Taken {
  readonly name: boolean
  readonly path: boolean
}

const takenOf =
  (client: Client) =>
  ({ name, namespaceId, path }: Names, except: number | null): Effect.Effect<ReadonlyArray<"name" | "path">> =>
    Effect.map(
      query(
        () => client<Array<Taken>>`
          select coalesce(bool_or(p.name = ${name}), false) as name,
            coalesce(bool_or(lower(p.path) = ${path.toLowerCase()}), false) or exists (
              select 1 from rm_namespaces.namespaces n
              where n.parent_id = ${namespaceId} and lower(n.path) = ${path.toLowerCase()}
            ) as path
          from rm_projects.projects p where p.namespace_id = ${namespaceId} and p.id is distinct from ${except}::bigint`
      ),
      ([row]) => [...(row?.name ? ["name" as const] : []), ...(row?.path ? ["path" as const] : [])]
    )

const tipsText = `
  select p.id, r.id as tip from rm_projects.projects p
  join rm_pushes.refs r on r.project_id = p.id and r.ref = 'refs/heads/' || p.default_branch
  where p.id = any($1::bigint[])`

const countsOf = (client: Client) => ({
  taken: takenOf(client),
  countIn: (namespaceId: number) =>
    Effect.map(
      query(
        () => client<Array<{ total: number }>>`
          select count(*) as total from rm_projects.projects where namespace_id = ${namespaceId}`
      ),
      ([row]) => row?.total ?? 0
    ),
  idsIn: (namespaceIds: ReadonlyArray<number>, showingMoreThan?: Visibility) =>
    Effect.map(
      query(
        () => client<Array<{ id: number }>>`
          select id from rm_projects.projects where namespace_id = any (${[...namespaceIds]}::bigint[])
            ${showingMoreThan === undefined ? client`` : client`and ${showsMore(client, "visibility", showingMoreThan)}`}
          order by id`
      ),
      (rows) => rows.map(({ id }) => id)
    ),
  highestVisibility: (namespaceId: number) =>
    Effect.map(
      query(
        () => client<Array<{ visibility: Visibility }>>`
          select visibility from rm_projects.projects where namespace_id = ${namespaceId}
          order by case visibility when 'public' then 0 when 'internal' then 1 else 2 end limit 1`
      ),
      ([row]) => row?.visibility
    ),
  membershipsIn: (projectIds: ReadonlyArray<number>, userId: number) =>
    Effect.map(
      query(
        () => client<Array<{ id: number }>>`
          select project_id as id from rm_projects.project_members
          where project_id = any (${[...projectIds]}::bigint[]) and user_id = ${userId} order by 1`
      ),
      (rows) => rows.map(({ id }) => id)
    )
})

const sharesText = sharesOf("rm_projects.project_shares", "project_id")

/** Answers for projects from the read models `projects` and `namespaces`. */
export const projectQueries: Layer.Layer<Projects | ProjectQueries, never, Sql> = Layer.effectContext(
  Effect.gen(function* () {
    const { client, lookups } = yield* Sql
    const queries = ProjectQueries.of({
      details: detailsOf(lookups),
      ...listOf(client),
      ...countsOf(client),
      transferLocations: transferLocationsOf(client),
      tips: (ids) =>
        Effect.map(
          query(() => lookups.unsafe<Array<{ id: number; tip: string }>>(tipsText, [[...ids]], { prepare: true })),
          (rows) => new Map(rows.map(({ id, tip }) => [id, tip]))
        ),
      users: usersOf(client),
      starrers: starrersOf(client),
      members: memberQuestionsOf(client),
      shares: (ids, userId) => query(() => client.unsafe<Array<ShareRow>>(sharesText, [[...ids], userId ?? null]))
    })
    return Context.make(Projects, projectsOf(lookups)).pipe(Context.add(ProjectQueries, queries))
  })
)
