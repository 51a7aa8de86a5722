import { Effect } from "effect"
import { isCurrent, reachedGroups, reachedProjects } from "#projections/namespaces/access.ts"
import { descendants } from "#projections/namespaces/expressions.ts"
import { contains } from "#projections/users/search.ts"
import { prepareUpToLimit } from "#src/platform/sql/preparedStatements.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"
import { maxCountedTotal, type ProjectFilter, type ProjectOrder, type ProjectQueries, type Slice } from "#src/projects/Queries.ts"
import { detailsOf } from "./details.ts"
import { isStarredBy, starCounts } from "./stars.ts"

/**
 * The namespaces and the projects in which a user has a role, as the common tables `mine` and `joined`, with a row for each way to
 * it; and the full paths of all namespaces, as `paths`. What is not used costs nothing.
 */
const commonTables = (sql: Client, { asker, namespace }: ProjectFilter) => sql`
  recursive asked(asker, place) as (select ${asker.userId ?? null}::bigint, ${namespace?.id ?? null}::bigint),
  ${sql.unsafe(tablesOfAsker)}`

const user = "(select asker from asked)"
const tablesOfAsker = `
    ${reachedGroups(user)},
    mine as (
      select id, level from _reached union all select n.id, 50 from rm_namespaces.namespaces n where n.owner_id = ${user}
    ),
    joined as (${reachedProjects(user)}),
    paths(id, path) as (
      select n.id, n.path from rm_namespaces.namespaces n where n.parent_id is null
      union all
      select n.id, paths.path || '/' || n.path from paths join rm_namespaces.namespaces n on n.parent_id = paths.id
    )`

const isBelow = `p.namespace_id in (select id from (${descendants("(select place from asked)")}) _d)`

/**
 * Whether the user has at least this role in the project `p`. These are two tables that are hashed once, whatever the planner
 * believes of the other conditions; joins with them are not.
 */
const hasRole = (sql: Client, minRole: number) => sql`(
  p.namespace_id in (select id from mine where level >= ${minRole})
  or p.id in (select project_id from joined where level >= ${minRole}))`

const isReadable = (sql: Client, { isAdministrator, isExternal, userId }: ProjectFilter["asker"]) => {
  if (isAdministrator) return sql`true`
  const open = userId === undefined || isExternal ? sql`p.visibility = 'public'` : sql`p.visibility in ('internal', 'public')`
  return sql`(${open} or ${hasRole(sql, 10)})`
}

const found = (sql: Client, { inNamespaces, text }: NonNullable<ProjectFilter["search"]>) => sql`(
  ${contains(sql, "p.name", text)} or ${contains(sql, "p.path", text)} or ${contains(sql, "coalesce(p.description, '')", text)}
  ${inNamespaces ? sql`or ${contains(sql, "n.path || '/' || p.path", text)}` : sql``})`

const inNamespace = (sql: Client, { id, withDescendants, withShared }: NonNullable<ProjectFilter["namespace"]>) => {
  const isInside = withDescendants ? sql.unsafe(isBelow) : sql`p.namespace_id = ${id}`
  return withShared ? sql`(${isInside} or ${isSharedWith(sql, id)})` : isInside
}

const isSharedWith = (sql: Client, groupId: number) => sql`p.id in (
  select h.project_id from rm_projects.project_shares h where h.invited_group_id = ${groupId} and ${sql.unsafe(isCurrent("h"))})`

