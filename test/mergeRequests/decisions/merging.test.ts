import { describe, expect, it } from "vitest"
import type { AbortAutoMerge, Command } from "#src/mergeRequests/decisions/commands.ts"
import { addVersion, open, rebasePlan, requestRebase, setAutoMerge, shaOf, stateBehind, version } from "../samples.ts"
import {
  autoMergeSet,
  cases,
  checking,
  closing,
  commands,
  due,
  newVersion,
  outcome,
  ready,
  rule,
  states,
  updating
} from "./samples.ts"

describe("a merge", () => {
  it("into another branch than that of now is refused", () => {
    const moved = stateBehind(...ready, updating({ changes: { targetBranch: "stable" } }))
    expect(outcome(commands.PlanMerge, moved)).toBe("HeadMoved")
  })

  it("of a commit that the source branch does not have any more is refused", () => {
    const moved = stateBehind(...ready, commands.AddVersion)
    expect(outcome(commands.PlanMerge, moved)).toBe("HeadMoved")
    expect(outcome(commands.PlanMerge, stateBehind(open))).toBe("HeadMoved")
  })

  it("of what became a draft meanwhile, or lost an approval, is refused", () => {
    const later: ReadonlyArray<Command> = [updating({ changes: { title: "Draft: Add a topic" } }), { _tag: "Unapprove", by: 9 }]
    for (const command of later) expect(outcome(commands.PlanMerge, stateBehind(...ready, command))).toBe("NotReady")
  })

  it("that another plan has taken the place of is not given up", () => {
    expect(outcome({ _tag: "GiveUpMerge", targetTo: shaOf("9"), error: "late" }, states.Locked)).toEqual([])
  })
})

describe("a rebase", () => {
  const { EndRebase, PlanRebase } = commands
  const running = [...ready, requestRebase]
  const requested = stateBehind(...running)
  const planned = stateBehind(...running, PlanRebase)
  const failing: Command = { _tag: "EndRebase", number: 1, error: "Rebase failed" }

  it("is planned once, and ends once", () => {
    expect(outcome(PlanRebase, requested)).toEqual([cases.RebasePlanned.make(rebasePlan)])
    expect(outcome(PlanRebase, planned)).toEqual([])
    expect(outcome(EndRebase, planned)).toEqual([cases.MergeRequestRebased.make({})])
    expect(outcome(failing, planned)).toEqual([cases.RebaseFailed.make({ error: "Rebase failed" })])
    expect(outcome(EndRebase, stateBehind(...running, PlanRebase, EndRebase))).toEqual([])
  })

  it("stands in the way of another one, and of a merge", () => {
    for (const state of [requested, planned]) {
      expect(outcome(requestRebase, state)).toBe("RebaseRunning")
      expect(outcome(commands.PlanMerge, state)).toBe("RebaseRunning")
    }
    expect(outcome(commands.PlanMerge, stateBehind(...running, failing))).toHaveLength(1)
  })

  it("is told nothing by who did an earlier one", () => {
    const again = stateBehind(...running, failing, requestRebase)
    for (const late of [PlanRebase, EndRebase, failing]) expect(outcome(late, again)).toEqual([])
    expect(outcome({ ...PlanRebase, _tag: "PlanRebase", number: 2, targetBranch: "main", plan: rebasePlan }, again)).toHaveLength(
      1
    )
  })

  it("onto another branch than the target of now is not planned", () => {
    const elsewhere = stateBehind(...running, updating({ changes: { targetBranch: "stable" } }))
    expect(outcome(PlanRebase, elsewhere)).toEqual([])
  })

  it("is over when it is closed or merged", () => {
    for (const over of [closing, commands.NoteMerge]) expect(outcome(EndRebase, stateBehind(...running, over))).toEqual([])
  })
})

