import { describe, expect, it } from "vitest"
import { mergeStatusOf } from "#src/mergeRequests/factsOf.ts"

const prepared_at = 1_700_000_000_000

describe("what the last check found", () => {
  it.each([
    ["preparing", { prepared_at: null, verdict: null, is_outdated: true }],
    ["unchecked", { prepared_at, verdict: null, is_outdated: true }],
    ["can_be_merged", { prepared_at, verdict: "mergeable", is_outdated: false }],
    ["can_be_merged", { prepared_at: null, verdict: "mergeable", is_outdated: false }],
    ["unchecked", { prepared_at, verdict: "mergeable", is_outdated: true }],
    ["cannot_be_merged", { prepared_at, verdict: "conflict", is_outdated: false }],
    ["cannot_be_merged", { prepared_at, verdict: "no_commits", is_outdated: false }],
    ["cannot_be_merged", { prepared_at, verdict: "branch_missing", is_outdated: false }],
    ["cannot_be_merged_recheck", { prepared_at, verdict: "conflict", is_outdated: true }]
  ] as const)("%s: %j", (status, row) => {
    expect(mergeStatusOf(row)).toBe(status)
  })
})
