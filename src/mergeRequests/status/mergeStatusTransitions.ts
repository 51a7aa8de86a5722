/** What is known of whether the commits can be merged. `cannot_be_merged_recheck` has failed before, and is to be tried again. */
export type InternalMergeStatus =
  | "preparing"
  | "unchecked"
  | "checking"
  | "can_be_merged"
  | "cannot_be_merged"
  | "cannot_be_merged_recheck"
  | "cannot_be_merged_rechecking"

export type MergeStatusEvent = "prepare" | "uncheck" | "startCheck" | "checkSucceeded" | "checkFailed"

type Row = Partial<Readonly<Record<InternalMergeStatus, InternalMergeStatus>>>

/** A check in the request goes from unchecked at once to its result. */
const after = (result: InternalMergeStatus): Row => ({
  unchecked: result,
  checking: result,
  cannot_be_merged_recheck: result,
  cannot_be_merged_rechecking: result
})

const transitions: Readonly<Record<MergeStatusEvent, Row>> = {
  prepare: { unchecked: "preparing" },
  uncheck: {
    preparing: "unchecked",
    can_be_merged: "unchecked",
    checking: "unchecked",
    cannot_be_merged: "cannot_be_merged_recheck",
    cannot_be_merged_rechecking: "cannot_be_merged_recheck"
  },
  startCheck: { unchecked: "checking", cannot_be_merged_recheck: "cannot_be_merged_rechecking" },
  checkSucceeded: after("can_be_merged"),
  checkFailed: after("cannot_be_merged")
}

/**
 * The status after an event, which is the same where the event means nothing to it: a result that comes too late is not taken.
 * Source: State machine › merge_status.
 */
export const nextMergeStatus = (status: InternalMergeStatus, event: MergeStatusEvent): InternalMergeStatus =>
  transitions[event][status] ?? status
