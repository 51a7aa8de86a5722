import type { MergeRequestRow } from "./Queries.ts"
import type { ListedMergeRequest } from "./shapes.ts"
import { isDraft } from "./text/drafts.ts"

type Known = Pick<MergeRequestRow, "is_fast_forward" | "is_outdated" | "merge_method" | "verdict" | "version_id">

/** Whether the commits can be merged, as far as that was checked. */
export const mergeStatus = ({ is_outdated, verdict, version_id }: Known): (typeof ListedMergeRequest.Type)["merge_status"] => {
  // Without a branch there is no version, which is known after the first check.
  if (version_id === null && is_outdated) return "checking"
  const isMergeable = verdict === "mergeable"
  if (is_outdated) return verdict === null || isMergeable ? "unchecked" : "cannot_be_merged_recheck"
  if (verdict === null) return "unchecked"
  return isMergeable ? "can_be_merged" : "cannot_be_merged"
}

/** The first of all reasons for which a merge request is not merged now; `mergeable` where there is none. */
export const detailedMergeStatus = (row: Known & Pick<MergeRequestRow, "state" | "title">): string => {
  if (row.state !== "opened") return "not_open"
  if (row.version_id === null && row.is_outdated) return "preparing"
  if (mergeStatus(row) === "unchecked") return "unchecked"
  if (isDraft(row.title)) return "draft_status"
  if (row.verdict === "no_commits" || row.verdict === "branch_missing") return "commits_status"
  if (row.verdict !== "mergeable" || row.is_outdated) return "conflict"
  return row.merge_method !== "merge" && row.is_fast_forward !== true ? "need_rebase" : "mergeable"
}
