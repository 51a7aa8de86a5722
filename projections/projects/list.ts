import { Effect } from "effect"
import { isCurrent, isOpen, reachedGroups, reachedProjects } from "#projections/namespaces/access.ts"
import { descendants } from "#projections/namespaces/expressions.ts"
import { contains, holds, searchedWords } from "#projections/search.ts"
import { maxShownTotal, type Slice } from "#src/http/answer/pagination.ts"
import { accessLevel } from "#src/members/levels.ts"
import { spanned } from "#src/platform/logging/tracing.ts"
import { all, any, type Fragment, none, raw, select, slice, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import type { ProjectFilter, ProjectOrder, ProjectQueries } from "#src/projects/Queries.ts"
import { isStarredBy } from "./stars.ts"

const user = "(select user_id from asked)"
const place = "(select namespace_id from asked)"

/** The namespaces and the projects in which a user has a role, as the common tables `mine` and `joined`, with a row for each way to it. */
const roles = raw(`, ${reachedGroups(user)},
  mine as (
    select id, level from _reached union all select n.id, ${accessLevel.owner} from rm_namespaces.namespaces n where n.owner_id = ${user}
  ),
  joined as (${reachedProjects(user)})`)

/** The full paths of all namespaces, as the common table `paths`. */
const paths = raw(`,
  paths(id, path) as (
    select n.id, n.path from rm_namespaces.namespaces n where n.parent_id is null
    union all
    select n.id, paths.path || '/' || n.path from paths join rm_namespaces.namespaces n on n.parent_id = paths.id
  )`)

/** Neither anonymous callers nor administrators are asked for their role, unless the list is of those where they have one. */
const needsRoles = ({ viewer, minRole }: ProjectFilter): boolean =>
  minRole !== undefined || !(viewer.isAdministrator || viewer.userId === undefined)

/** The common tables that the conditions need. */
const commonTables = (filter: ProjectFilter): Fragment => sql`
  with recursive asked(user_id, namespace_id) as (
    select ${filter.viewer.userId ?? null}::bigint, ${filter.namespace?.id ?? null}::bigint
  )
  ${needsRoles(filter) ? roles : none}
  ${filter.search?.inNamespaces ? paths : none}`

const tables = ({ search }: ProjectFilter): Fragment => sql`
  from rm_projects.projects p ${search?.inNamespaces ? raw("join paths on paths.id = p.namespace_id") : none}`

/**
 * Whether the user has at least this role in the project `p`. These are two tables that are hashed once, whatever the planner
 * believes of the other conditions; joins with them are not.
 */
const hasRole = (minRole: number): Fragment =>
  any(
    sql`p.namespace_id in (select id from mine where level >= ${minRole})`,
    sql`p.id in (select project_id from joined where level >= ${minRole})`
  )

const isReadable = ({ viewer, minRole = 0 }: ProjectFilter): Fragment | false => {
  if (viewer.isAdministrator || minRole >= accessLevel.guest) return false
  const isPublic = viewer.userId === undefined || viewer.isExternal
  const isShown = raw(isOpen("p.visibility", isPublic ? "everybody" : "users"))
  return viewer.userId === undefined ? isShown : any(isShown, hasRole(accessLevel.guest))
}

/** One word is found in what it is found in apart as well as in all texts together, where that takes a third of the time. */
const isFound = ({ inNamespaces, text }: NonNullable<ProjectFilter["search"]>): Fragment => {
  const words = searchedWords(text)
  const isInOne = any(contains("p.name", text), contains("p.path", text), contains("coalesce(p.description, '')", text))
  const isInAll = all(holds("p.search_text", words), words.length > 1 && isInOne)
  return any(words.length === 0 ? isInOne : isInAll, inNamespaces && contains("paths.path || '/' || p.path", text))
}

const isSharedWith = (groupId: number): Fragment => sql`p.id in (
  select h.project_id from rm_projects.project_shares h where h.invited_group_id = ${groupId} and ${raw(isCurrent("h"))})`

const isInNamespace = ({ id, withDescendants, withShared }: NonNullable<ProjectFilter["namespace"]>): Fragment =>
  any(
    withDescendants ? raw(`p.namespace_id in (select id from (${descendants(place)}) _d)`) : sql`p.namespace_id = ${id}`,
    withShared === true && isSharedWith(id)
  )

const hasTopics = (topics: ReadonlyArray<string>): Fragment =>
  sql`array(select lower(t) from unnest(p.topics) t) @> ${topics.map((topic) => topic.toLowerCase())}::text[]`

const conditions = (filter: ProjectFilter): Fragment =>
  all(
    isReadable(filter),
    filter.minRole !== undefined && hasRole(filter.minRole),
    filter.sharedWith !== undefined && isSharedWith(filter.sharedWith),
    filter.namespace !== undefined && isInNamespace(filter.namespace),
    filter.search !== undefined && isFound(filter.search),
    filter.visibility !== undefined && sql`p.visibility = ${filter.visibility}`,
    filter.archived !== undefined && sql`p.archived = ${filter.archived}`,
    filter.topics !== undefined && hasTopics(filter.topics),
    filter.idAfter !== undefined && sql`p.id > ${filter.idAfter}`,
    filter.idBefore !== undefined && sql`p.id < ${filter.idBefore}`,
    filter.activeAfter !== undefined && sql`p.last_activity_at >= ${filter.activeAfter}`,
    filter.activeBefore !== undefined && sql`p.last_activity_at <= ${filter.activeBefore}`,
    filter.updatedAfter !== undefined && sql`p.updated_at >= ${filter.updatedAfter}`,
    filter.updatedBefore !== undefined && sql`p.updated_at <= ${filter.updatedBefore}`,
    filter.forkOf !== undefined && sql`p.forked_from_id = ${filter.forkOf}`,
    filter.withIssues === true && raw("p.issues_access_level <> 'disabled'"),
    filter.withMergeRequests === true && raw("p.merge_requests_access_level <> 'disabled'"),
    filter.starrers !== undefined && isStarredBy(filter.starrers)
  )

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

const withStarCounts = raw("left join rm_projects.star_counts stars on stars.project_id = p.id")

const order = ({ order: { by, descending, descendingIds = descending }, search }: ProjectFilter): Fragment => {
  if (by === "similarity") {
    const text = (search?.text ?? "").toLowerCase()
    return sql`case when lower(p.name) = ${text} then 0 when lower(p.path) = ${text} then 1 else 2 end, p.id desc`
  }
  const [direction, ofIds] = [descending, descendingIds].map((isDescending) => (isDescending ? "desc" : "asc"))
  return raw(orderColumn[by] === "p.id" ? `p.id ${direction}` : `${orderColumn[by]} ${direction}, p.id ${ofIds}`)
}

const idsOf = (filter: ProjectFilter, { limit, offset }: Slice): Fragment => sql`
  ${commonTables(filter)} select p.id ${tables(filter)} ${filter.order.by === "star_count" ? withStarCounts : none}
  where ${conditions(filter)} order by ${order(filter)} ${slice({ limit, offset })}`

const countOf = (filter: ProjectFilter): Fragment => sql`
  ${commonTables(filter)} select count(*) as total from (
    select ${tables(filter)} where ${conditions(filter)} ${slice({ limit: maxShownTotal + 1, offset: 0 })}
  ) found`

/**
 * Lists projects. A project of a namespace that is gone, as the middle of a deletion leaves it, is counted, but nothing will be shown of
 * it: looking for the namespace of each project takes six times as long as counting them.
 */
export const listOf = (client: Client): Pick<ProjectQueries["Service"], "count" | "list"> => ({
  list: Effect.fnUntraced(function* (filter, slice) {
    const rows = yield* select<{ readonly id: number }>(client, idsOf(filter, slice))
    return rows.map(({ id }) => id)
  }, spanned("ProjectQueries.list")),
  count: Effect.fnUntraced(function* (filter) {
    const [row] = yield* select<{ readonly total: number }>(client, countOf(filter))
    return row?.total ?? 0
  }, spanned("ProjectQueries.count"))
})
