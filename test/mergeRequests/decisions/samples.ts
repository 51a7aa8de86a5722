import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import type { Command, NoteIssuesToClose, Update } from "#src/mergeRequests/decisions/commands.ts"
import type { State } from "#src/mergeRequests/decisions/state.ts"
import { type ApprovalRule, MergeRequestEvent } from "#src/mergeRequests/events.ts"
import { outcomeOf } from "#test/support/decisions.ts"
import {
  addVersion,
  attributes,
  open,
  plan,
  rebasePlan,
  requestRebase,
  setAutoMerge,
  shaOf,
  stateBehind,
  version
} from "../samples.ts"

export const { cases } = MergeRequestEvent
export const outcome = outcomeOf(mergeRequestAggregate)

export const updating = (update: Partial<Update>): Update => ({ _tag: "Update", by: 8, changes: {}, ...update })
export const newVersion = { ...version, headSha: shaOf("d") }
/** Two of three have to approve. */
export const rule: ApprovalRule = { id: 12, name: "Security", userIds: [7, 8, 9], approvalsRequired: 2 }
export const checked = { headSha: shaOf("a"), targetSha: shaOf("e"), verdict: "conflict", isFastForward: false } as const

export const noting: NoteIssuesToClose = {
  _tag: "NoteIssuesToClose",
  title: attributes.title,
  description: attributes.description,
  headSha: version.headSha,
  issues: [{ projectId: 4, iid: 3 }]
}
const { _tag, squash, ...wished } = setAutoMerge
export const due = { ...wished, heldFor: undefined, turn: 0 }

export const commands: { readonly [Tag in Command["_tag"]]: Command } = {
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

export const checking: Command = {
  _tag: "Check",
  targetBranch: "main",
  headSha: shaOf("a"),
  targetSha: shaOf("b"),
  verdict: "mergeable",
  isFastForward: true
}
export const spending: Command = { _tag: "SpendTime", by: 8, seconds: 120, summary: null }
export const approving: ReadonlyArray<Command> = [
  { _tag: "AddApprovalRule", rule },
  { _tag: "Approve", by: 9 }
]
export const ready: ReadonlyArray<Command> = [open, addVersion, checking, spending, ...approving, { _tag: "Approve", by: 7 }]
export const closing = updating({ transition: "close" })

export const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Opened: stateBehind(...ready),
  Locked: stateBehind(...ready, commands.PlanMerge),
  Closed: stateBehind(...ready, closing),
  Merged: stateBehind(...ready, commands.PlanMerge, commands.NoteMerge),
  Deleted: stateBehind(open, commands.Delete)
}

export const autoMergeSet = cases.AutoMergeSet.make({ ...wished, squash })

export const noted = [cases.IssuesToCloseFound.make({ issues: [{ projectId: 4, iid: 3 }] })]
