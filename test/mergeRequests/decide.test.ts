import { describe, expect, it } from "vitest"
import { mergeRequestAggregate } from "#src/mergeRequests/aggregate.ts"
import type {
  AbortAutoMerge,
  Command,
  IssuesFound,
  NoteIssuesToClose,
  Refusal,
  TimeOrder,
  Update
} from "#src/mergeRequests/commands.ts"
import { type ApprovalRule, MergeRequestEvent } from "#src/mergeRequests/events.ts"
import type { State } from "#src/mergeRequests/state.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"
import {
  addVersion,
  attributes,
  open,
  opened,
  plan,
  rebasePlan,
  requestRebase,
  setAutoMerge,
  shaOf,
  stateBehind,
  version
} from "./samples.ts"

const { cases } = MergeRequestEvent
const outcome = outcomeOf(mergeRequestAggregate)

const updating = (update: Partial<Update>): Update => ({ _tag: "Update", by: 8, changes: {}, ...update })
const newVersion = { ...version, headSha: shaOf("d") }
/** Two of three have to approve. */
const rule: ApprovalRule = { id: 12, name: "Security", userIds: [7, 8, 9], approvalsRequired: 2 }
const checked = { headSha: shaOf("a"), targetSha: shaOf("e"), verdict: "conflict", isFastForward: false } as const

const noting: NoteIssuesToClose = {
  _tag: "NoteIssuesToClose",
  title: attributes.title,
  description: attributes.description,
  headSha: version.headSha,
  issues: [{ projectId: 4, iid: 3 }]
}
const { _tag, squash, ...wished } = setAutoMerge
const due = { ...wished, heldFor: undefined, turn: 0 }

const commands: { readonly [Tag in Command["_tag"]]: Command } = {
  Open: open,
  Update: updating({ changes: { title: "Add another topic", targetBranch: "stable" }, transition: "close" }),
  AddVersion: { _tag: "AddVersion", id: 111, previous: version, version: newVersion },
  FinishPreparation: { _tag: "FinishPreparation" },
  OutdateMergeability: { _tag: "OutdateMergeability" },
  FailCheck: { _tag: "FailCheck", error: "It took too long" },
  Check: { _tag: "Check", targetBranch: "main", ...checked },
  PlanMerge: { _tag: "PlanMerge", plan },
  NoteIssuesToClose: noting,
  NoteMerge: { _tag: "NoteMerge", by: 9, mergeSha: shaOf("c"), squashSha: null },
  GiveUpMerge: { _tag: "GiveUpMerge", targetTo: shaOf("c"), error: "An error occurred while merging" },
  FailMerge: { _tag: "FailMerge", error: "It has to be squashed" },
  SetAutoMerge: setAutoMerge,
  CancelAutoMerge: { _tag: "CancelAutoMerge", by: 8 },
  AbortAutoMerge: { _tag: "AbortAutoMerge", of: { headSha: version.headSha }, reason: "target_branch_updated" },
  WakeAutoMerge: { _tag: "WakeAutoMerge" },
  HoldAutoMerge: { _tag: "HoldAutoMerge", of: due, reason: "ci_still_running" },
  EstimateTime: { _tag: "EstimateTime", seconds: 3_600 },
  SpendTime: { _tag: "SpendTime", by: 8, seconds: 60, summary: "Read it" },
  ResetSpentTime: { _tag: "ResetSpentTime", by: 8 },
  Delete: { _tag: "Delete" },
  RequestRebase: requestRebase,
  PlanRebase: { _tag: "PlanRebase", number: 1, targetBranch: "main", plan: rebasePlan },
  EndRebase: { _tag: "EndRebase", number: 1 },
  Approve: { _tag: "Approve", by: 8 },
  Unapprove: { _tag: "Unapprove", by: 9 },
  ResetApprovals: { _tag: "ResetApprovals" },
  AddApprovalRule: { _tag: "AddApprovalRule", rule: { ...rule, id: 13, name: "Speed" } },
  RemoveApprovalRule: { _tag: "RemoveApprovalRule", id: rule.id }
}

