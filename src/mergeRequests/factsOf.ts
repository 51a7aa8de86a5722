import type { MergeRequestRow } from "./Queries.ts"
import type { MergeFacts } from "./status/detailedMergeStatus.ts"
import { type InternalMergeStatus, nextMergeStatus } from "./status/mergeStatusTransitions.ts"
import { pipelineFactsOf } from "./status/pipelineCheck.ts"
import { isDraft } from "./text/drafts.ts"

type Known = Pick<MergeRequestRow, "is_outdated" | "prepared_at" | "verdict">

/** What is known of whether the commits can be merged: what the last check found, unless a branch moved since. */
export const mergeStatusOf = ({ is_outdated, prepared_at, verdict }: Known): InternalMergeStatus => {
  if (verdict === null) return prepared_at === null ? nextMergeStatus("unchecked", "prepare") : "unchecked"
  const checked = nextMergeStatus("unchecked", verdict === "mergeable" ? "checkSucceeded" : "checkFailed")
  return is_outdated ? nextMergeStatus(checked, "uncheck") : checked
}

type Discussed = Pick<MergeRequestRow, "has_unresolved_discussions" | "only_allow_merge_if_all_discussions_are_resolved">

/** Whether a discussion stands in the way of the merge. */
export const isDiscussed = (row: Discussed): boolean =>
  row.only_allow_merge_if_all_discussions_are_resolved && row.has_unresolved_discussions

/** What the detailed status of a merge request depends on, as read models have it. */
export const factsOf = (row: MergeRequestRow): MergeFacts => ({
  state: row.state,
  mergeStatus: mergeStatusOf(row),
  hasVersion: row.version_id !== null,
  approvalsLeft: row.approvals_left,
  isBlocked: row.is_blocked,
  isDraft: isDraft(row.title),
  hasCommits: row.verdict !== "no_commits",
  hasBothBranches: row.verdict !== "branch_missing",
  hasBlockingDiscussions: isDiscussed(row),
  needsRebase: row.merge_method !== "merge" && row.is_fast_forward !== true,
  pipeline: pipelineFactsOf(row, row.head_pipeline_status ?? undefined, row.auto_merge_user_id !== null)
})
