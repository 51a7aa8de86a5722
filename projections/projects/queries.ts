import { Context, Effect, Layer } from "effect"
import { visibilityRank } from "#projections/namespaces/expressions.ts"
import { sharesOf } from "#projections/namespaces/shares.ts"
import { moreVisibleThan, type Visibility } from "#src/kernel/visibility.ts"
import { lookupAll, lookupById } from "#src/platform/sql/lookup.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"
import { Projects, type ProtectedRefRow } from "#src/projects/Projects.ts"
import { ProjectQueries } from "#src/projects/Queries.ts"
import { detailsOf } from "./details.ts"
import { findDetailsOf, findOf } from "./find.ts"
import { listOf } from "./list.ts"
import { memberQuestionsOf } from "./members.ts"
import { starrersOf } from "./stars.ts"
import { transferLocationsOf } from "./transferLocations.ts"
import { usersOf } from "./users.ts"

const refsText = `select r.* from unnest($1::bigint[], $2::text[]) as a(project_id, kind)
  join rm_projects.protected_refs r on r.project_id = a.project_id and r.kind = a.kind order by r.name, r.id`

type Kind = ProtectedRefRow["kind"]
const refsKey = (projectId: number, kind: Kind) => `${projectId} ${kind}`

/** Finds the protected branches or tags of a project, by its id and their kind. */
const protectedRefsOf = (lookups: Client) =>
  lookupAll(
    (keys: Array<string>) => {
      const parts = keys.map((key) => key.split(" "))
      const columns = [parts.map(([projectId = ""]) => projectId), parts.map(([, kind = ""]) => kind)]
      return lookups.unsafe<Array<ProtectedRefRow>>(refsText, columns, { prepare: true })
    },
    ({ kind, project_id }: ProtectedRefRow) => refsKey(project_id, kind)
  )

const projectsOf = (lookups: Client): Projects["Service"] => {
  const protectedRefs = protectedRefsOf(lookups)
  return { find: findOf(lookups), protectedRefs: (projectId, kind) => Effect.orDie(protectedRefs(refsKey(projectId, kind))) }
}

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
  absentOf: (ids: ReadonlyArray<number>) =>
    Effect.map(
      query(
        () => client<Array<{ id: number }>>`
          select known.id from unnest(${ids}::bigint[]) known (id)
          where not exists (select from rm_projects.projects p where p.id = known.id) order by known.id`
      ),
      (rows) => rows.map(({ id }) => id)
    ),
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
            ${showingMoreThan === undefined ? client`` : client`and visibility = any (${[...moreVisibleThan(showingMoreThan)]}::text[])`}
          order by id`
      ),
      (rows) => rows.map(({ id }) => id)
    ),
  highestVisibility: (namespaceId: number) =>
    Effect.map(
      query(
        () => client<Array<{ visibility: Visibility }>>`
          select visibility from rm_projects.projects where namespace_id = ${namespaceId}
          order by ${client.unsafe(visibilityRank("visibility"))} desc limit 1`
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

const aroundGroupText = `
  select a.id, exists (select from rm_projects.projects p where p.namespace_id = a.id) as "isFilled",
    exists (select from rm_projects.project_shares h where h.invited_group_id = a.id) as "isInvited"
  from unnest($1::bigint[]) a(id)`

type AroundGroup = Effect.Success<ReturnType<ProjectQueries["Service"]["aroundGroup"]>>

const aroundGroupOf = (lookups: Client): ProjectQueries["Service"]["aroundGroup"] => {
  const find = lookupById<AroundGroup & { readonly id: number }>(lookups, aroundGroupText)
  return (groupId) => Effect.map(find(groupId), (row) => row ?? { isFilled: false, isInvited: false })
}

/** Answers for projects from the read models `projects` and `namespaces`. */
export const projectQueries: Layer.Layer<Projects | ProjectQueries, never, Sql> = Layer.effectContext(
  Effect.gen(function* () {
    const { client, lookups } = yield* Sql
    const queries = ProjectQueries.of({
      ...detailsOf(client),
      find: findDetailsOf(lookups),
      ...listOf(client),
      ...countsOf(client),
      transferLocations: transferLocationsOf(client),
      tips: (ids) =>
        Effect.map(
          query(() => lookups.unsafe<Array<{ id: number; tip: string }>>(tipsText, [[...ids]], { prepare: true })),
          (rows) => new Map(rows.map(({ id, tip }) => [id, tip]))
        ),
      aroundGroup: aroundGroupOf(lookups),
      users: usersOf(client),
      starrers: starrersOf(client),
      members: memberQuestionsOf(client),
      shares: sharesOf(lookups, "rm_projects.project_shares", "project_id")
    })
    return Context.make(Projects, projectsOf(lookups)).pipe(Context.add(ProjectQueries, queries))
  })
)
