import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { viewerOf } from "../issuables/Viewer.ts"
import type { MergeRequestKey } from "./ids.ts"
import { presentDetail, type View } from "./present.ts"
import { type DescribedMergeRequestRow, MergeRequestQueries } from "./Queries.ts"

/** Those of some merge requests that the caller sees; long descriptions may be left out. */
export const filterVisible = Effect.fnUntraced(function* (keys: ReadonlyArray<MergeRequestKey>, caller: Caller) {
  if (keys.length === 0) return []
  const filter = { keys, viewer: viewerOf(caller), order: { by: "created_at", descending: false } } as const
  const { list } = yield* MergeRequestQueries
  return (yield* list(filter, { limit: keys.length, offset: 0 })).rows
})

/** A merge request on its own as it is shown to nobody in particular. */
export const presentToNobody = (row: DescribedMergeRequestRow, view: View) =>
  presentDetail(row, { mayMerge: false, isSubscribed: false }, view)

export { wakeResolved } from "./autoMerge/wakeAutoMerge.ts"
export { mergeRequest as mergeRequestPath, named as namedMergeRequest } from "./contract.ts"
export { findLine } from "./diffs/lines.ts"
export { urlOf as mergeRequestUrl } from "./present.ts"
export { type DescribedMergeRequestRow, type ListedMergeRequestRow, MergeRequestQueries } from "./Queries.ts"
export { executeQuickActions, readNote, type TodoActions } from "./quickActions/ofNotes.ts"
export { requireIdentity, requireVisibleIdentity } from "./requireMergeRequest.ts"
export { MergeRequestDetail } from "./shapes.ts"
export { changedAssignees, changedLabels, changedMilestone, changedReviewers } from "./text/systemNotes.ts"
