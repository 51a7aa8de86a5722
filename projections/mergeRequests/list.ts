import { hasReaction } from "#projections/awardEmoji/expressions.ts"
import {
  type Evaluation,
  endOf,
  hasRow,
  hasRowOfAny,
  hasRowsOfAll,
  idOf,
  isFound,
  isThere,
  lacks
} from "#projections/issuables/conditions.ts"
import { labelingConditions } from "#projections/issuables/labelingConditions.ts"
import { isInGroup, isSeen, viewerTables } from "#projections/issuables/viewers.ts"
import type { Slice } from "#src/http/answer/pagination.ts"
import type { NamedPerson } from "#src/issuables/Person.ts"
import { accessLevel } from "#src/members/levels.ts"
import type { MergeRequestKey } from "#src/mergeRequests/ids.ts"
import type { MergeRequestFilter, People, PeopleFilter } from "#src/mergeRequests/Queries.ts"
import { all, type Fragment, raw, slice, sql } from "#src/platform/sql/fragment.ts"
import { eachFound, firstFound } from "../firstFound.ts"
import { isBetween, someWithin } from "../issuables/bounds.ts"
import { inOrder, isByLabels, isRanked, joinedKeyOf, orderBy } from "./order.ts"
import { firstRanked } from "./ranks.ts"

/** Merge requests are seen where project, repository and merge requests are open, and by Reporters where they are not switched off. */
const rule = {
  features: ["merge_requests", "repository"],
  administratorsKeep: "merge_requests",
  minRole: accessLevel.reporter
} as const

const said = { alias: "m", texts: "rm_merge_requests.texts" }

const { hasLabeling, hasNoLabeling } = labelingConditions({ alias: "m", labels: "rm_merge_requests.labels" })

type Place = Pick<MergeRequestFilter, "groupId" | "projectId" | "viewer" | "withArchived">

/** The common tables that the conditions need. */
export const commonTables = ({ groupId, viewer }: Place): Fragment => viewerTables({ groupId, viewer })

type Role = "assignee" | "reviewer"

/** Whether somebody is the author: one who was deleted is shown as nobody's, and found for nobody. */
const isAuthor = (person: NamedPerson): Fragment => all(sql`m.author_id = ${idOf(person)}`, isThere(person))

const inRole = (role: Role) => ({ table: "rm_merge_requests.people", alias: "_p", among: sql`_p.role = ${role}` })

/** Those of people are found by the people, rather than asked of each merge request. */
const hasAll = (role: Role, people: ReadonlyArray<NamedPerson>, evaluation: Evaluation): Fragment =>
  hasRowsOfAll("m", inRole(role), people, evaluation)

const hasAnybody: Readonly<Record<Role, Fragment>> = { assignee: raw("m.has_assignees"), reviewer: raw("m.has_reviewers") }

const hasPeople = (role: Role, people: People, evaluation: Evaluation): Fragment => {
  if (people === "any") return hasAnybody[role]
  if (people === "none") return sql`not ${hasAnybody[role]}`
  return hasAll(role, people, evaluation)
}

/** Whether all of some users are in a table of users of merge requests: those that were deleted are in none. */
const hasUsers = (table: "approvals" | "approvers", people: People, evaluation: Evaluation): Fragment => {
  const related = { table: `rm_merge_requests.${table}`, alias: "_a" }
  const users = raw(`${related.table} _a join rm_users.users _u on _u.id = _a.user_id`)
  const anybody = sql`exists (select from ${users} where _a.project_id = m.project_id and _a.iid = m.iid ${endOf(evaluation)})`
  if (people === "any") return anybody
  if (people === "none") return lacks(anybody)
  const isUser = (person: NamedPerson) => all(sql`_a.user_id = ${idOf(person)}`, isThere(person))
  return all(...people.map((person) => hasRow("m", related, isUser(person), evaluation)))
}

const peopleConditions = (
  { assignees, author, reaction, reviewers }: PeopleFilter,
  evaluation: Evaluation
): ReadonlyArray<Fragment | false> => [
  author !== undefined && isAuthor(author),
  assignees !== undefined && hasPeople("assignee", assignees, evaluation),
  reviewers !== undefined && hasPeople("reviewer", reviewers, evaluation),
  reaction !== undefined && hasReaction("MergeRequest", "m.id", reaction)
]

