import type { NamedPerson } from "#src/issuables/Person.ts"
import type { IssueKey } from "#src/issues/ids.ts"
import type { DueCondition, Exclusions, IssueFilter, People } from "#src/issues/Queries.ts"
import { accessLevel } from "#src/members/levels.ts"
import { all, any, type Fragment, none, raw, sql } from "#src/platform/sql/fragment.ts"
import { hasReaction } from "../awardEmoji/expressions.ts"
import { isBetween } from "../issuables/bounds.ts"
import { type Evaluation, endOf, hasRowsOfAll, idOf, isFound, isThere, lacks } from "../issuables/conditions.ts"
import { labelingConditions } from "../issuables/labelingConditions.ts"
import { hasRole, isInGroup, isSeen, viewerTables } from "../issuables/viewers.ts"

/** Issues are seen where project and issues are open, and by members where they are not switched off. */
const rule = { features: ["issues"], minRole: accessLevel.guest } as const

type Within = Pick<IssueFilter, "groupId" | "project" | "viewer">

export const commonTables = ({ groupId, project, viewer }: Within): Fragment =>
  viewerTables({ groupId, viewer: isKnown({ project }) ? undefined : viewer })

const isIn = ({ id }: NonNullable<Within["project"]>): Fragment => sql`i.project_id = any(array[${id}]::bigint[])`

const isBy = (userId: number): Fragment => sql`i.author_id = ${userId}`

/** Whether somebody is the author: one who was deleted is shown as nobody's, and found for nobody. */
const isAuthor = (person: NamedPerson): Fragment => all(sql`i.author_id = ${idOf(person)}`, isThere(person))

/** Those of people are found by the people, rather than asked of each issue. */
const hasAll = (people: ReadonlyArray<NamedPerson>, evaluation: Evaluation): Fragment =>
  hasRowsOfAll("i", { table: "rm_issues.assignees", alias: "_a" }, people, evaluation)

const hasAssignee = (person: NamedPerson, evaluation: Evaluation = "for all rows"): Fragment => hasAll([person], evaluation)

const assigneesOf = raw("rm_issues.assignees _a where _a.project_id = i.project_id and _a.iid = i.iid")

const hasAnybody = (evaluation: Evaluation): Fragment => sql`exists (select from ${assigneesOf} ${endOf(evaluation)})`

const hasAssignees = (people: People, evaluation: Evaluation = "for all rows"): Fragment => {
  if (people === "any") return hasAnybody(evaluation)
  return people === "none" ? lacks(hasAnybody(evaluation)) : hasAll(people, evaluation)
}

/** Confidential issues are seen by Reporters, by their author and their assignees. */
const isShown = ({ project, viewer }: Within): Fragment | false => {
  const { isAdministrator, userId } = viewer
  if (project?.showsConfidential ?? isAdministrator) return false
  const isPublic = raw("not i.is_confidential")
  if (userId === undefined) return isPublic
  const isReporter = !isKnown({ project }) && hasRole(accessLevel.reporter)
  return any(isPublic, isReporter, isBy(userId), hasAssignee({ id: userId }))
}

const said = { alias: "i", texts: "rm_issues.texts" }

const { hasLabeling, hasNoLabeling } = labelingConditions({ alias: "i", labels: "rm_issues.labels" })

const isDue = (due: DueCondition): Fragment => {
  if (typeof due === "string") return raw(`i.due_date is ${due === "any" ? "not " : ""}null`)
  return all(due.from !== undefined && sql`i.due_date >= ${due.from}`, sql`i.due_date <= ${due.to}`)
}

/** Nothing that is excluded holds: where nobody knows, nothing does. */
const isNot = ({ assignees, author, iids, reaction, ...labeling }: Exclusions, evaluation: Evaluation): Fragment =>
  all(
    reaction !== undefined && sql`not ${hasReaction("Issue", "i.id", reaction)}`,
    author !== undefined && sql`not coalesce(${isAuthor(author)}, false)`,
    assignees !== undefined && lacks(hasAssignees(assignees, "for each row")),
    iids !== undefined && sql`not i.iid = any(${iids}::bigint[])`,
    hasNoLabeling(labeling, evaluation)
  )

const ofScope = ({ of, userId }: NonNullable<IssueFilter["scope"]>, evaluation: Evaluation): Fragment =>
  of === "author" ? isBy(userId) : hasAssignee({ id: userId }, evaluation)

const isAmong = (keys: ReadonlyArray<IssueKey>): Fragment => {
  const [projectIds, iids] = [keys.map(({ projectId }) => projectId), keys.map(({ iid }) => iid)]
  return sql`(i.project_id, i.iid) in (select * from unnest(${projectIds}::bigint[], ${iids}::bigint[]))`
}

