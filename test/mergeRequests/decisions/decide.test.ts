import { describe } from "vitest"
import type { Command, Refusal } from "#src/mergeRequests/decisions/commands.ts"
import type { State } from "#src/mergeRequests/decisions/state.ts"
import type { MergeRequestEvent } from "#src/mergeRequests/events.ts"
import { itDecides } from "#test/support/decisions.ts"
import { attributes, opened, plan, shaOf } from "../samples.ts"
import { autoMergeSet, cases, checked, commands, newVersion, noted, outcome, rule, states } from "./samples.ts"

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
  FinishPreparation: [],
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

/** Where nothing is to be merged of itself. */
const without = { CancelAutoMerge: [], AbortAutoMerge: [], WakeAutoMerge: [], HoldAutoMerge: [] } as const

/** What changes nothing where it is not open. */
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
