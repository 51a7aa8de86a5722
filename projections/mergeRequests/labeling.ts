import type { MergeRequestEvent } from "#src/mergeRequests/events.ts"
import type { MergeRequestKey } from "#src/mergeRequests/ids.ts"
import { type Change, idTaken, patch, put, remove, removeWhere } from "../ReadModel.ts"

export const labelingTables = {
  labels: ["project_id", "iid", "label_id"],
  label_events: ["id"],
  milestone_events: ["id"]
} as const

const keyOf = ({ iid, projectId }: MergeRequestKey) => ({ project_id: projectId, iid })

type LabelsChanged = Extract<MergeRequestEvent, { readonly _tag: "MergeRequestLabelsChanged" }>

/** Labels are added and removed one by one, and each is told of. */
export const labelsChanged = (key: MergeRequestKey, { addedIds, by, id, removedIds }: LabelsChanged, at: number) => {
  const told = [
    ...addedIds.map((labelId) => ({ label_id: labelId, is_added: true })),
    ...removedIds.map((labelId) => ({ label_id: labelId, is_added: false }))
  ]
  const changes: ReadonlyArray<Change> = [
    idTaken("merge_request_label_event", id),
    ...addedIds.map((labelId) => put("labels", { ...keyOf(key), label_id: labelId })),
    ...removedIds.map((labelId) => remove("labels", { ...keyOf(key), label_id: labelId })),
    ...told.map((one, index) => put("label_events", { id: id + index, ...keyOf(key), ...one, user_id: by, created_at: at })),
    patch("merge_requests", keyOf(key), { updated_at: at })
  ]
  return changes
}

type MilestoneChanged = Extract<MergeRequestEvent, { readonly _tag: "MergeRequestMilestoneChanged" }>

/** Where one takes the place of another, only the new one is told of. */
export const milestoneChanged = (key: MergeRequestKey, { by, from, id, state, to }: MilestoneChanged, at: number) => {
  const told = { milestone_id: to ?? from, is_added: to !== null, state, user_id: by, created_at: at }
  const changes: ReadonlyArray<Change> = [
    idTaken("merge_request_milestone_event", id),
    put("milestone_events", { id, ...keyOf(key), ...told }),
    patch("merge_requests", keyOf(key), { milestone_id: to, updated_at: at })
  ]
  return changes
}

/** What goes with a merge request. */
export const labelingRemoved = (key: MergeRequestKey): ReadonlyArray<Change> =>
  Object.keys(labelingTables).map((table) => removeWhere(table, keyOf(key)))