const hasNone = (role: Role, people: People): Fragment | false =>
  typeof people !== "string" && lacks(hasRowOfAny("m", inRole(role), people, "for each row"))

/** Whether nobody who is excluded has to do with it. Without a reviewer of that name nothing is found; others who are not there exclude nothing. */
const isNot = ({ assignees, author, reaction, reviewers }: PeopleFilter): Fragment =>
  all(
    reaction !== undefined && sql`not ${hasReaction("MergeRequest", "m.id", reaction)}`,
    author !== undefined && sql`not coalesce(${isAuthor(author)}, false)`,
    assignees !== undefined && hasNone("assignee", assignees),
    reviewers !== undefined && hasNone("reviewer", reviewers),
    reviewers !== undefined && typeof reviewers !== "string" && all(...reviewers.map(isThere))
  )

const ofScope = ({ of, userId }: NonNullable<MergeRequestFilter["scope"]>, evaluation: Evaluation): Fragment =>
  of === "author" ? sql`m.author_id = ${userId}` : hasAll("assignee", [{ id: userId }], evaluation)

const hasCommit = ({ projectId, sha }: NonNullable<MergeRequestFilter["commit"]>): Fragment =>
  sql`m.project_id = ${projectId} and m.iid in (
    select _c.iid from rm_merge_requests.commits _c where _c.project_id = ${projectId} and _c.sha = ${sha})`

/** Whether it came into an environment by a deployment for which all that is asked holds. */
const isDeployed = (
  { after, before, environment }: NonNullable<MergeRequestFilter["deployed"]>,
  evaluation: Evaluation
): Fragment => {
  const deployment = all(
    raw("_p.status = 'success'"),
    after !== undefined && sql`_p.finished_at > ${after}`,
    before !== undefined && sql`_p.finished_at < ${before}`,
    sql`_p.environment_id in (select _e.id from rm_deployments.environments _e where ${all(
      raw("not _e.is_deleted"),
      environment !== undefined && sql`_e.name = ${environment}`
    )})`
  )
  const related = { table: "rm_deployments.merge_requests", alias: "_d" }
  const found = sql`_d.deployment_id in (select _p.id from rm_deployments.deployments _p where ${deployment})`
  return hasRow("m", related, found, evaluation)
}

const isAmong = (keys: ReadonlyArray<MergeRequestKey>): Fragment => {
  const [projectIds, iids] = [keys.map(({ projectId }) => projectId), keys.map(({ iid }) => iid)]
  return sql`(m.project_id, m.iid) in (select * from unnest(${projectIds}::bigint[], ${iids}::bigint[]))`
}

/** Projects that are gone have none, and one alone, of which the viewer is not asked, is known to be there. */
export const isPlace = ({ groupId, projectId, viewer, withArchived }: Place): Fragment => {
  const isOfProject = projectId !== undefined && sql`m.project_id = ${projectId}`
  if (isOfProject !== false && viewer === undefined) return isOfProject
  const isShown = all(
    groupId !== undefined && isInGroup,
    withArchived === false && raw("not p.archived"),
    viewer !== undefined && isSeen(viewer, rule)
  )
  return all(isOfProject, sql`exists (select from rm_projects.projects p where p.id = m.project_id and ${isShown})`)
}

