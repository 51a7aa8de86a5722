import type { InternalMergeStatus } from "./mergeStatusTransitions.ts"

export type PublicMergeStatus = Exclude<InternalMergeStatus, "preparing" | "cannot_be_merged_rechecking">

/** What callers see of the status: that it is being prepared, or checked again, is a check to them. */
export const publicMergeStatus = (status: InternalMergeStatus): PublicMergeStatus =>
  status === "preparing" || status === "cannot_be_merged_rechecking" ? "checking" : status