const checking: Command = {
  _tag: "Check",
  targetBranch: "main",
  headSha: shaOf("a"),
  targetSha: shaOf("b"),
  verdict: "mergeable",
  isFastForward: true
}
const spending: Command = { _tag: "SpendTime", by: 8, seconds: 120, summary: null }
const approving: ReadonlyArray<Command> = [
  { _tag: "AddApprovalRule", rule },
  { _tag: "Approve", by: 9 }
]
const ready: ReadonlyArray<Command> = [open, addVersion, checking, spending, ...approving, { _tag: "Approve", by: 7 }]
const closing = updating({ transition: "close" })

const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Opened: stateBehind(...ready),
  Locked: stateBehind(...ready, commands.PlanMerge),
  Closed: stateBehind(...ready, closing),
  Merged: stateBehind(...ready, commands.PlanMerge, commands.NoteMerge),
  Deleted: stateBehind(open, commands.Delete)
}

type Expected = ReadonlyArray<MergeRequestEvent> | Refusal["_tag"]
type Row = Record<Command["_tag"], Expected>

const missing: Row = {
  Open: "MergeRequestExists",
  Update: "MergeRequestMissing",
  AddVersion: "MergeRequestMissing",
  FinishPreparation: "MergeRequestMissing",
  OutdateMergeability: "MergeRequestMissing",
  FailCheck: "MergeRequestMissing",
  Check: "MergeRequestMissing",
  PlanMerge: "MergeRequestMissing",
  NoteIssuesToClose: "MergeRequestMissing",
  NoteMerge: "MergeRequestMissing",
  GiveUpMerge: "MergeRequestMissing",
  FailMerge: "MergeRequestMissing",
  SetAutoMerge: "MergeRequestMissing",
  CancelAutoMerge: "MergeRequestMissing",
  AbortAutoMerge: "MergeRequestMissing",
  WakeAutoMerge: "MergeRequestMissing",
  HoldAutoMerge: "MergeRequestMissing",
  EstimateTime: "MergeRequestMissing",
  SpendTime: "MergeRequestMissing",
  ResetSpentTime: "MergeRequestMissing",
  Delete: "MergeRequestMissing",
  RequestRebase: "MergeRequestMissing",
  PlanRebase: "MergeRequestMissing",
  EndRebase: "MergeRequestMissing",
  Approve: "MergeRequestMissing",
  Unapprove: "MergeRequestMissing",
  ResetApprovals: "MergeRequestMissing",
  AddApprovalRule: "MergeRequestMissing",
  RemoveApprovalRule: "MergeRequestMissing"
}

const titled = cases.MergeRequestChanged.make({ changes: { title: "Add another topic" }, before: { title: attributes.title } })
const both = cases.MergeRequestChanged.make({
  changes: { title: "Add another topic", targetBranch: "stable" },
  before: { title: attributes.title, targetBranch: attributes.targetBranch }
})

/** What is possible wherever there is a merge request. */
const anywhere = {
  Open: "MergeRequestExists",
  FinishPreparation: [cases.MergeRequestPrepared.make({})],
  EstimateTime: [cases.TimeEstimated.make({ seconds: 3_600 })],
  SpendTime: [cases.TimeSpent.make({ by: 8, seconds: 60, total: 180, summary: "Read it" })],
  ResetSpentTime: [cases.SpentTimeReset.make({ by: 8 })],
  Delete: [cases.MergeRequestDeleted.make({})],
  RequestRebase: "NotOpen",
  Approve: [cases.MergeRequestApproved.make({ by: 8, left: 0 })],
  Unapprove: [cases.MergeRequestUnapproved.make({ by: 9, left: 1 })],
  ResetApprovals: [cases.ApprovalsReset.make({ left: 2 })],
  AddApprovalRule: [cases.ApprovalRuleAdded.make({ ...rule, id: 13, name: "Speed", left: 0 })],
  RemoveApprovalRule: [cases.ApprovalRuleRemoved.make({ id: 12, left: 0 })]
} as const

/** What changes nothing where it is not open. */
/** Where nothing is to be merged of itself. */
const without = { CancelAutoMerge: [], AbortAutoMerge: [], WakeAutoMerge: [], HoldAutoMerge: [] } as const

