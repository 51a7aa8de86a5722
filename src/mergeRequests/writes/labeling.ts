import { Effect } from "effect"
import { defined } from "../../kernel/defined.ts"
import { ensureLabels, LabelQueries } from "../../labels/Labels.ts"
import { MilestoneQueries } from "../../milestones/Milestones.ts"
import { nextId } from "../../platform/Ids.ts"
import type { ReadableProject } from "../../projects/Projects.ts"
import { MergeRequestInvalid } from "../decisions/commands.ts"
import { labelFaults } from "../decisions/faults.ts"
import type { Labeling, LabelingWithIds, LabelsChange } from "../decisions/labeling.ts"

interface Wanted {
  readonly labels?: ReadonlyArray<string> | null
  readonly add_labels?: ReadonlyArray<string> | null
  readonly remove_labels?: ReadonlyArray<string> | null
  readonly milestone_id?: number | null
}

type Titles = ReadonlyArray<string>

/** The labels with these titles. Of those that are not there at most as many are made as one may have. */
const labelsOf = Effect.fnUntraced(function* (projectId: number, titles: Titles) {
  const faults = labelFaults([...new Set(titles)])
  return faults.length > 0 ? yield* new MergeRequestInvalid({ faults }) : yield* ensureLabels(projectId, titles)
})

/** The labels with these titles that it may have; of former groups of the project it may have some that others may not get. */
const labelsToRemove = Effect.fnUntraced(function* (projectId: number, titles: Titles, before: ReadonlyArray<number>) {
  const wanted = new Set(titles)
  const place = { parent: { kind: "project", id: projectId }, withAncestors: true } as const
  const { named, withIds } = yield* LabelQueries
  const [known, present] = yield* Effect.all([named(place, [...wanted]), withIds(before)], { concurrency: 2 })
  return [...known, ...present].filter(({ title }) => wanted.has(title)).map(({ id }) => id)
})

/** Null instead of labels takes all away. */
const labelsChangeOf = Effect.fnUntraced(function* (
  { add_labels, labels, remove_labels }: Wanted,
  projectId: number,
  before: ReadonlyArray<number>
) {
  if (labels === undefined && !add_labels?.length && !remove_labels?.length) return undefined
  const change: LabelsChange = defined({
    instead: labels === undefined ? undefined : yield* labelsOf(projectId, labels ?? []),
    added: add_labels?.length ? yield* labelsOf(projectId, add_labels) : undefined,
    removed: remove_labels?.length ? yield* labelsToRemove(projectId, remove_labels, before) : undefined
  })
  return change
})

/** The milestone that is asked for, null for one that the project may not use: as the reference does, it is none then. */
const milestoneIn = Effect.fnUntraced(function* ({ milestone_id: id }: Wanted, projectId: number) {
  if (id === undefined || id === null || id === 0) return id === undefined ? undefined : null
  const place = { parent: { kind: "project", id: projectId }, withAncestors: true } as const
  return (yield* MilestoneQueries.use(({ find }) => find(place, id)))?.id ?? null
})

/** The labels and the milestone that parameters name, of a project; labels that are not there are made. `before` are the ids of those that it has. */
export const labelingIn = Effect.fnUntraced(function* (
  parameters: Wanted,
  { project }: ReadableProject,
  before: ReadonlyArray<number> = []
) {
  const labels = yield* labelsChangeOf(parameters, project.id, before)
  const milestoneId = yield* milestoneIn(parameters, project.id)
  const labeling: Labeling = defined({ labels, milestoneId })
  return Object.keys(labeling).length === 0 ? undefined : labeling
})

/** The same with ids for what is told of it. */
export const withEventIds = Effect.fnUntraced(function* (labeling: Labeling) {
  const [labelEventId, milestoneEventId] = [
    yield* nextId("merge_request_label_event"),
    yield* nextId("merge_request_milestone_event")
  ]
  const told: LabelingWithIds = { ...labeling, labelEventId, milestoneEventId }
  return told
})
