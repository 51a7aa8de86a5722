import { Effect } from "effect"
import type { Decoded } from "../http/parameters/parameters.ts"
import { assigneesIn, newPeople, peopleAmong } from "../issuables/people.ts"
import { defined, nullAs } from "../kernel/defined.ts"
import { ensureLabels, LabelQueries } from "../labels/Labels.ts"
import { accessLevel } from "../members/levels.ts"
import { MilestoneQueries } from "../milestones/Milestones.ts"
import { can, type ReadableProject } from "../projects/Projects.ts"
import { IssueInvalid, type LabelChanges, type Update } from "./aggregate.ts"
import type { changeIssue, createIssue } from "./contract.ts"
import type { Attributes } from "./events.ts"
import { maxLabels, tooManyLabels } from "./faults.ts"
import type { IssueRow } from "./Queries.ts"

type Creation = Decoded<(typeof createIssue)["parameters"]>
type Change = Decoded<(typeof changeIssue)["parameters"]>

/** What people of an issue have to be able to do. */
const seeing = "read_issues"

const isMember = ({ principal }: ReadableProject): boolean => principal.isAdministrator || principal.role >= accessLevel.guest

const parentOf = ({ project }: ReadableProject) => ({ kind: "project", id: project.id }) as const

/** The ids of labels with these titles: those that are not there are made by callers who may, and left out otherwise. */
const labelsNamed = Effect.fnUntraced(function* (titles: ReadonlyArray<string>, found: ReadableProject) {
  if (titles.length === 0) return []
  if (titles.length > maxLabels) return yield* new IssueInvalid({ faults: [tooManyLabels] })
  const { principal, project } = found
  if (can("manage_labels", principal, project)) return yield* ensureLabels(project.id, titles)
  const known = yield* LabelQueries.use((labels) => labels.named({ parent: parentOf(found), withAncestors: true }, titles))
  return known.map(({ id }) => id)
})

/** A milestone that the project may use: null for any other one. Undefined where none is asked for. */
const milestoneAmong = Effect.fnUntraced(function* (id: number | null | undefined, found: ReadableProject) {
  if (id === undefined) return undefined
  if (id === null || id === 0) return null
  const milestone = yield* MilestoneQueries.use((milestones) =>
    milestones.find({ parent: parentOf(found), withAncestors: true }, id)
  )
  return milestone?.id ?? null
})

const nothingOfMembers = {
  assigneeIds: [],
  labelIds: [],
  milestoneId: null,
  dueDate: null,
  isDiscussionLocked: null
} as const

/** What members alone set in a new issue. */
const ofMembers = Effect.fnUntraced(function* (parameters: Creation, found: ReadableProject) {
  const { add_labels, due_date, labels, milestone_id } = parameters
  return {
    assigneeIds: yield* peopleAmong(assigneesIn(parameters) ?? [], found, seeing),
    labelIds: yield* labelsNamed([...(labels ?? []), ...(add_labels ?? [])], found),
    milestoneId: (yield* milestoneAmong(milestone_id, found)) ?? null,
    dueDate: due_date ?? null,
    isDiscussionLocked: parameters.discussion_locked ?? null
  }
})

/** The attributes of a new issue. What the caller may not set is left out without a word. */
export const settingsOf = Effect.fnUntraced(function* (parameters: Creation, found: ReadableProject) {
  const attributes: Attributes = {
    title: parameters.title ?? "",
    description: parameters.description ?? null,
    isConfidential: parameters.confidential === true,
    ...(isMember(found) ? yield* ofMembers(parameters, found) : nothingOfMembers)
  }
  return attributes
})

/** When it is said to have been opened, where the caller may say so. */
export const createdAtOf = ({ created_at }: Creation, { principal }: ReadableProject): number | undefined =>
  principal.isAdministrator || principal.role >= accessLevel.owner ? (created_at ?? undefined) : undefined

/**
 * The labels with these titles that it may have by the time at which the change is decided; of former groups of the project it may have some
 * that others may not get.
 */
const labelsToRemove = Effect.fnUntraced(function* (titles: ReadonlyArray<string>, row: IssueRow, found: ReadableProject) {
  if (titles.length === 0) return []
  const isRemoved = new Set(titles)
  const known = yield* LabelQueries.use((labels) =>
    labels.named({ parent: parentOf(found), withAncestors: true }, [...isRemoved])
  )
  return [...known, ...row.labels].filter(({ title }) => isRemoved.has(title)).map(({ id }) => id)
})

/** Labels that are removed are not added before, so that none is made for it. */
const labelChanges = Effect.fnUntraced(function* (parameters: Change, row: IssueRow, found: ReadableProject) {
  const { add_labels, remove_labels } = parameters
  const labels = nullAs(parameters.labels, [])
  if (labels === undefined && !add_labels && !remove_labels) return undefined
  const isRemoved = new Set(remove_labels ?? [])
  const named = (titles: ReadonlyArray<string>) =>
    labelsNamed(
      titles.filter((title) => !isRemoved.has(title)),
      found
    )
  const changes: LabelChanges = {
    added: yield* named(add_labels ?? []),
    removed: yield* labelsToRemove(remove_labels ?? [], row, found),
    ...defined({ replaced: labels === undefined ? undefined : yield* named(labels) })
  }
  return changes
})

/** What is asked for, as far as the caller may change it: the texts and the state, and all of it as a Reporter. */
export const changesOf = Effect.fnUntraced(function* (parameters: Change, row: IssueRow, found: ReadableProject) {
  const { description, due_date, state_event, title } = parameters
  const isReporter = can("update_issue", found.principal, found.project)
  const texts = { title: nullAs(title, ""), description }
  const transition = defined({ transition: state_event ?? undefined })
  if (!isReporter) {
    const update: Omit<Update, "_tag" | "by"> = { changes: defined(texts), ...transition }
    return update
  }
  const changes = defined({
    ...texts,
    assigneeIds: yield* newPeople(assigneesIn(parameters), found, seeing),
    milestoneId: yield* milestoneAmong(parameters.milestone_id, found),
    dueDate: due_date,
    isConfidential: parameters.confidential ?? undefined,
    isDiscussionLocked: parameters.discussion_locked ?? undefined
  })
  const update: Omit<Update, "_tag" | "by"> = {
    changes,
    ...transition,
    ...defined({ labels: yield* labelChanges(parameters, row, found) })
  }
  return update
})