const unmoved = {
  AddVersion: [],
  OutdateMergeability: [],
  FailCheck: [],
  Check: [],
  NoteMerge: [],
  GiveUpMerge: [],
  FailMerge: [],
  PlanRebase: [],
  EndRebase: [],
  SetAutoMerge: "NotOpen",
  ...without
} as const

const autoMergeSet = cases.AutoMergeSet.make({ ...wished, squash })

const noted = [cases.IssuesToCloseFound.make({ issues: [{ projectId: 4, iid: 3 }] })]

const merged = cases.MergeRequestMerged.make({ by: 9, mergeSha: shaOf("c"), squashSha: null })

const table: Record<State["_tag"], Row> = {
  Absent: { ...missing, Open: [opened] },
  Opened: {
    ...anywhere,
    RequestRebase: [cases.RebaseRequested.make({ by: 8, at: 1_700_000_000_000, skipsPipelines: true })],
    PlanRebase: [],
    EndRebase: [],
    NoteIssuesToClose: noted,
    Update: [cases.MergeRequestClosed.make({ by: 8 }), both, cases.ApprovalsReset.make({ left: 2 })],
    AddVersion: [cases.VersionAdded.make({ id: 111, ...newVersion })],
    OutdateMergeability: [cases.MergeabilityOutdated.make({})],
    FailCheck: [cases.MergeabilityCheckFailed.make({ error: "It took too long" })],
    Check: [cases.MergeabilityChecked.make(checked)],
    PlanMerge: [cases.MergePlanned.make(plan)],
    NoteMerge: [merged],
    GiveUpMerge: [],
    FailMerge: [cases.MergeFailed.make({ error: "It has to be squashed" })],
    SetAutoMerge: [autoMergeSet],
    ...without
  },
  Locked: {
    ...anywhere,
    NoteIssuesToClose: [],
    ...unmoved,
    Update: [titled],
    PlanMerge: "NotOpen",
    NoteMerge: [{ ...merged, removesSourceBranch: true }],
    GiveUpMerge: [cases.MergeFailed.make({ error: "An error occurred while merging" })]
  },
  Closed: {
    ...anywhere,
    ...unmoved,
    NoteIssuesToClose: [],
    Update: [both, cases.ApprovalsReset.make({ left: 2 })],
    PlanMerge: "NotOpen"
  },
  Merged: {
    ...anywhere,
    ...unmoved,
    NoteIssuesToClose: noted,
    Update: [titled],
    PlanMerge: "NotOpen",
    Approve: "NotApprovable",
    Unapprove: "NotApproved",
    ResetApprovals: "NotApprovable"
  },
  Deleted: missing
}

describe("every command in every state", () => {
  itDecides(outcome, { commands, states, table })
})

