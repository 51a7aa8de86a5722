import { contains } from "#projections/search.ts"
import type { Invitations, RelatedToProject, Viewer } from "#src/groups/Groups.ts"
import type { GroupFilter, GroupKey, GroupOrder, Relation } from "#src/groups/Queries.ts"
import { accessLevel } from "#src/members/levels.ts"
import { all, any, type Fragment, none, raw, sql } from "#src/platform/sql/fragment.ts"
import { isCurrent, isOpen, leadingGroups, reachedGroups } from "./access.ts"
import { descendants, withAncestors } from "./expressions.ts"
import { foundGroups } from "./groupSearch.ts"

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

/** Neither anonymous callers nor administrators are asked what they reach, unless the list is of that. */
const needsReached = ({ among, minAccessLevel, onlyAuthorized, viewer }: GroupFilter): boolean =>
  minAccessLevel !== undefined ||
  onlyAuthorized ||
  (among !== undefined && "receiving" in among) ||
  !(viewer.isAdministrator || viewer.userId === null)

/** A search among all groups looks at full paths and names; one among related groups at their own. */
const searchesTitles = (filter: GroupFilter): filter is GroupFilter & { readonly search: string } =>
  filter.search !== undefined && filter.among === undefined

const isFound = (filter: GroupFilter): Fragment | false => {
  if (searchesTitles(filter)) return raw("g.id in (select id from found group by id)")
  return filter.search !== undefined && any(contains("g.name", filter.search), contains("g.path", filter.search))
}

/** The common tables that the conditions of a list need. */
export const groupListTables = (filter: GroupFilter): Fragment => sql`
  with recursive asked(viewer, thing) as (
    select ${filter.viewer.userId}::bigint, ${filter.among === undefined ? null : targetOf(filter.among)}::bigint
  )
  ${needsReached(filter) ? raw(`, ${reached}`) : none}
  ${searchesTitles(filter) ? sql`, ${foundGroups(filter.search)}` : none}`

const related = raw("(g.id in (select id from _reached group by id) or g.id in (select id from _leading group by id))")

const visible = ({ isAdministrator, isExternal, userId }: Viewer): Fragment | false => {
  if (isAdministrator) return false
  if (userId === null) return raw(isOpen("g.visibility", "everybody"))
  return any(raw(isOpen("g.visibility", isExternal ? "everybody" : "users")), related)
}

const isChild = `g.parent_id = ${target}`
const isBelow = `g.id <> ${target} and g.id in (select id from (${descendants(target)}) _d)`

const isInvitedInto = `g.id in (
  select s.group_id from rm_namespaces.group_shares s where s.invited_group_id = ${target} and ${isCurrent("s")})`

/** A namespace, which may be null, with those above it. */
const above = (namespace: string): string => `(${withAncestors(namespace, ["id"])} select id from _up)`
const aboveGroup = above(`(select n.parent_id from rm_namespaces.namespaces n where n.id = ${target})`)
const aroundProject = above(`(select p.namespace_id from rm_projects.projects p where p.id = ${target})`)

const isInvited = (invitations: Invitations): Fragment => {
  const invitedTo = (groups: string) =>
    raw(`g.id in (
      select s.invited_group_id from rm_namespaces.group_shares s where s.group_id in ${groups} and ${isCurrent("s")})`)
  return any(invitations.includes("direct") && invitedTo(target), invitations.includes("inherited") && invitedTo(aboveGroup))
}

const isOfProject = ({ invited, minInvitation = 0, withAncestors }: RelatedToProject): Fragment => {
  const hasLevel = sql`s.access_level >= ${minInvitation} and ${raw(isCurrent("s"))}`
  const direct = sql`g.id in (
    select s.invited_group_id from rm_projects.project_shares s where s.project_id = ${raw(target)} and ${hasLevel})`
  const inherited = sql`g.id in (
    select s.invited_group_id from rm_namespaces.group_shares s where s.group_id in ${raw(aroundProject)} and ${hasLevel})`
  return any(
    withAncestors && raw(`g.id in ${aroundProject}`),
    invited.includes("direct") && direct,
    invited.includes("inherited") && inherited
  )
}

/** Neither the target, nor what is below it, nor where it is. */
const isUnrelated = `
  g.id <> coalesce((select n.parent_id from rm_namespaces.namespaces n where n.id = ${target}), 0)
  and g.id not in (select id from (${descendants(target)}) _d)`

const isReached = (level: number): Fragment => sql`g.id in (select id from _reached where level >= ${level} group by id)`

const isRelated = ({ isAdministrator }: Viewer, relation: Relation): Fragment => {
  if ("projectId" in relation) return isOfProject(relation)
  if ("groupId" in relation) return isInvited(relation.invited)
  if ("below" in relation) return raw(relation.depth === "children" ? isChild : isBelow)
  if ("invitedInto" in relation) return raw(isInvitedInto)
  return all(!isAdministrator && isReached(accessLevel.owner), raw(isUnrelated))
}

/** The condition on a group `g`. */
export const groupListConditions = (filter: GroupFilter): Fragment => {
  const { among, minAccessLevel, onlyAuthorized, skip, topLevelOnly, viewer, visibility } = filter
  return all(
    raw("g.kind = 'group'"),
    onlyAuthorized ? related : visible(viewer),
    among !== undefined && isRelated(viewer, among),
    isFound(filter),
    skip !== undefined && sql`g.id <> all(${[...skip]}::bigint[])`,
    visibility !== undefined && sql`g.visibility = ${visibility}`,
    minAccessLevel !== undefined && isReached(minAccessLevel),
    topLevelOnly && raw("g.parent_id is null")
  )
}

const orderColumn: Readonly<Record<Exclude<GroupOrder, "similarity">, string>> = { id: "g.id", name: "g.name", path: "g.path" }

/** The condition that a group `g` comes behind this one in the order of the list. */
export const groupListAfter = ({ order: { by, descending } }: GroupFilter, { id, value }: GroupKey): Fragment => {
  const isBehind = raw(descending ? "<" : ">")
  if (by === "id" || by === "similarity") return sql`g.id ${isBehind} ${id}`
  return sql`(${raw(orderColumn[by])}, g.id) ${isBehind} (${String(value)}, ${id})`
}

export const groupListOrder = ({ order: { by, descending }, search = "" }: GroupFilter): Fragment => {
  if (by === "similarity") {
    const text = search.toLowerCase()
    return sql`case when ${text} in (lower(g.name), lower(g.path)) then 0
      when starts_with(lower(g.name), ${text}) or starts_with(lower(g.path), ${text}) then 1 else 2 end, g.name, g.id`
  }
  const direction = descending ? "desc" : "asc"
  return raw(`${orderColumn[by]} ${direction}, g.id ${direction}`)
}
