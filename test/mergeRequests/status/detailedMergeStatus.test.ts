import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { detailedMergeStatus, type MergeFacts } from "#src/mergeRequests/status/detailedMergeStatus.ts"

const mergeable: MergeFacts = {
  state: "opened",
  mergeStatus: "can_be_merged",
  hasVersion: true,
  approvalsLeft: 0,
  isBlocked: false,
  isDraft: false,
  hasCommits: true,
  hasBothBranches: true,
  hasBlockingDiscussions: false,
  needsRebase: false,
  pipeline: { isRequired: false, status: "failed", acceptsSkipped: false }
}

const required = (status: string | undefined, acceptsSkipped = false) => ({
  pipeline: { isRequired: true, status, acceptsSkipped }
})

/** In the order in which they win. */
const rows: ReadonlyArray<readonly [value: string, facts: Partial<MergeFacts>]> = [
  ["not_open", { state: "closed" }],
  ["preparing", { mergeStatus: "preparing", hasVersion: false }],
  ["not_approved", { approvalsLeft: 1 }],
  ["merge_request_blocked", { isBlocked: true }],
  ["draft_status", { isDraft: true }],
  ["commits_status", { hasCommits: false }],
  ["discussions_not_resolved", { hasBlockingDiscussions: true }],
  ["conflict", { mergeStatus: "cannot_be_merged" }],
  ["need_rebase", { needsRebase: true }],
  ["ci_must_pass", required("failed")],
  ["mergeable", {}]
]

const others: typeof rows = [
  ["not_open", { state: "merged" }],
  ["not_open", { state: "locked" }],
  ["checking", { mergeStatus: "preparing" }],
  ["checking", { mergeStatus: "checking" }],
  ["checking", { mergeStatus: "cannot_be_merged_rechecking" }],
  ["unchecked", { mergeStatus: "unchecked" }],
  ["unchecked", { mergeStatus: "unchecked", isDraft: true }],
  ["conflict", { mergeStatus: "cannot_be_merged_recheck" }],
  ["draft_status", { mergeStatus: "cannot_be_merged_recheck", isDraft: true }],
  ["commits_status", { hasBothBranches: false }],
  ["mergeable", required("success")],
  ["mergeable", required("skipped", true)],
  ["ci_must_pass", required("skipped")],
  ["ci_must_pass", required("canceled")],
  ["ci_must_pass", required(undefined)],
  ["ci_still_running", required("created")],
  ["ci_still_running", required("pending")],
  ["ci_still_running", required("running")],
  ["ci_still_running", required("manual")],
  ["ci_still_running", required("scheduled")]
]

it.each([...rows, ...others])("%s: %j", (value, facts) => {
  expect(detailedMergeStatus({ ...mergeable, ...facts })).toBe(value)
})

describe("of several reasons", () => {
  it("the first one wins", () => {
    fc.assert(
      fc.property(fc.subarray([...rows.keys()], { minLength: 1 }), (indices) => {
        // Of two that are told by the same fact, the earlier one is the last to be applied.
        const facts: MergeFacts = Object.assign({ ...mergeable }, ...indices.toReversed().map((index) => rows[index]?.[1]))
        expect(detailedMergeStatus(facts)).toBe(rows[Math.min(...indices)]?.[0])
      })
    )
  })
})