describe("the issues to close", () => {
  const later = (...commands: ReadonlyArray<Command>) => outcome(noting, stateBehind(open, addVersion, ...commands))

  it("are noted once for the same texts and version", () => {
    expect(later()).toEqual(noted)
    expect(later(noting)).toEqual([])
    expect(later(noting, updating({ changes: { squash: true } }))).toEqual([])
  })

  it("are not those of other texts or versions", () => {
    for (const other of [{ title: "Other" }, { description: "Other" }, { headSha: shaOf("d") }, { headSha: undefined }]) {
      expect(outcome({ ...noting, ...other }, stateBehind(open, addVersion))).toEqual([])
    }
  })

  it("are to be found anew once the texts or the version are others, or it is opened again", () => {
    const again = (title: string) => updating({ changes: { title } })
    expect(later(noting, again("Other"), again(attributes.title))).toEqual(noted)
    expect(later(noting, closing, updating({ transition: "reopen" }))).toEqual(noted)
    const found = stateBehind(open, addVersion, noting, commands.AddVersion)
    expect(outcome({ ...noting, headSha: newVersion.headSha }, found)).toEqual(noted)
  })

  it("are noted with the change of the texts for which they were found", () => {
    const { _tag, ...found } = { ...noting, title: "Other" }
    const change = cases.MergeRequestChanged.make({ changes: { title: "Other" }, before: { title: attributes.title } })
    const changing = (closing: IssuesFound) => updating({ changes: { title: "Other" }, closing })
    expect(later(noting, changing(found))).toEqual([])
    const before = stateBehind(open, addVersion, noting)
    expect(outcome(changing(found), before)).toEqual([change, ...noted])
    for (const other of [{ title: "Third" }, { description: "Other" }, { headSha: shaOf("d") }]) {
      expect(outcome(changing({ ...found, ...other }), before)).toEqual([change])
    }
    expect(outcome({ ...changing(found), transition: "close" }, before)).toEqual([
      cases.MergeRequestClosed.make({ by: 8 }),
      change
    ])
  })

  it("stay as they are while it waits to be merged of itself, and are found anew when it does not any more", () => {
    const waiting = [checking, noting, setAutoMerge]
    const again = (title: string) => updating({ changes: { title } })
    const sameHead: Command = { ...addVersion, id: 111, previous: version, version: { ...version, startSha: shaOf("e") } }
    expect(later(...waiting, again("Other"), again(attributes.title), sameHead)).toEqual([])
    expect(later(...waiting, { _tag: "CancelAutoMerge", by: 8 })).toEqual(noted)
    expect(later(...waiting, { _tag: "AbortAutoMerge", of: { headSha: version.headSha }, reason: "closed" })).toEqual(noted)
    expect(later(...waiting, closing)).toEqual([])
    expect(later(checking, setAutoMerge, again("Other"), again(attributes.title))).toEqual([])
  })

  it("stay as they are once it is merged, whatever is written to it then", () => {
    const merging = [checking, commands.PlanMerge, commands.NoteMerge]
    const again = updating({ changes: { title: "Other" } })
    expect(later(noting, ...merging, again, updating({ changes: { title: attributes.title } }))).toEqual([])
    expect(later(...merging, again)).toEqual([])
  })
})

describe("a transition", () => {
  it("closes what is open, and opens what is closed", () => {
    expect(outcome(closing, states.Opened)).toEqual([cases.MergeRequestClosed.make({ by: 8 })])
    expect(outcome(updating({ transition: "reopen" }), states.Closed)).toEqual([cases.MergeRequestReopened.make({ by: 8 })])
  })

  it("changes nothing elsewhere", () => {
    const reopening = updating({ transition: "reopen" })
    for (const state of [states.Opened, states.Locked, states.Merged]) expect(outcome(reopening, state)).toEqual([])
    for (const state of [states.Closed, states.Locked, states.Merged]) expect(outcome(closing, state)).toEqual([])
  })

  it("opens nothing that is locked for discussion", () => {
    const locked = stateBehind(...ready, closing, updating({ changes: { isDiscussionLocked: true } }))
    expect(outcome(updating({ transition: "reopen" }), locked)).toEqual([])
  })
})

describe("attributes", () => {
  const changing = (changes: Update["changes"]) => outcome(updating({ changes }), states.Opened)

  it("that stay as they are change nothing", () => {
    expect(changing(attributes)).toEqual([])
  })

  it.each([
    [{ title: " " }],
    [{ title: "x".repeat(256) }],
    [{ description: "x".repeat(1_048_577) }],
    [{ targetBranch: "a..b" }],
    [{ targetBranch: "-x" }]
  ])("that are wrong are refused: %o", (changes) => {
    expect(changing(changes)).toBe("MergeRequestInvalid")
  })

  it.each([[{ title: "x".repeat(255) }], [{ description: "😀".repeat(1_048_576) }], [{ description: null, squash: true }]])(
    "are taken up to their limits",
    (changes) => {
      expect(changing(changes)).not.toBe("MergeRequestInvalid")
    }
  )

  it("are judged when it is opened, with the source branch", () => {
    const bad = { ...open, source: { projectId: 4, branch: "a b" } }
    expect(outcome(bad, mergeRequestAggregate.initial)).toBe("MergeRequestInvalid")
  })
})

