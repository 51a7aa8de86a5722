import { MergeRequestEvent, StateName } from "../../mergeRequests/events.ts"
import type { Past } from "../../platform/recordPast.ts"
import type { Import } from "./Import.ts"
import { uniqueLabels } from "./issues.ts"
import { labelIdOf, milestoneIdOf } from "./planning.ts"
import type { MergeRequest } from "./shapes/issuables.ts"
import { millis } from "./shapes/values.ts"

const { cases } = MergeRequestEvent

/** What happened to a merge request. */
export type Told = ReadonlyArray<Past<MergeRequestEvent>>

/** The ids of what is told of labels and milestones. */
export interface LabelingIds {
  readonly labelEventIds: ReadonlyArray<number>
  readonly milestoneEventIds: ReadonlyArray<number>
}

/** The labels that came and went, so that it has in the end those that it has. */
export const labelsChanged = (to: Import, { labelEventIds }: LabelingIds, record: MergeRequest): Told => {
  const has = new Set<number>()
  const told = record.resource_label_events.flatMap(({ action, created_at, label, user_id }, index): Told => {
    if (label === null) return []
    const labelId = labelIdOf(to, label)
    const isAdded = action === "add"
    if (isAdded) has.add(labelId)
    else has.delete(labelId)
    const by = to.people.of(user_id)
    const changed = isAdded ? { addedIds: [labelId], removedIds: [] } : { addedIds: [], removedIds: [labelId] }
    return [
      {
        event: cases.MergeRequestLabelsChanged.make({ id: labelEventIds[index] ?? 0, by, ...changed }),
        at: millis(created_at),
        by
      }
    ]
  })
  const wanted = uniqueLabels(to, record)
  const removedIds = [...has].filter((id) => !wanted.includes(id))
  const addedIds = wanted.filter((id) => !has.has(id))
  if (addedIds.length + removedIds.length === 0) return told
  const by = to.people.of(record.author_id)
  const id = labelEventIds[record.resource_label_events.length] ?? 0
  const at = removedIds.length === 0 ? millis(record.created_at) : millis(record.updated_at)
  return [...told, { event: cases.MergeRequestLabelsChanged.make({ id, by, addedIds, removedIds }), at, by }]
}

/** One for each event, and one for what they do not tell of. */
export const eventCounts = ({ resource_label_events, resource_milestone_events }: MergeRequest) => ({
  labels: resource_label_events.length + 1,
  milestones: resource_milestone_events.length + 1
})

const stateNames: ReadonlySet<unknown> = new Set(StateName.literals)
const isStateName = (value: unknown): value is StateName => stateNames.has(value)

export const milestonesChanged = (to: Import, { milestoneEventIds }: LabelingIds, record: MergeRequest): Told => {
  let has: number | null = null
  const change = (index: number, milestone: number | null, by: number, state: unknown, at: number): Past<MergeRequestEvent> => {
    const from = has
    has = milestone
    const id = milestoneEventIds[index] ?? 0
    const named = isStateName(state) ? state : "opened"
    return { event: cases.MergeRequestMilestoneChanged.make({ id, by, from, to: milestone, state: named }), at, by }
  }
  const told = record.resource_milestone_events.flatMap(({ action, created_at, milestone, state, user_id }, index): Told => {
    const id = milestoneIdOf(to, milestone)
    if (id === null) return []
    if (action !== "add") has = id
    return [change(index, action === "add" ? id : null, to.people.of(user_id), state, millis(created_at))]
  })
  const wanted = milestoneIdOf(to, record.milestone)
  if (has === wanted) return told
  const by = to.people.of(record.author_id)
  return [...told, change(told.length, wanted, by, record.state, millis(record.updated_at))]
}
