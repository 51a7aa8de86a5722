import { describe, expect, it } from "vitest"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import type { Command } from "#src/mergeRequests/decisions/commands.ts"
import type { ApprovalRule } from "#src/mergeRequests/events.ts"
import { open, shaOf, stateBehind } from "../samples.ts"
import { approving, cases, commands, newVersion, outcome, ready, rule, states } from "./samples.ts"

describe("approvals", () => {
  const adding = (some: Partial<ApprovalRule>): Command => ({ _tag: "AddApprovalRule", rule: { ...rule, id: 13, ...some } })
  const approve = (by: number): Command => ({ _tag: "Approve", by })

  it("are given once by each, and taken back by who gave them", () => {
    expect(outcome(approve(9), states.Opened)).toBe("NotApprovable")
    expect(outcome({ _tag: "Unapprove", by: 8 }, states.Opened)).toBe("NotApproved")
    expect(outcome({ _tag: "ResetApprovals" }, stateBehind(open))).toEqual([])
  })

  it("of another commit than the source branch has are refused", () => {
    const of = (sha: string): Command => ({ _tag: "Approve", by: 8, sha })
    for (const state of [stateBehind(open), states.Opened]) {
      expect(outcome(of(shaOf("d")), state)).toBe("HeadMoved")
      expect(outcome(of(shaOf("a")), state)).toHaveLength(1)
    }
    expect(outcome(of(shaOf("a")), stateBehind(...ready, commands.AddVersion))).toBe("HeadMoved")
    expect(outcome(of(newVersion.headSha), stateBehind(...ready, commands.AddVersion))).toHaveLength(1)
  })

  it("count for whoever is asked for, and for each rule that names their user", () => {
    const both = stateBehind({ ...open, approvalsBeforeMerge: 2 }, ...approving, adding({ name: "Speed", userIds: [9, 10] }))
    expect(outcome(approve(11), both)).toEqual([cases.MergeRequestApproved.make({ by: 11, left: 2 })])
    expect(outcome(approve(8), both)).toEqual([cases.MergeRequestApproved.make({ by: 8, left: 1 })])
    expect(outcome({ _tag: "ResetApprovals" }, both)).toEqual([cases.ApprovalsReset.make({ left: 6 })])
  })

  it("have rules with names of their own, and numbers up to a hundred", () => {
    const wrong = [{ name: "Security" }, { name: " " }, { name: "x".repeat(256) }, { name: "a", approvalsRequired: -1 }]
    for (const some of [...wrong, { name: "a", approvalsRequired: 101 }])
      expect(outcome(adding(some), states.Opened)).toBe("ApprovalRuleInvalid")
    expect(outcome(adding({ name: "x".repeat(255), approvalsRequired: 100 }), states.Opened)).toHaveLength(1)
    expect(outcome({ _tag: "RemoveApprovalRule", id: 13 }, states.Opened)).toBe("ApprovalRuleMissing")
    const many = stateBehind(open, ...Array.from({ length: 100 }, (_, index) => adding({ id: index, name: `r${index}` })))
    expect(outcome(adding({ name: "one more" }), many)).toBe("TooManyApprovalRules")
    expect(outcome({ ...open, approvalsBeforeMerge: 101 }, mergeRequestAggregate.initial)).toBe("MergeRequestInvalid")
  })
})