describe("a verdict", () => {
  const check = (headSha: string | null, verdict: "mergeable" | "branch_missing" = "mergeable"): Command => ({
    _tag: "Check",
    targetBranch: "main",
    headSha,
    targetSha: shaOf("b"),
    verdict,
    isFastForward: true
  })

  it("on another commit than that of the last version is dropped", () => {
    expect(outcome(check(shaOf("d")), states.Opened)).toEqual([])
    expect(outcome(check(shaOf("a")), stateBehind(open))).toEqual([])
  })

  it("that is known already is not told again, unless a branch moved since", () => {
    expect(outcome(check(shaOf("a")), states.Opened)).toEqual([])
    const outdated = stateBehind(...ready, commands.OutdateMergeability)
    expect(outcome(check(shaOf("a")), outdated)).toHaveLength(1)
    expect(outcome(commands.OutdateMergeability, outdated)).toEqual([])
  })

  it("on another target branch than that of now is dropped", () => {
    const moved = stateBehind(...ready, updating({ changes: { targetBranch: "stable" } }))
    expect(outcome(check(shaOf("a")), moved)).toEqual([])
  })

  it("is told of a branch that is gone", () => {
    expect(outcome(check(null, "branch_missing"), states.Opened)).toHaveLength(1)
  })
})

describe("a version", () => {
  const late = { ...version, headSha: shaOf("9") }

  it("that was looked for behind another one than the last is dropped", () => {
    const moved = stateBehind(...ready, commands.AddVersion)
    expect(outcome({ _tag: "AddVersion", id: 112, previous: version, version: late }, moved)).toEqual([])
    expect(outcome({ _tag: "AddVersion", id: 112, previous: newVersion, version: late }, moved)).toHaveLength(1)
  })

  it("for another target branch than that of now is dropped", () => {
    const elsewhere = { ...late, targetBranch: "stable" }
    expect(outcome({ _tag: "AddVersion", id: 112, previous: version, version: elsewhere }, states.Opened)).toEqual([])
  })
})

describe("a version of commits that make a draft", () => {
  const marking: Command = { _tag: "AddVersion", id: 111, previous: version, version: newVersion, draftCommit: "f1" }
  const added = cases.VersionAdded.make({ id: 111, ...newVersion })

  it("changes the title with it", () => {
    const [changes, before] = [{ title: "Draft: Add a topic" }, { title: "Add a topic" }]
    const changed = cases.MergeRequestChanged.make({ changes, before, draftCommit: "f1" })
    expect(outcome(marking, states.Opened)).toEqual([added, changed])
  })

  it("leaves what is one, and a title that would be too long", () => {
    for (const title of ["[Draft] A", "a".repeat(249)])
      expect(outcome(marking, stateBehind(...ready, updating({ changes: { title } })))).toEqual([added])
  })
})

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

describe("time", () => {
  const spend = (seconds: number): Command => ({ _tag: "SpendTime", by: 8, seconds, summary: null })

  it("is taken back as far as it was spent", () => {
    expect(outcome(spend(-120), states.Opened)).toEqual([cases.TimeSpent.make({ by: 8, seconds: -120, total: 0, summary: null })])
    expect(outcome(spend(-121), states.Opened)).toBe("SpentTimeExceeded")
  })

  it("is spent for about a year", () => {
    expect(outcome(spend(31_540_000 - 120), states.Opened)).toHaveLength(1)
    expect(outcome(spend(31_540_000 - 119), states.Opened)).toBe("SpentTimeTooLong")
  })

  it("that goes with something else follows it, but for what is refused", () => {
    const time: ReadonlyArray<TimeOrder> = [
      { _tag: "EstimateTime", seconds: 60 },
      { _tag: "SpendTime", by: 8, seconds: -30, summary: null },
      { _tag: "SpendTime", by: 8, seconds: 30, summary: null },
      { _tag: "SpendTime", by: 8, seconds: 40, summary: null }
    ]
    const events = [
      cases.TimeEstimated.make({ seconds: 60 }),
      cases.TimeSpent.make({ by: 8, seconds: 30, total: 30, summary: null }),
      cases.TimeSpent.make({ by: 8, seconds: 40, total: 70, summary: null })
    ]
    expect(outcome({ ...open, time }, mergeRequestAggregate.initial)).toEqual([opened, ...events])
    expect(outcome({ ...updating({ changes: {} }), time }, stateBehind(open))).toEqual(events)
  })

  it("that is the same changes nothing", () => {
    expect(outcome({ _tag: "EstimateTime", seconds: 0 }, states.Opened)).toEqual([])
    expect(outcome(commands.ResetSpentTime, stateBehind(open))).toEqual([])
  })
})

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
