import { contains } from "#projections/users/search.ts"
import type { Invitations, RelatedToProject, Viewer } from "#src/groups/Groups.ts"
import type { GroupFilter, GroupKey, GroupOrder, Relation } from "#src/groups/Queries.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import { isCurrent, leadingGroups, reachedGroups } from "./access.ts"
import { descendants, withAncestors } from "./expressions.ts"

const viewer = "(select viewer from asked)"
const target = "(select thing from asked)"
const reached = `${reachedGroups(viewer)}, ${leadingGroups(viewer)}`

/** The group or project to which those of the list are related. */
const targetOf = (relation: Relation): number => {
  if ("projectId" in relation) return relation.projectId
  if ("groupId" in relation) return relation.groupId
  if ("below" in relation) return relation.below
  return "receiving" in relation ? relation.receiving : relation.invitedInto
}

/** The common tables that the conditions of a list need. */
export const groupListTables = (sql: Client, { among, viewer: { userId } }: GroupFilter) =>
  sql`with recursive asked(viewer, thing) as (
    select ${userId}::bigint, ${among === undefined ? null : targetOf(among)}::bigint
  ), ${sql.unsafe(reached)}`

const related = (sql: Client) =>
  sql`(g.id in (select id from _reached group by id) or g.id in (select id from _leading group by id))`

const visible = (sql: Client, { isAdministrator, isExternal, userId }: Viewer) => {
  if (isAdministrator) return sql`true`
  const isOpen = userId === null || isExternal ? sql`g.visibility = 'public'` : sql`g.visibility <> 'private'`
  return sql`(${isOpen} or ${related(sql)})`
}

const isChild = `g.parent_id = ${target}`
const isBelow = `g.id <> ${target} and g.id in (select id from (${descendants(target)}) _d)`

const isInvitedInto = `g.id in (
  select s.group_id from rm_namespaces.group_shares s where s.invited_group_id = ${target} and ${isCurrent("s")})`

/** A namespace, which may be null, with those above it. */
const above = (namespace: string): string => `(${withAncestors(namespace, ["id"])} select id from _up)`
const aboveGroup = above(`(select n.parent_id from rm_namespaces.namespaces n where n.id = ${target})`)
const aroundProject = above(`(select p.namespace_id from rm_projects.projects p where p.id = ${target})`)

const isInvited = (sql: Client, ways: Invitations) => {
  const invitedTo = (groups: string) => sql`g.id in (
    select s.invited_group_id from rm_namespaces.group_shares s
    where s.group_id in ${sql.unsafe(groups)} and ${sql.unsafe(isCurrent("s"))})`
  return sql`(
    ${ways.includes("direct") ? invitedTo(target) : sql`false`}
    or ${ways.includes("inherited") ? invitedTo(aboveGroup) : sql`false`})`
}

const isOfProject = (sql: Client, { invited, minInvitation = 0, withAncestors }: RelatedToProject) => {
  const around = sql.unsafe(aroundProject)
  const hasLevel = sql`s.access_level >= ${minInvitation} and ${sql.unsafe(isCurrent("s"))}`
  const direct = sql`g.id in (
    select s.invited_group_id from rm_projects.project_shares s where s.project_id = ${sql.unsafe(target)} and ${hasLevel})`
  const inherited = sql`g.id in (
    select s.invited_group_id from rm_namespaces.group_shares s where s.group_id in ${around} and ${hasLevel})`
  return sql`(
    ${withAncestors ? sql`g.id in ${around}` : sql`false`}
    or ${invited.includes("direct") ? direct : sql`false`}
    or ${invited.includes("inherited") ? inherited : sql`false`})`
}

/** Neither the thing, nor what is below it, nor where it is. */
const isUnrelated = `
  g.id <> coalesce((select n.parent_id from rm_namespaces.namespaces n where n.id = ${target}), 0)
  and g.id not in (select id from (${descendants(target)}) _d)`

const isRelated = (sql: Client, { isAdministrator }: Viewer, relation: Relation) => {
  if ("projectId" in relation) return isOfProject(sql, relation)
  if ("groupId" in relation) return isInvited(sql, relation.invited)
  if ("below" in relation) return sql.unsafe(relation.depth === "children" ? isChild : isBelow)
  if ("invitedInto" in relation) return sql.unsafe(isInvitedInto)
  const has = (level: number) => sql`g.id in (select id from _reached where level >= ${level} group by id)`
  const mayCreate = sql`(${has(50)} or g.subgroup_creation_level = 'maintainer' and ${has(40)})`
  return sql`${isAdministrator ? sql`true` : mayCreate}
    and ${sql.unsafe(isUnrelated)}`
}

/** The condition on a group `g`. */
export const groupListConditions = (sql: Client, filter: GroupFilter) => {
  const { among, minAccessLevel, onlyAuthorized, search, skip, topLevelOnly, viewer, visibility } = filter
  return sql`
    g.kind = 'group' and ${visible(sql, viewer)}
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