describe("an automatic merge", () => {
  const waiting = stateBehind(...ready, setAutoMerge)
  const held = stateBehind(...ready, setAutoMerge, commands.HoldAutoMerge)
  const abortedFor = (
    reason: "source_branch_updated" | "target_branch_changed" | "target_branch_updated" | "closed",
    by?: number
  ) => cases.AutoMergeAborted.make({ reason, ...(by !== undefined && { by }) })
  const dueAgain = cases.AutoMergeDue.make({})

  it("is set once in the same words, and anew in others", () => {
    expect(outcome(setAutoMerge, waiting)).toEqual([])
    expect(outcome(setAutoMerge, held)).toEqual([])
    expect(outcome({ ...setAutoMerge, by: 8 }, waiting)).toEqual([{ ...autoMergeSet, by: 8 }])
    expect(outcome({ ...setAutoMerge, squash: true }, waiting)).toEqual([{ ...autoMergeSet, squash: true }])
  })

  it("of another commit than that of the last version is refused", () => {
    expect(outcome({ ...setAutoMerge, headSha: shaOf("9") }, states.Opened)).toBe("HeadMoved")
  })

  it("is canceled by somebody, and not a second time", () => {
    expect(outcome(commands.CancelAutoMerge, held)).toEqual([cases.AutoMergeCanceled.make({ by: 8 })])
    expect(outcome(commands.CancelAutoMerge, stateBehind(...ready, setAutoMerge, commands.CancelAutoMerge))).toEqual([])
  })

  it("ends with what it was for, and tells why", () => {
    expect(outcome(closing, waiting)).toEqual([cases.MergeRequestClosed.make({ by: 8 }), abortedFor("closed", 8)])
    expect(outcome({ ...addVersion, id: 111, previous: version, version: newVersion, by: 7 }, waiting)).toEqual([
      cases.VersionAdded.make({ id: 111, ...newVersion, by: 7 }),
      abortedFor("source_branch_updated", 7)
    ])
    expect(outcome(updating({ changes: { targetBranch: "stable" } }), waiting)).toEqual([
      cases.MergeRequestChanged.make({ changes: { targetBranch: "stable" }, before: { targetBranch: "main" } }),
      cases.ApprovalsReset.make({ left: 2 }),
      abortedFor("target_branch_changed", 8)
    ])
  })

  it("is ended for a reason that has to do with its commit, its target branch or its user, but not for another one's", () => {
    const abort = (of: AbortAutoMerge["of"]) => outcome({ _tag: "AbortAutoMerge", of, reason: "target_branch_updated" }, waiting)
    for (const of of [{ headSha: version.headSha }, { targetBranch: "main" }, { setBy: 9 }, { setBy: 9, targetBranch: "main" }])
      expect(abort(of)).toEqual([abortedFor("target_branch_updated")])
    for (const of of [{ headSha: shaOf("9") }, { targetBranch: "stable" }, { setBy: 8 }, { setBy: 9, targetBranch: "stable" }])
      expect(abort(of)).toEqual([])
    const why = { reason: "target_branch_merged", by: 8, mergedIid: 3 } as const
    expect(outcome({ _tag: "AbortAutoMerge", of: {}, ...why }, waiting)).toEqual([cases.AutoMergeAborted.make(why)])
  })

  it("goes on with a version of the same commit", () => {
    const rebuilt = { ...version, startSha: shaOf("e") }
    expect(outcome({ ...addVersion, id: 111, previous: version, version: rebuilt }, waiting)).toHaveLength(1)
  })

  it("is held for what was found, unless it became due meanwhile", () => {
    expect(outcome(commands.HoldAutoMerge, waiting)).toEqual([cases.AutoMergeHeld.make({ reason: "ci_still_running" })])
    expect(outcome(commands.HoldAutoMerge, stateBehind(...ready, setAutoMerge, commands.WakeAutoMerge))).toEqual([])
    expect(outcome(commands.WakeAutoMerge, held)).toEqual([dueAgain])
    expect(outcome(commands.WakeAutoMerge, waiting)).toEqual([dueAgain])
  })

  it("is due again when it is approved, a rule is removed, or a rebase ends, also while it is looked at", () => {
    for (const setting of [[setAutoMerge], [setAutoMerge, commands.HoldAutoMerge]]) {
      const behind = (...more: ReadonlyArray<Command>) => stateBehind(...ready, ...more, ...setting)
      expect(outcome({ _tag: "Approve", by: 8 }, behind())).toEqual([
        cases.MergeRequestApproved.make({ by: 8, left: 0 }),
        dueAgain
      ])
      expect(outcome({ _tag: "RemoveApprovalRule", id: 12 }, behind({ _tag: "AddApprovalRule", rule }))).toEqual([
        expect.objectContaining({ _tag: "ApprovalRuleRemoved" }),
        dueAgain
      ])
      expect(outcome({ _tag: "EndRebase", number: 1 }, behind(requestRebase))).toEqual([
        cases.MergeRequestRebased.make({}),
        dueAgain
      ])
    }
  })

  it("is not held for what a check has put right meanwhile", () => {
    const fitting = stateBehind(...ready, setAutoMerge, checking)
    expect(outcome({ _tag: "HoldAutoMerge", of: due, reason: "conflict" }, fitting)).toEqual([])
    expect(outcome({ _tag: "HoldAutoMerge", of: due, reason: "draft_status" }, fitting)).toHaveLength(1)
  })

  it("is due again when a check finds that it can be merged, or it is no draft any more, where it was held for that", () => {
    const heldFor = (reason: string, ...more: ReadonlyArray<Command>) =>
      stateBehind(...ready, ...more, setAutoMerge, commands.OutdateMergeability, { _tag: "HoldAutoMerge", of: due, reason })
    expect(outcome(checking, heldFor("conflict"))).toEqual([expect.objectContaining({ _tag: "MergeabilityChecked" }), dueAgain])
    expect(outcome(checking, heldFor("ci_still_running"))).toHaveLength(1)
    const draft = heldFor("draft_status", updating({ changes: { title: "Draft: Add" } }))
    expect(outcome(updating({ changes: { title: "Add" } }), draft)).toEqual([
      cases.MergeRequestChanged.make({ changes: { title: "Add" }, before: { title: "Draft: Add" } }),
      dueAgain
    ])
    expect(outcome(updating({ changes: { title: "Draft: Add more" } }), draft)).toHaveLength(1)
  })

  it("is due again when it is squashed, for which the project may have asked", () => {
    expect(outcome(updating({ changes: { squash: true } }), waiting)).toEqual([
      cases.MergeRequestChanged.make({ changes: { squash: true }, before: { squash: false } }),
      dueAgain
    ])
    const squashed = stateBehind(...ready, { ...setAutoMerge, squash: true })
    expect(outcome(updating({ changes: { squash: false } }), squashed)).toHaveLength(1)
  })
})
