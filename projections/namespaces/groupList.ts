import type { Fragment } from "postgres"
import { contains } from "#projections/users/search.ts"
import type { Invitations, RelatedToProject, Viewer } from "#src/groups/Groups.ts"
import type { GroupFilter, GroupKey, GroupOrder, Relation } from "#src/groups/ReadModel.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import { isCurrent, leadingGroups, reachedGroups } from "./access.ts"

const below = (sql: Client, filter: GroupFilter) => {
  if (filter.below?.depth !== "descendants") return sql``
  return sql`,
    below(id) as (
      select n.id from rm_namespaces.namespaces n where n.parent_id = ${filter.below.id}
      union all
      select n.id from below join rm_namespaces.namespaces n on n.parent_id = below.id
    )`
}

const reachedBy = ({ userId }: Viewer): string => {
  const user = `${userId}::bigint`
  return `${reachedGroups(user)}, ${leadingGroups(user)}`
}

/** The common tables that the conditions of a list need. */
export const groupListTables = (sql: Client, filter: GroupFilter) =>
  sql`with recursive ${sql.unsafe(reachedBy(filter.viewer))}${below(sql, filter)}`

const related = (sql: Client) =>
  sql`(g.id in (select id from _reached group by id) or g.id in (select id from _leading group by id))`

const visible = (sql: Client, { isAdministrator, isExternal, userId }: Viewer) => {
  if (isAdministrator) return sql`true`
  const isOpen = userId === null || isExternal ? sql`g.visibility = 'public'` : sql`g.visibility <> 'private'`
  return sql`(${isOpen} or ${related(sql)})`
}

const place = (sql: Client, { below: wanted }: GroupFilter) => {
  if (wanted === undefined) return sql``
  return wanted.depth === "children" ? sql`and g.parent_id = ${wanted.id}` : sql`and g.id in (select id from below)`
}

/** A namespace, which may be null, with those above it. */
const above = (sql: Client, namespace: Fragment) => sql`(
  with recursive _above(id) as (
    select ${namespace}
    union all
    select n.parent_id from _above join rm_namespaces.namespaces n on n.id = _above.id
  ) select id from _above where id is not null)`

const isInvited = (sql: Client, groupId: number, ways: Invitations) => {
  const invitedTo = (groups: Fragment) => sql`g.id in (
    select s.invited_group_id from rm_namespaces.group_shares s where s.group_id in ${groups} and ${sql.unsafe(isCurrent("s"))})`
  return sql`(
    ${ways.includes("direct") ? invitedTo(sql`(${groupId}::bigint)`) : sql`false`}
    or ${ways.includes("inherited") ? invitedTo(above(sql, sql`(select n.parent_id from rm_namespaces.namespaces n where n.id = ${groupId})`)) : sql`false`})`
}

const isOfProject = (sql: Client, { invited, leastInvitation = 0, projectId, withAncestors }: RelatedToProject) => {
  const around = above(sql, sql`(select p.namespace_id from rm_projects.projects p where p.id = ${projectId})`)
  const isMeant = sql`s.access_level >= ${leastInvitation} and ${sql.unsafe(isCurrent("s"))}`
  const direct = sql`g.id in (
    select s.invited_group_id from rm_projects.project_shares s where s.project_id = ${projectId} and ${isMeant})`
  const inherited = sql`g.id in (
    select s.invited_group_id from rm_namespaces.group_shares s where s.group_id in ${around} and ${isMeant})`
  return sql`(
    ${withAncestors ? sql`g.id in ${around}` : sql`false`}
    or ${invited.includes("direct") ? direct : sql`false`}
    or ${invited.includes("inherited") ? inherited : sql`false`})`
}

const isRelated = (sql: Client, { isAdministrator }: Viewer, relation: Relation) => {
  if ("projectId" in relation) return isOfProject(sql, relation)
  if ("invited" in relation) return isInvited(sql, relation.groupId, relation.invited)
  if ("invitedInto" in relation) {
    return sql`g.id in (select s.group_id from rm_namespaces.group_shares s
      where s.invited_group_id = ${relation.invitedInto} and ${sql.unsafe(isCurrent("s"))})`
  }
  const id = relation.receiving
  const has = (level: number) => sql`g.id in (select id from _reached where level >= ${level} group by id)`
  const mayCreate = sql`(${has(50)} or g.subgroup_creation_level = 'maintainer' and ${has(40)})`
  return sql`${isAdministrator ? sql`true` : mayCreate}
    and g.id <> coalesce((select n.parent_id from rm_namespaces.namespaces n where n.id = ${id}), 0)
    and g.id not in (
      with recursive _inside(id) as (
        select ${id}::bigint union all
        select n.id from _inside join rm_namespaces.namespaces n on n.parent_id = _inside.id
      ) select id from _inside)`
}

/** The condition on a group `g`. */
export const groupListConditions = (sql: Client, filter: GroupFilter) => {
  const { among, minAccessLevel, onlyAuthorized, search, skip, topLevelOnly, viewer, visibility } = filter
  return sql`
    g.kind = 'group' and ${visible(sql, viewer)} ${place(sql, filter)}
    ${among === undefined ? sql`` : sql`and ${isRelated(sql, viewer, among)}`}
    ${search === undefined ? sql`` : sql`and (${contains(sql, "g.name", search)} or ${contains(sql, "g.path", search)})`}
    ${skip === undefined ? sql`` : sql`and g.id <> all(${[...skip]}::bigint[])`}
    ${visibility === undefined ? sql`` : sql`and g.visibility = ${visibility}`}
    ${minAccessLevel === undefined ? sql`` : sql`and g.id in (select id from _reached where level >= ${minAccessLevel} group by id)`}
    ${onlyAuthorized ? sql`and ${related(sql)}` : sql``}
    ${topLevelOnly ? sql`and g.parent_id is null` : sql``}`
}

const orderColumn: Readonly<Record<Exclude<GroupOrder, "similarity">, string>> = { id: "g.id", name: "g.name", path: "g.path" }

/** The condition that a group `g` comes behind this one in the order of the list. */
export const groupListAfter = (sql: Client, { order: { by, descending } }: GroupFilter, { id, value }: GroupKey) => {
  const isBehind = sql.unsafe(descending ? "<" : ">")
  if (by === "id" || by === "similarity") return sql`g.id ${isBehind} ${id}`
  return sql`(${sql.unsafe(orderColumn[by])}, g.id) ${isBehind} (${String(value)}, ${id})`
}

export const groupListOrder = (sql: Client, { order: { by, descending }, search = "" }: GroupFilter) => {
  if (by === "similarity") {
    const text = search.toLowerCase()
    return sql`case when ${text} in (lower(g.name), lower(g.path)) then 0
      when starts_with(lower(g.name), ${text}) or starts_with(lower(g.path), ${text}) then 1 else 2 end, g.name, g.id`
  }
  const direction = descending ? "desc" : "asc"
  return sql.unsafe(`${orderColumn[by]} ${direction}, g.id ${direction}`)
}
