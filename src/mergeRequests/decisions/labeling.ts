import { MergeRequestEvent, type StateName } from "../events.ts"
import { type AttributeFault, labelFaults } from "./faults.ts"

type Ids = ReadonlyArray<number>

/** What becomes of the labels: others in place of those before, some more, and some no more. */
export interface LabelsChange {
  readonly instead?: Ids
  readonly added?: Ids
  readonly removed?: Ids
}

/** Changes of labels and milestone. Absent ones stay as they are; null is no milestone. */
export interface Labeling {
  readonly labels?: LabelsChange
  readonly milestoneId?: number | null
}

/** The same with the ids of the first of what is told of each label, and of what is told of the milestone. */
export interface LabelingWithIds extends Labeling {
  readonly labelEventId: number
  readonly milestoneEventId: number
}

/** The labels and the milestone that a merge request has. */
interface Labeled {
  readonly labelIds: Ids
  readonly milestoneId: number | null
}

export const unlabeled: Labeled = { labelIds: [], milestoneId: null }

const without = (ids: Ids, others: Ids): Ids => {
  const left = new Set(others)
  return ids.filter((id) => !left.has(id))
}

/** The labels behind a change, each once. */
export const labelsAfter = (before: Ids, { added = [], instead = before, removed = [] }: LabelsChange): Ids => [
  ...new Set(without([...instead, ...added], removed))
]

const { cases } = MergeRequestEvent

/** The labels and the milestone behind a change. */
export const labeledBy = ({ labels = {}, milestoneId }: Labeling, before: Labeled): Labeled => ({
  labelIds: labelsAfter(before.labelIds, labels),
  milestoneId: milestoneId === undefined ? before.milestoneId : milestoneId
})

/** Who changes it, in which state. */
interface Circumstances {
  readonly by: number
  readonly state: StateName
}

/** What such a change comes to. */
export const labelingEvents = (
  change: LabelingWithIds,
  before: Labeled,
  { by, state }: Circumstances
): ReadonlyArray<MergeRequestEvent> => {
  const after = labeledBy(change, before)
  const [addedIds, removedIds] = [without(after.labelIds, before.labelIds), without(before.labelIds, after.labelIds)]
  const [from, to] = [before.milestoneId, after.milestoneId]
  const labeled = cases.MergeRequestLabelsChanged.make({ id: change.labelEventId, by, addedIds, removedIds })
  const moved = cases.MergeRequestMilestoneChanged.make({ id: change.milestoneEventId, by, from, to, state })
  return [...(addedIds.length + removedIds.length === 0 ? [] : [labeled]), ...(from === to ? [] : [moved])]
}

/** What is wrong with it. */
export const labelingFaults = (change: Labeling, before: Labeled): ReadonlyArray<AttributeFault> =>
  labelFaults(labeledBy(change, before).labelIds)