const where = (sql: Client, filter: ProjectFilter) => sql`
  ${isReadable(sql, filter.asker)}
  ${filter.sharedWith === undefined ? sql`` : sql`and ${isSharedWith(sql, filter.sharedWith)}`}
  ${filter.namespace === undefined ? sql`` : sql`and ${inNamespace(sql, filter.namespace)}`}
  ${filter.search === undefined ? sql`` : sql`and ${found(sql, filter.search)}`}
  ${filter.visibility === undefined ? sql`` : sql`and p.visibility = ${filter.visibility}`}
  ${filter.archived === undefined ? sql`` : sql`and p.archived = ${filter.archived}`}
  ${filter.minRole === undefined ? sql`` : sql`and ${hasRole(sql, filter.minRole)}`}
  ${filter.topics === undefined ? sql`` : sql`and ${hasTopics(sql, filter.topics)}`}
  ${filter.idAfter === undefined ? sql`` : sql`and p.id > ${filter.idAfter}`}
  ${filter.idBefore === undefined ? sql`` : sql`and p.id < ${filter.idBefore}`}
  ${filter.activeAfter === undefined ? sql`` : sql`and p.last_activity_at >= ${filter.activeAfter}`}
  ${filter.activeBefore === undefined ? sql`` : sql`and p.last_activity_at <= ${filter.activeBefore}`}
  ${filter.updatedAfter === undefined ? sql`` : sql`and p.updated_at >= ${filter.updatedAfter}`}
  ${filter.updatedBefore === undefined ? sql`` : sql`and p.updated_at <= ${filter.updatedBefore}`}
  ${filter.forkOf === undefined ? sql`` : sql`and p.forked_from_id = ${filter.forkOf}`}
  ${filter.withIssues ? sql`and p.issues_access_level <> 'disabled'` : sql``}
  ${filter.withMergeRequests ? sql`and p.merge_requests_access_level <> 'disabled'` : sql``}
  ${filter.starrers === undefined ? sql`` : sql`and ${isStarredBy(sql, filter.starrers)}`}`

const hasTopics = (sql: Client, topics: ReadonlyArray<string>) => {
  const lowered = topics.map((topic) => topic.toLowerCase())
  return sql`array(select lower(t) from unnest(p.topics) t) @> ${lowered}::text[]`
}

const tables = (sql: Client, { search }: ProjectFilter) => sql`
  from rm_projects.projects p
  join ${search?.inNamespaces ? sql`paths` : sql`rm_namespaces.namespaces`} n on n.id = p.namespace_id`

/** Times of creation are in the order of ids. */
const orderColumn: Readonly<Record<ProjectOrder, string>> = {
  id: "p.id",
  created_at: "p.id",
  star_count: "coalesce(stars.star_count, 0)",
  name: "lower(p.name)",
  path: "lower(p.path)",
  updated_at: "p.updated_at",
  last_activity_at: "p.last_activity_at"
}

const withStarCounts = `left join (${starCounts}) stars on stars.project_id = p.id`

const order = (sql: Client, { order: { by, descending }, search }: ProjectFilter) => {
  if (by === "similarity") {
    const text = (search?.text ?? "").toLowerCase()
    return sql`case when lower(p.name) = ${text} then 0 when lower(p.path) = ${text} then 1 else 2 end, p.id desc`
  }
  const direction = descending ? "desc" : "asc"
  return sql.unsafe(`${orderColumn[by]} ${direction}, p.id ${direction}`)
}

/** Lists projects: which of them in one statement, then what is shown of these in another. */
export const listOf = (sql: Client): Pick<ProjectQueries["Service"], "first" | "list"> => {
  const details = detailsOf(sql)

  const shown = Effect.fnUntraced(function* (filter: ProjectFilter, { limit, offset }: Slice) {
    const { userId } = filter.asker
    const ids = yield* query(() =>
      prepareUpToLimit(
        sql,
        sql<Array<{ id: number }>>`
        with ${commonTables(sql, filter)} select p.id ${tables(sql, filter)}
        ${filter.order.by === "star_count" ? sql.unsafe(withStarCounts) : sql``} where ${where(sql, filter)}
        order by ${order(sql, filter)} limit ${limit} offset ${offset}`
      )
    )
    if (ids.length === 0) return []
    const rows = yield* details(
      ids.map(({ id }) => id),
      userId
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap(({ id }) => byId.get(id) ?? [])
  })

  const counted = (filter: ProjectFilter) =>
    Effect.map(
      query(() =>
        prepareUpToLimit(
          sql,
          sql<Array<{ total: number }>>`
          with ${commonTables(sql, filter)}
          select count(*) as total from (select ${tables(sql, filter)} where ${where(sql, filter)} limit ${maxCountedTotal + 1}) found`
        )
      ),
      ([row]) => row?.total ?? 0
    )

  return {
    list: Effect.fn("ProjectQueries.list")(function* (filter, slice) {
      return yield* Effect.all({ rows: shown(filter, slice), total: counted(filter) }, { concurrency: 2 })
    }),
    first: Effect.fn("ProjectQueries.first")(function* (filter, limit) {
      return yield* shown(filter, { limit, offset: 0 })
    })
  }
}