const isClosedBy = ({ iid, projectId }: NonNullable<IssueFilter["closedBy"]>): Fragment => sql`(i.project_id, i.iid) in (
  select _c.issue_project_id, _c.issue_iid from rm_merge_requests.issues_to_close _c
  where _c.project_id = ${projectId} and _c.iid = ${iid})`

/** Whether it is known without asking of roles what the viewer sees. */
const isKnown = ({ project }: { readonly project?: Within["project"] | undefined }): boolean =>
  project?.showsConfidential !== undefined

/** Where the viewer sees issues, in a group or anywhere. */
const isOpenIn = ({ groupId, viewer }: Within): Fragment => all(isSeen(viewer, rule), groupId !== undefined && isInGroup)

/** What the viewer sees in a group or anywhere. */
const isSeenIn = (filter: Within): Fragment => all(isOpenIn(filter), isShown(filter))

/** Where the viewer sees issues in a project, in a group or anywhere. */
const isPlace = (within: Within): Fragment => all(within.project !== undefined && isIn(within.project), isOpenIn(within))

/** The counts of issues that everybody sees in a place, and of confidential ones where the viewer sees them all. */
export const isCountedIn = (within: Within): Fragment => {
  const { isAdministrator, userId } = within.viewer
  const isReporter = userId !== undefined && hasRole(accessLevel.reporter)
  return all(isPlace(within), !isAdministrator && any(raw("not i.is_confidential"), isReporter))
}

/** The confidential issues of the viewer where those of others are not shown. */
export const isOwnWithin = (within: Within): Fragment => {
  const { isAdministrator, userId } = within.viewer
  if (isAdministrator || userId === undefined) return raw("false")
  const isOwn = any(isBy(userId), hasAssignee({ id: userId }))
  return all(isPlace(within), raw("i.is_confidential"), sql`not (${hasRole(accessLevel.reporter)})`, isOwn)
}

/** The conditions on an issue, and on its project, `p`, where that is not known. */
export const isFoundBy = (filter: IssueFilter, evaluation: Evaluation = "for all rows"): Fragment =>
  all(
    filter.project !== undefined && isIn(filter.project),
    isKnown(filter) && isShown(filter),
    !isKnown(filter) &&
      sql`exists (select from rm_projects.projects p where p.id = i.project_id and ${all(
        isSeenIn(filter),
        filter.withArchived === false && raw("not p.archived"),
        filter.isAutoclosed === true && raw("p.autoclose_referenced_issues")
      )})`,
    filter.state !== undefined && sql`i.state = ${filter.state}`,
    filter.iids !== undefined && sql`i.iid = any(${filter.iids}::bigint[])`,
    filter.scope !== undefined && ofScope(filter.scope, evaluation),
    filter.author !== undefined && isAuthor(filter.author),
    filter.assignees !== undefined && hasAssignees(filter.assignees, evaluation),
    hasLabeling(filter, evaluation),
    filter.isConfidential !== undefined && sql`i.is_confidential = ${filter.isConfidential}`,
    filter.due !== undefined && isDue(filter.due),
    filter.reaction !== undefined && hasReaction("Issue", "i.id", filter.reaction),
    filter.search !== undefined && isFound(said, filter.search, evaluation),
    isBetween("i", filter),
    filter.not !== undefined && isNot(filter.not, evaluation),
    filter.keys !== undefined && isAmong(filter.keys),
    filter.closedBy !== undefined && isClosedBy(filter.closedBy)
  )

type OrderOf = IssueFilter["order"]

const columns: Readonly<Record<OrderOf["by"], string>> = {
  created_at: "i.created_at",
  updated_at: "i.updated_at",
  title: "lower(i.title)",
  due_date: "i.due_date"
}

export const directionOf = ({ descending }: OrderOf): Fragment => raw(descending ? "desc" : "asc")

/** What a list is ordered by before the ids. Those without a due date come last in either direction. */
export const keyOf = ({ by, descending }: OrderOf): Fragment =>
  raw(by === "due_date" && descending ? "coalesce(i.due_date, '')" : columns[by])

export const orderBy = (order: OrderOf): Fragment => sql`${keyOf(order)} ${directionOf(order)}, i.id ${directionOf(order)}`

/**
 * The first issues of all or of a project in the order of a list, whatever they are. The planner would take a single project for a constant,
 * and might then go through the issues of all of them.
 */
export const ordered = ({ order, project }: IssueFilter, limit: Fragment): Fragment => {
  const direction = directionOf(order)
  const isDue = order.by === "due_date"
  const column = sql`${raw(columns[order.by])} ${direction}${raw(isDue ? " nulls last" : "")}, i.id ${direction}`
  const first = isDue ? raw("i.project_id, ") : sql`i.project_id ${direction}, `
  return sql`select i.* from rm_issues.issues i ${project === undefined ? none : sql`where ${isIn(project)}`}
    order by ${project === undefined ? none : first} ${column} ${limit}`
}
