import { Effect } from "effect"
import type { UserRow } from "../../http/access/Caller.ts"
import { can, Projects, principalOf } from "../../projects/Projects.ts"
import type { Source } from "../events.ts"
import { type Into, MergeRequestQueries } from "../Queries.ts"
import { updateMergeRequest } from "../writes/change.ts"

/** Of those that are stacked on a branch, so many follow it. */
const maxStacked = 4

/** Whether somebody may change merge requests in the project of the source: they act for those who work there. */
const mayActFor = Effect.fnUntraced(function* (user: UserRow, { sourceProjectId }: Into) {
  const found = yield* Projects.use((projects) => projects.find(String(sourceProjectId), user.id))
  return found !== undefined && can("update_merge_request", principalOf({ user }, found.role), found.project)
})

/**
 * Lets the first open merge requests into a branch that is about to go after its merge be merged into where that was merged, by who merged it. Those
 * that come from there, or have a twin that is open into there, stay as they are. Repeating it changes no more of them.
 */
export const retargetStacked = Effect.fnUntraced(function* (merged: Source, targetBranch: string, user: UserRow) {
  const { projectId } = merged
  const { openInto } = yield* MergeRequestQueries
  for (const stacked of yield* openInto(projectId, merged.branch, maxStacked)) {
    const isFromThere = stacked.sourceProjectId === projectId && stacked.sourceBranch === targetBranch
    if (isFromThere || !(yield* mayActFor(user, stacked))) continue
    const update = updateMergeRequest(stacked, { by: user.id, changes: { targetBranch }, goneBranch: merged.branch })
    yield* Effect.catchTags(update, { PairTaken: () => Effect.void, MergeRequestMissing: () => Effect.void })
  }
})
