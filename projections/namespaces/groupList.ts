import { contains } from "#projections/users/search.ts"
import type { GroupFilter, GroupOrder, Viewer } from "#src/groups/ReadModel.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import { isCurrent, namespacesOfProjects } from "./expressions.ts"

/** Groups that the user has a role in, by membership or inheritance: common table `mine` with id and role. */
export const mine = (sql: Client, userId: number | null) => sql`
  inherited(id, role) as (
    select m.group_id, m.access_level from rm_namespaces.group_members m
    where m.user_id = ${userId}::bigint and ${sql.unsafe(isCurrent("m"))}
    union
    select n.id, i.role from inherited i join rm_namespaces.namespaces n on n.parent_id = i.id
  ),
  mine as (select id, max(role) as role from inherited group by id)`

/** Groups above those of `mine`, and around projects of the user, which lead to them: common table `above`. */
const above = (sql: Client, userId: number | null) => sql`
  above(id) as (
    select n.parent_id from mine join rm_namespaces.namespaces n on n.id = mine.id where n.parent_id is not null
    union ${sql.unsafe(namespacesOfProjects(String(userId)))}
    union
    select n.parent_id from above join rm_namespaces.namespaces n on n.id = above.id where n.parent_id is not null
  )`

const below = (sql: Client, filter: GroupFilter) => {
  if (filter.below?.depth !== "descendants") return sql``
  return sql`,
    below(id) as (
      select n.id from rm_namespaces.namespaces n where n.parent_id = ${filter.below.id}
      union all
      select n.id from below join rm_namespaces.namespaces n on n.parent_id = below.id
    )`
}

/** The common tables that the conditions of a list need. */
export const groupListTables = (sql: Client, filter: GroupFilter) =>
  sql`with recursive ${mine(sql, filter.viewer.userId)}, ${above(sql, filter.viewer.userId)}${below(sql, filter)}`

const related = (sql: Client) => sql`(g.id in (select id from mine) or g.id in (select id from above))`

const visible = (sql: Client, { isAdministrator, isExternal, userId }: Viewer) => {
  if (isAdministrator) return sql`true`
  const isOpen = userId === null || isExternal ? sql`g.visibility = 'public'` : sql`g.visibility <> 'private'`
  return sql`(${isOpen} or ${related(sql)})`
}

const place = (sql: Client, { below: wanted }: GroupFilter) => {
  if (wanted === undefined) return sql``
  return wanted.depth === "children" ? sql`and g.parent_id = ${wanted.id}` : sql`and g.id in (select id from below)`
}

/** The condition on a group `g`. */
export const groupListConditions = (sql: Client, filter: GroupFilter) => {
  const { minAccessLevel, onlyAuthorized, search, skip, topLevelOnly, viewer, visibility } = filter
  return sql`
    g.kind = 'group' and ${visible(sql, viewer)} ${place(sql, filter)}
    ${search === undefined ? sql`` : sql`and (${contains(sql, "g.name", search)} or ${contains(sql, "g.path", search)})`}
    ${skip === undefined ? sql`` : sql`and g.id <> all(${[...skip]}::bigint[])`}
    ${visibility === undefined ? sql`` : sql`and g.visibility = ${visibility}`}
    ${minAccessLevel === undefined ? sql`` : sql`and g.id in (select id from mine where role >= ${minAccessLevel})`}
    ${onlyAuthorized ? sql`and ${related(sql)}` : sql``}
    ${topLevelOnly ? sql`and g.parent_id is null` : sql``}`
}

const orderColumn: Readonly<Record<Exclude<GroupOrder, "similarity">, string>> = { id: "g.id", name: "g.name", path: "g.path" }

export const groupListOrder = (sql: Client, { order: { by, descending }, search = "" }: GroupFilter) => {
  if (by === "similarity") {
    const text = search.toLowerCase()
    return sql`case when ${text} in (lower(g.name), lower(g.path)) then 0
      when starts_with(lower(g.name), ${text}) or starts_with(lower(g.path), ${text}) then 1 else 2 end, g.name, g.id`
  }
  const direction = descending ? "desc" : "asc"
  return sql.unsafe(`${orderColumn[by]} ${direction}, g.id ${direction}`)
}
