import { Effect } from "effect"
import { isCurrent, namespacePath } from "#projections/namespaces/expressions.ts"
import { contains } from "#projections/users/search.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"
import type { ProjectFilter, ProjectOrder, ProjectReadModel } from "#src/projects/ReadModel.ts"
import { detailsOf } from "./details.ts"

/** The namespaces in which a user has a role, as the common table `mine` with the highest one. */
const mine = (sql: Client, userId: number | undefined) => sql`
  recursive _granted(id, level) as (
    select g.group_id, g.access_level from rm_namespaces.group_members g
    where g.user_id = ${userId ?? null}::bigint and ${sql.unsafe(isCurrent("g"))}
    union all
    select n.id, 50 from rm_namespaces.namespaces n where n.owner_id = ${userId ?? null}::bigint
    union all
    select n.id, _granted.level from _granted join rm_namespaces.namespaces n on n.parent_id = _granted.id
  ),
  mine as (select id, max(level) as level from _granted group by id)`

/** A namespace with all those below it. */
const below = (sql: Client, id: number) => sql`(
  with recursive _below(id) as (
    select ${id}::bigint union all
    select n.id from _below join rm_namespaces.namespaces n on n.parent_id = _below.id
  ) select id from _below)`

const role = "greatest(coalesce(m.access_level, 0), coalesce(mine.level, 0))"

const isReadable = (sql: Client, { isAdministrator, isExternal, userId }: ProjectFilter["asker"]) => {
  if (isAdministrator) return sql`true`
  const open = userId === undefined || isExternal ? sql`p.visibility = 'public'` : sql`p.visibility in ('internal', 'public')`
  return sql`(${open} or ${sql.unsafe(role)} >= 10)`
}

const found = (sql: Client, { inNamespaces, text }: NonNullable<ProjectFilter["search"]>) => sql`(
  ${contains(sql, "p.name", text)} or ${contains(sql, "p.path", text)} or ${contains(sql, "coalesce(p.description, '')", text)}
  ${inNamespaces ? sql`or ${contains(sql, `${namespacePath("p.namespace_id")}`, text)}` : sql``})`

const inNamespace = (sql: Client, { id, withDescendants }: NonNullable<ProjectFilter["namespace"]>) =>
  withDescendants ? sql`p.namespace_id in ${below(sql, id)}` : sql`p.namespace_id = ${id}`

const where = (sql: Client, filter: ProjectFilter) => sql`
  ${isReadable(sql, filter.asker)}
  ${filter.namespace === undefined ? sql`` : sql`and ${inNamespace(sql, filter.namespace)}`}
  ${filter.search === undefined ? sql`` : sql`and ${found(sql, filter.search)}`}
  ${filter.visibility === undefined ? sql`` : sql`and p.visibility = ${filter.visibility}`}
  ${filter.archived === undefined ? sql`` : sql`and p.archived = ${filter.archived}`}
  ${filter.leastRole === undefined ? sql`` : sql`and ${sql.unsafe(role)} >= ${filter.leastRole}`}
  ${filter.topics === undefined ? sql`` : sql`and ${hasTopics(sql, filter.topics)}`}
  ${filter.idAfter === undefined ? sql`` : sql`and p.id > ${filter.idAfter}`}
  ${filter.idBefore === undefined ? sql`` : sql`and p.id < ${filter.idBefore}`}
  ${filter.activeAfter === undefined ? sql`` : sql`and p.last_activity_at >= ${filter.activeAfter}`}
  ${filter.activeBefore === undefined ? sql`` : sql`and p.last_activity_at <= ${filter.activeBefore}`}
  ${filter.withIssues ? sql`and p.issues_access_level <> 'disabled'` : sql``}
  ${filter.withMergeRequests ? sql`and p.merge_requests_access_level <> 'disabled'` : sql``}`

const hasTopics = (sql: Client, topics: ReadonlyArray<string>) => {
  const wished = topics.map((topic) => topic.toLowerCase())
  return sql`array(select lower(t) from unnest(p.topics) t) @> ${wished}::text[]`
}

const tables = (sql: Client, userId: number | undefined) => sql`
  from rm_projects.projects p
  join rm_namespaces.namespaces n on n.id = p.namespace_id
  left join mine on mine.id = p.namespace_id
  left join rm_projects.project_members m
    on m.project_id = p.id and m.user_id = ${userId ?? null}::bigint and ${sql.unsafe(isCurrent("m"))}`

/** Times of creation are in the order of ids, and nothing has stars. */
const orderColumn: Readonly<Record<ProjectOrder, string>> = {
  id: "p.id",
  created_at: "p.id",
  star_count: "p.id",
  name: "lower(p.name)",
  path: "lower(p.path)",
  updated_at: "p.updated_at",
  last_activity_at: "p.last_activity_at"
}

const order = (sql: Client, { order: { by, descending }, search }: ProjectFilter) => {
  if (by === "similarity") {
    const text = (search?.text ?? "").toLowerCase()
    return sql`case when lower(p.name) = ${text} then 0 when lower(p.path) = ${text} then 1 else 2 end, p.id desc`
  }
  const direction = descending ? "desc" : "asc"
  return sql.unsafe(`${orderColumn[by]} ${direction}, p.id ${direction}`)
}

/** Lists projects: which of them in one statement, then what is shown of these in another. */
export const listOf = (sql: Client): ProjectReadModel["Service"]["list"] => {
  const details = detailsOf(sql)
  return Effect.fn("ProjectReadModel.list")(function* (filter, { limit, offset }) {
    const { userId } = filter.asker
    const page = query(
      () => sql<Array<{ id: number }>>`
        with ${mine(sql, userId)} select p.id ${tables(sql, userId)} where ${where(sql, filter)}
        order by ${order(sql, filter)} limit ${limit} offset ${offset}`
    )
    const count = query(
      () => sql<Array<{ total: number }>>`
        with ${mine(sql, userId)} select count(*) as total ${tables(sql, userId)} where ${where(sql, filter)}`
    )
    const [ids, [counted]] = yield* Effect.all([page, count], { concurrency: 2 })
    const shown =
      ids.length === 0
        ? []
        : yield* details(
            ids.map(({ id }) => id),
            userId
          )
    const byId = new Map(shown.map((row) => [row.id, row]))
    return { rows: ids.flatMap(({ id }) => byId.get(id) ?? []), total: counted?.total ?? 0 }
  })
}