export const conditions = (filter: MergeRequestFilter, evaluation: Evaluation = "for all rows"): Fragment =>
  all(
    isPlace(filter),
    filter.state !== undefined && raw(`m.state = '${filter.state}'`),
    filter.iids !== undefined && sql`m.iid = any(${filter.iids}::bigint[])`,
    filter.commit !== undefined && hasCommit(filter.commit),
    filter.keys !== undefined && isAmong(filter.keys),
    filter.scope !== undefined && ofScope(filter.scope, evaluation),
    ...peopleConditions(filter, evaluation),
    filter.not !== undefined && isNot(filter.not),
    hasLabeling(filter, evaluation),
    filter.not !== undefined && hasNoLabeling(filter.not, evaluation),
    filter.merger !== undefined && all(sql`m.merge_user_id = ${idOf(filter.merger)}`, isThere(filter.merger)),
    filter.sourceBranch !== undefined && sql`m.source_branch = ${filter.sourceBranch}`,
    filter.targetBranch !== undefined && sql`m.target_branch = ${filter.targetBranch}`,
    filter.sourceProjectId !== undefined && sql`m.source_project_id = ${filter.sourceProjectId}`,
    filter.search !== undefined && isFound(said, filter.search, evaluation),
    filter.approvedBy !== undefined && hasUsers("approvals", filter.approvedBy, evaluation),
    filter.isApproved !== undefined && hasUsers("approvals", filter.isApproved ? "any" : "none", evaluation),
    filter.approver !== undefined && hasUsers("approvers", filter.approver, evaluation),
    filter.deployed !== undefined && isDeployed(filter.deployed, evaluation),
    filter.isDraft !== undefined && raw(`${filter.isDraft ? "" : "not "}m.looks_like_draft`),
    isBetween("m", filter)
  )

const table = raw("rm_merge_requests.merge_requests")
const alias = raw("m")
const columns = raw("m.id, m.project_id, m.iid")

/** Whether an index has those in a state in the order of the list: what was updated lately is mostly in another state. */
const isOrderedByState = ({ order: { by }, projectId, state }: MergeRequestFilter): boolean =>
  state !== undefined && (by === "created_at" || (by === "updated_at" && projectId === undefined))

/** The first of the project, or of all, and in a state where an index has those. */
const ordered = (filter: MergeRequestFilter, limit: Fragment, most: number): Fragment => {
  const { projectId, state } = filter
  if (isRanked(filter)) return firstRanked(filter, limit, most)
  const place = all(
    projectId !== undefined && sql`m.project_id = ${projectId}`,
    isOrderedByState(filter) && raw(`m.state = '${state}'`)
  )
  return sql`select m.* from ${table} m where ${place} order by ${orderBy(filter)} ${limit}`
}

/** Whether what is found is known beforehand, or of a project without an index of the order, and soon sorted. */
const isSoonSorted = (filter: MergeRequestFilter): boolean => {
  const { commit, iids, keys, projectId } = filter
  if (commit !== undefined || iids !== undefined || keys !== undefined) return true
  return isByLabels(filter) || (projectId !== undefined && isRanked(filter))
}

/** Whether an index has what is found in the order of the list: all of a project or of everybody, those in a state, or those of an author. */
const isIndexed = (filter: MergeRequestFilter): boolean => {
  const { author, order, projectId, scope, state, viewer, ...others } = filter
  if (Object.keys(others).length > 0 || scope?.of === "assignee" || isRanked(filter)) return false
  if (author !== undefined || scope !== undefined) return order.by === "created_at"
  if (projectId === undefined && viewer?.isAdministrator !== true) return false
  return state === undefined || isOrderedByState(filter)
}

/** Where they are looked for: of one project an index has those within any time. */
const among = (filter: MergeRequestFilter) => ({
  table,
  alias,
  found: conditions(filter),
  isFound: conditions(filter, "for each row"),
  few: filter.projectId === undefined ? someWithin("rm_merge_requests.merge_requests", filter) : undefined
})

/** What names the merge requests of a page. */
export const pageOf = (filter: MergeRequestFilter, page: Slice): Fragment => {
  const found = conditions(filter)
  if (isSoonSorted(filter) || isIndexed(filter))
    return sql`select ${columns} from ${table} m where ${found} order by ${orderBy(filter)} ${slice(page)}`
  const search = {
    ...among(filter),
    columns,
    ...joinedKeyOf(filter),
    order: inOrder(filter, raw("key"), "id")
  }
  return firstFound({ ...search, ordered: (limit, most) => ordered(filter, limit, most) }, page)
}

/** A row for each that is found. */
export const allFound = (filter: MergeRequestFilter): Fragment => eachFound(among(filter))
