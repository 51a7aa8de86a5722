import fc from "fast-check"
import { AwardEvent } from "#src/awardEmoji/events.ts"
import { MergeRequestEvent } from "#src/mergeRequests/events.ts"
import { attributes, plan, shaOf } from "../samples.ts"

/** What a merge request is made of, but for ids and times. */
export interface Draw {
  /** Places in the lists of projects and of people. */
  readonly project: number
  readonly source: number
  readonly author: number
  readonly assignees: ReadonlyArray<number>
  readonly reviewers: ReadonlyArray<number>
  readonly approvers: ReadonlyArray<number>
  readonly title: string
  readonly description: string | null
  readonly sourceBranch: string
  readonly targetBranch: string
  readonly fate: "opened" | "closed" | "merged" | "changed"
  readonly merger: number
  /** Places among the labels and milestones of its project, and how many users like it. */
  readonly labels: ReadonlyArray<number>
  readonly milestone: number | null
  readonly upvotes: number
}

/** A label and a milestone of a project. What is gone is deleted in the end, and counts for none. */
export interface Label {
  readonly id: number
  readonly title: string
  readonly priority: number | null
  readonly isGone?: boolean
}
export interface Milestone {
  readonly id: number
  readonly title: string
  readonly dueDate: string | null
  readonly isGone?: boolean
}

/** Words that titles, descriptions and searches are made of. */
export const words = [
  "retry",
  "Retry",
  "the",
  "a",
  "UPLOAD",
  "up",
  "Größe",
  "größe",
  "100%",
  "snake_case",
  "back\\slash",
  "it's",
  "-->"
]
const prefixes = ["", "", "", "Draft: ", "[draft] ", "(DRAFT)", "draft - ", "Draft-", "WIP: "]

export const branches = ["main", "Main", "topic", "topic/1", "topic%"]

/** Texts of words that are too short to be looked for. */
export const shortTexts = ["a", "up", "UP", "a up", "up a"]

const text = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }).map((some) => some.join(" ")) },
  { weight: 1, arbitrary: fc.constantFrom(...shortTexts) }
)

/** How many there are; labels and milestones are those of a project. */
interface Counts {
  readonly projects: number
  readonly people: number
  readonly labels: number
  readonly milestones: number
}

export const drawOf = ({ labels, milestones, people, projects }: Counts): fc.Arbitrary<Draw> => {
  const person = fc.nat(people - 1)
  const some = fc.uniqueArray(person, { maxLength: 3 })
  return fc.record({
    project: fc.nat(projects - 1),
    source: fc.nat(projects - 1),
    author: person,
    assignees: some,
    reviewers: some,
    approvers: some,
    title: fc.tuple(fc.constantFrom(...prefixes), text).map((parts) => parts.join("")),
    description: fc.option(fc.array(text, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n"))),
    sourceBranch: fc.constantFrom(...branches),
    targetBranch: fc.constantFrom(...branches),
    fate: fc.constantFrom("opened", "closed", "merged", "changed"),
    merger: person,
    labels: fc.uniqueArray(fc.nat(labels - 1), { maxLength: 3 }),
    milestone: fc.option(fc.nat(milestones - 1)),
    upvotes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3 }))
  })
}

/** A merge request as it is told beside the read model. Times are milliseconds since 1970. */
export interface SampledRequest
  extends Omit<
    Draw,
    "project" | "source" | "author" | "assignees" | "reviewers" | "approvers" | "merger" | "labels" | "milestone"
  > {
  readonly id: number
  readonly iid: number
  readonly projectId: number
  readonly sourceProjectId: number
  readonly authorId: number
  readonly assigneeIds: ReadonlyArray<number>
  readonly reviewerIds: ReadonlyArray<number>
  readonly approvedByIds: ReadonlyArray<number>
  readonly mergedById: number | null
  readonly labels: ReadonlyArray<Label>
  readonly milestone: Milestone | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly mergedAt: number | null
}

/** A verdict keeps the background from looking for branches that are not there. */
const checked = MergeRequestEvent.cases.MergeabilityChecked.make({
  headSha: shaOf("a"),
  targetSha: shaOf("b"),
  verdict: "mergeable",
  isFastForward: true
})

type New = Omit<SampledRequest, "createdAt" | "updatedAt" | "mergedAt">

/** The events with which it begins. */
export const beginningOf = (told: New): ReadonlyArray<MergeRequestEvent> => [
  MergeRequestEvent.cases.MergeRequestOpened.make({
    ...attributes,
    id: told.id,
    authorId: told.authorId,
    source: { projectId: told.sourceProjectId, branch: told.sourceBranch },
    sourceSha: shaOf("a"),
    title: told.title,
    description: told.description,
    targetBranch: told.targetBranch,
    assigneeIds: told.assigneeIds,
    reviewerIds: told.reviewerIds
  }),
  checked,
  ...told.approvedByIds.map((by) => MergeRequestEvent.cases.MergeRequestApproved.make({ by, left: 0 })),
  ...labelingOf(told)
]

/** The events of its labels and its milestone. Each has ids of its own. */
const labelingOf = ({ id, labels, milestone }: New): ReadonlyArray<MergeRequestEvent> => {
  const { MergeRequestLabelsChanged, MergeRequestMilestoneChanged } = MergeRequestEvent.cases
  const addedIds = labels.map((label) => label.id)
  return [
    ...(labels.length === 0 ? [] : [MergeRequestLabelsChanged.make({ id: id * 1024, by: 1, addedIds, removedIds: [] })]),
    ...(milestone === null
      ? []
      : [MergeRequestMilestoneChanged.make({ id, by: 1, from: null, to: milestone.id, state: "opened" })])
  ]
}

/** The awards by which so many users like it, besides one that says nothing of that. */
export const awardsOf = ({ id, upvotes }: New): ReadonlyArray<AwardEvent> =>
  [...Array.from({ length: upvotes }, () => "thumbsup"), "thumbsdown"].map((name, index) =>
    AwardEvent.cases.EmojiAwarded.make({
      id: id * 10 + index,
      by: index + 1,
      name,
      total: name === "thumbsup" ? index + 1 : 1
    })
  )

/** The events that come later, of which the last one changes it. */
export const endOf = ({ fate, mergedById }: New): ReadonlyArray<MergeRequestEvent> => {
  const { MergePlanned, MergeRequestChanged, MergeRequestClosed, MergeRequestMerged } = MergeRequestEvent.cases
  if (fate === "closed") return [MergeRequestClosed.make({ by: 1 })]
  if (fate === "changed") return [MergeRequestChanged.make({ changes: { squash: true } })]
  if (fate === "opened" || mergedById === null) return []
  return [MergePlanned.make(plan), MergeRequestMerged.make({ by: mergedById, mergeSha: shaOf("c"), squashSha: null })]
}
