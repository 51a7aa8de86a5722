import { Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import { Projects } from "../../projects/Projects.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { AbortAutoMerge } from "../decisions/commands.ts"
import type { AutoMerge } from "../decisions/state.ts"
import type { MergeRequestKey } from "../ids.ts"
import { eachAutoMerge } from "./eachAutoMerge.ts"

/** It may have been deleted meanwhile. */
const abort = (key: MergeRequestKey, why: Omit<AbortAutoMerge, "_tag">) =>
  handle(mergeRequestAggregate, key, { _tag: "AbortAutoMerge", ...why }).pipe(
    Effect.catchTag("MergeRequestMissing", () => Effect.void),
    Effect.orDie
  )

/** A commit that would have to be rebased first is not merged of itself any more: in projects that want fast-forwards. */
export const abortIfOutdated = Effect.fnUntraced(function* (key: MergeRequestKey, { headSha }: AutoMerge) {
  const found = yield* Projects.use((projects) => projects.find(String(key.projectId), undefined))
  if (found === undefined || found.project.merge_method === "merge") return
  yield* abort(key, { of: { headSha }, reason: "target_branch_updated" })
})

/** Nothing is merged of itself into a branch that goes because it was merged, by this merge request: what is stacked on it is to be looked at first. */
export const abortInto = Effect.fnUntraced(function* (merged: MergeRequestKey, targetBranch: string, by: number) {
  const { iid: mergedIid, projectId } = merged
  const why = { of: { targetBranch }, reason: "target_branch_merged", by, mergedIid } as const
  yield* eachAutoMerge({ projectId, targetBranch }, (key) => abort(key, why))
})

/** Nobody can merge in the name of a user who was deleted. */
export const abortOf = (userId: number) =>
  eachAutoMerge({ setBy: userId }, (key) => abort(key, { of: { setBy: userId }, reason: "user_deleted" }))
