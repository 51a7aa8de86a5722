import type { InternalMergeStatus } from "./mergeStatusTransitions.ts"
import { type PipelineFacts, pipelineCheck } from "./pipelineCheck.ts"

/** What the detailed status of a merge request depends on. */
export interface MergeFacts {
  readonly state: "opened" | "closed" | "locked" | "merged"
  readonly mergeStatus: InternalMergeStatus
  /** Whether a version of its changes is stored. */
  readonly hasVersion: boolean
  /** How many approvals are missing. */
  readonly approvalsLeft: number
  /** Whether a merge request that has to be merged first is not. */
  readonly isBlocked: boolean
  readonly isDraft: boolean
  readonly hasCommits: boolean
  readonly hasBothBranches: boolean
  /** Whether discussions are open that the project wants resolved. */
  readonly hasBlockingDiscussions: boolean
  /** Whether the project wants a fast-forward that the target branch does not allow. */
  readonly needsRebase: boolean
  readonly pipeline: PipelineFacts
}

const whileUnknown = ({ hasVersion, mergeStatus }: MergeFacts) => {
  switch (mergeStatus) {
    case "preparing":
      return hasVersion ? "checking" : "preparing"
    case "checking":
    case "cannot_be_merged_rechecking":
      return "checking"
    case "unchecked":
      return "unchecked"
    default:
      return undefined
  }
}

/**
 * The first of all reasons for which a merge request is not merged now; `mergeable` where there is none. Everything that is not open is
 * `not_open` before anything else.
 * Source: State machine › detailed_merge_status.
 */
export const detailedMergeStatus = (facts: MergeFacts) => {
  if (facts.state !== "opened") return "not_open"
  const unknown = whileUnknown(facts)
  if (unknown !== undefined) return unknown
  if (facts.approvalsLeft > 0) return "not_approved"
  if (facts.isBlocked) return "merge_request_blocked"
  if (facts.isDraft) return "draft_status"
  if (!facts.hasCommits || !facts.hasBothBranches) return "commits_status"
  if (facts.hasBlockingDiscussions) return "discussions_not_resolved"
  if (facts.mergeStatus !== "can_be_merged") return "conflict"
  if (facts.needsRebase) return "need_rebase"
  return pipelineCheck(facts.pipeline) ?? "mergeable"
}

export type DetailedMergeStatus = ReturnType<typeof detailedMergeStatus>
