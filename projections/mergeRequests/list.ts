import { reachedGroups, reachedProjects } from "#projections/namespaces/access.ts"
import { descendants } from "#projections/namespaces/expressions.ts"
import { holds, searchedWords } from "#projections/users/search.ts"
import { accessLevel } from "#src/members/levels.ts"
import type { MergeRequestFilter, PeopleFilter, Person } from "#src/mergeRequests/Queries.ts"
import { wipPatterns } from "#src/mergeRequests/text/drafts.ts"
import { all, any, type Fragment, none, raw, sql } from "#src/platform/sql/fragment.ts"

const viewer = "(select viewer from asked)"

/** The namespaces and projects in which the viewer has a role, with a row for each way to it. */
const roles = raw(`, ${reachedGroups(viewer)},
  mine as (
    select id, level from _reached union all select n.id, ${accessLevel.owner} from rm_namespaces.namespaces n where n.owner_id = ${viewer}
  ),
  joined as (${reachedProjects(viewer)})`)

const needsRoles = ({ viewer: who }: MergeRequestFilter): boolean =>
  who !== undefined && who.userId !== undefined && !who.isAdministrator

/** The common tables that the conditions need. */
export const commonTables = (filter: MergeRequestFilter): Fragment => sql`
  with recursive asked(viewer, namespace_id) as (
    select ${filter.viewer?.userId ?? null}::bigint, ${filter.groupId ?? null}::bigint
  ) ${needsRoles(filter) ? roles : none}`

const isReporter = any(
  raw(`p.namespace_id in (select id from mine where level >= ${accessLevel.reporter})`),
  raw(`p.id in (select project_id from joined where level >= ${accessLevel.reporter})`)
)

/** Merge requests are seen where project, repository and merge requests are open, and by Reporters where they are not switched off. */
const isSeen = ({ viewer: who }: MergeRequestFilter): Fragment | false => {
  if (who === undefined) return false
  const isOn = raw("p.merge_requests_access_level <> 'disabled' and p.repository_access_level <> 'disabled'")
  if (who.isAdministrator) return isOn
  const visibilities = raw(
    who.userId === undefined || who.isExternal ? "p.visibility = 'public'" : "p.visibility in ('public', 'internal')"
  )
  const isOpen = all(visibilities, raw("p.merge_requests_access_level = 'enabled' and p.repository_access_level = 'enabled'"))
  return all(isOn, who.userId === undefined ? isOpen : any(isOpen, isReporter))
}

const idOf = (person: Exclude<Person, string>): Fragment =>
  "id" in person
    ? sql`${person.id}`
    : sql`(select _u.id from rm_users.users _u where lower(_u.username) = ${person.username.toLowerCase()} limit 1)`

const isAuthor = (person: Person): Fragment =>
  typeof person === "string" ? raw(person === "any" ? "true" : "false") : sql`m.author_id = ${idOf(person)}`

/** Those of a person are found by the person, rather than asked of each merge request. */
const hasPerson = (role: "assignee" | "reviewer", person: Person): Fragment => {
  const anybody = raw(
    `exists (select from rm_merge_requests.people _p where _p.project_id = m.project_id and _p.iid = m.iid and _p.role = '${role}')`
  )
  if (person === "any") return anybody
  if (person === "none") return sql`not ${anybody}`
  return sql`(m.project_id, m.iid) in (
    select _p.project_id, _p.iid from rm_merge_requests.people _p where _p.user_id = ${idOf(person)} and _p.role = ${role})`
}

const peopleConditions = ({ assignee, author, reviewer }: PeopleFilter): ReadonlyArray<Fragment | false> => [
  author !== undefined && isAuthor(author),
  assignee !== undefined && hasPerson("assignee", assignee),
  reviewer !== undefined && hasPerson("reviewer", reviewer)
]

/** Whether nothing that is excluded holds: where nobody knows, nothing does. */
const isNot = (excluded: PeopleFilter): Fragment =>
  all(...peopleConditions(excluded).map((condition) => condition && sql`not coalesce(${condition}, false)`))

const ofScope = ({ of, userId }: NonNullable<MergeRequestFilter["scope"]>): Fragment =>
  of === "author" ? isAuthor({ id: userId }) : hasPerson("assignee", { id: userId })

const isFound = ({ in: places, text }: NonNullable<MergeRequestFilter["search"]>): Fragment => {
  const words = searchedWords(text)
  const wanted = words.length === 0 ? [text.toLowerCase()] : words
  if (places.length === 2) return holds("m.search_text", wanted)
  return holds(places[0] === "title" ? "lower(m.title)" : "lower(coalesce(m.description, ''))", wanted)
}

/** As the reference finds drafts, which is not quite as it tells them. */
const looksLikeDraft = sql`m.title ilike any (${wipPatterns}::text[])`

export const conditions = (filter: MergeRequestFilter): Fragment =>
  all(
    filter.projectId !== undefined && sql`m.project_id = ${filter.projectId}`,
    filter.groupId !== undefined &&
      raw(`p.namespace_id in (select id from (${descendants("(select namespace_id from asked)")}) _d)`),
    filter.withArchived === false && raw("not p.archived"),
    isSeen(filter),
    filter.state !== undefined && sql`m.state = ${filter.state}`,
    filter.iids !== undefined && sql`m.iid = any(${filter.iids}::bigint[])`,
    filter.scope !== undefined && ofScope(filter.scope),
    ...peopleConditions(filter),
    filter.not !== undefined && isNot(filter.not),
    filter.sourceBranch !== undefined && sql`m.source_branch = ${filter.sourceBranch}`,
    filter.targetBranch !== undefined && sql`m.target_branch = ${filter.targetBranch}`,
    filter.sourceProjectId !== undefined && sql`m.source_project_id = ${filter.sourceProjectId}`,
    filter.search !== undefined && isFound(filter.search),
    filter.isDraft === true && looksLikeDraft,
    filter.isDraft === false && sql`not (${looksLikeDraft})`,
    filter.createdAfter !== undefined && sql`m.created_at >= ${filter.createdAfter}`,
    filter.createdBefore !== undefined && sql`m.created_at <= ${filter.createdBefore}`,
    filter.updatedAfter !== undefined && sql`m.updated_at >= ${filter.updatedAfter}`,
    filter.updatedBefore !== undefined && sql`m.updated_at <= ${filter.updatedBefore}`
  )

const orderColumn: Readonly<Record<MergeRequestFilter["order"]["by"], string>> = {
  created_at: "m.created_at",
  updated_at: "m.updated_at",
  title: "lower(m.title)",
  merged_at: "m.merged_at"
}

/** Those that are not merged come last in either direction, and ids descend then. */
export const orderBy = ({ order: { by, descending } }: MergeRequestFilter): Fragment => {
  const direction = descending ? "desc" : "asc"
  return raw(
    by === "merged_at" ? `m.merged_at ${direction} nulls last, m.id desc` : `${orderColumn[by]} ${direction}, m.id ${direction}`
  )
}
