import { Data, type Result } from "effect"
import type { IssueKey } from "../../issues/ids.ts"
import type {
  AbortReason,
  ApprovalRule,
  AttributeChanges,
  Attributes,
  MergeRequestEvent,
  Plan,
  PushedCommits,
  RebasePlan,
  Source,
  Verdict,
  Version
} from "../events.ts"
import type { ApprovalFault } from "./approvalFaults.ts"
import type { AttributeFault } from "./faults.ts"
import type { LabelingWithIds } from "./labeling.ts"
import type { AutoMerge, Place } from "./state.ts"

/** Opens a merge request under the number of its stream. */
export interface Open {
  readonly _tag: "Open"
  readonly id: number
  readonly authorId: number
  readonly source: Source
  readonly sourceSha: string
  readonly attributes: Attributes
  /** How many have to approve, whoever they are. */
  readonly approvalsBeforeMerge?: number
  readonly labeling?: LabelingWithIds
  /** What is done with the time at once. */
  readonly time?: ReadonlyArray<TimeOrder>
}

/** Changes attributes, labels and milestone, and closes or reopens; absent attributes stay as they are. What is not in the state for it changes nothing. */
export interface Update {
  readonly _tag: "Update"
  readonly by: number
  readonly changes: AttributeChanges
  /** Where it was seen when the branches were taken for it that it is to be open for. */
  readonly from?: Place
  readonly labeling?: LabelingWithIds
  readonly transition?: "close" | "reopen"
  /** The branch that went away, for which it is closed or gets another target. */
  readonly goneBranch?: string
  /** What is done with the time at once. */
  readonly time?: ReadonlyArray<TimeOrder>
  /** What it closes afterwards. */
  readonly closing?: IssuesFound
}

/** Adds a version behind the one that was the last when it was looked for; where it is not any more, it is dropped. */
export interface AddVersion {
  readonly _tag: "AddVersion"
  readonly id: number
  readonly previous: Version | undefined
  readonly version: Version
  readonly by?: number
  readonly pipelineId?: number
  /** The ids of its newest commits, by which it is found. */
  readonly commitShas?: ReadonlyArray<string>
  readonly pushed?: PushedCommits
  /** The one of its commits that makes it a draft. */
  readonly draftCommit?: string
}

/** Tells whether these commits can be merged. A verdict on others than those of now is dropped. */
export interface Check {
  readonly _tag: "Check"
  readonly targetBranch: string
  readonly headSha: string | null
  readonly targetSha: string | null
  readonly verdict: Verdict
  readonly isFastForward: boolean
}

/** What a merge request closes, by the texts and the commit for which that was found out. */
export interface IssuesFound {
  readonly title: string
  readonly description: string | null
  readonly headSha: string | undefined
  readonly issues: ReadonlyArray<IssueKey>
}

/** Tells which issues it closes, as its texts and its version say. What is not known of these, or is known already, is dropped. */
export interface NoteIssuesToClose extends IssuesFound {
  readonly _tag: "NoteIssuesToClose"
}

/** Begins a merge of the commit that the source branch has. */
export interface PlanMerge {
  readonly _tag: "PlanMerge"
  readonly plan: Plan
}

/** Ends the merge that was planned, or notes one that happened otherwise. */
export interface NoteMerge {
  readonly _tag: "NoteMerge"
  readonly by: number
  readonly mergeSha: string | null
  readonly squashSha: string | null
  /** Where the target branch led, where nothing was planned. */
  readonly targetSha?: string
}

/** Ends the merge that was planned, because the target branch did not move as planned. */
export interface GiveUpMerge {
  readonly _tag: "GiveUpMerge"
  readonly targetTo: string
  readonly error: string
}

/** Tells why it is not merged although everything seemed to be right. */
export interface FailMerge {
  readonly _tag: "FailMerge"
  readonly error: string
}

/** Lets it be merged as soon as nothing stands in the way of the commit that the source branch has. */
export interface SetAutoMerge {
  readonly _tag: "SetAutoMerge"
  readonly by: number
  readonly headSha: string
  readonly mergeMessage: string | null
  readonly squashMessage: string | null
  readonly squash: boolean
  readonly removesSourceBranch: boolean | null
}

/** Ends what is to be merged of itself, where it is still of this commit, into this branch, and set by this user, as far as these are named. */
export interface AbortAutoMerge {
  readonly _tag: "AbortAutoMerge"
  readonly of: { readonly headSha?: string; readonly targetBranch?: string; readonly setBy?: number }
  readonly reason: AbortReason
  /** Who did what it is ended for. */
  readonly by?: number
  /** The number of the merge request by which its target branch was merged. */
  readonly mergedIid?: number
}

/** Tells what it waits for, as it was when it was looked at. */
export interface HoldAutoMerge {
  readonly _tag: "HoldAutoMerge"
  readonly of: AutoMerge
  readonly reason: string
}

/** Sets the estimate, in seconds. */
export interface EstimateTime {
  readonly _tag: "EstimateTime"
  readonly seconds: number
}

/** Adds to the time that was spent, or takes from it. */
export interface SpendTime {
  readonly _tag: "SpendTime"
  readonly by: number
  readonly seconds: number
  readonly summary: string | null
}

/** Asks for the commits to be replayed on the target branch. The time is in milliseconds since 1970. */
export interface RequestRebase {
  readonly _tag: "RequestRebase"
  readonly by: number
  readonly at: number
  readonly skipsPipelines: boolean
}

/** Tells where a rebase moves the source branch. It is dropped where that rebase is planned already, or over. */
export interface PlanRebase {
  readonly _tag: "PlanRebase"
  readonly number: number
  readonly targetBranch: string
  readonly plan: RebasePlan
}

/** Ends a rebase, unless it is over: with an error where the source branch did not move. */
export interface EndRebase {
  readonly _tag: "EndRebase"
  readonly number: number
  readonly error?: string
}

/** Approves it, as long as the source branch leads to the commit that is named, if any. */
export interface Approve {
  readonly _tag: "Approve"
  readonly by: number
  readonly sha?: string | undefined
}

/** Adds a rule by which some have to approve. */
export interface AddApprovalRule {
  readonly _tag: "AddApprovalRule"
  readonly rule: ApprovalRule
}

/** Takes all the time that was spent away. */
export interface ResetSpentTime {
  readonly _tag: "ResetSpentTime"
  readonly by: number
}

/** What may be done with the time. Where it goes with something else, what is refused of it is left out. */
export type TimeOrder = EstimateTime | SpendTime | ResetSpentTime

/** Tells that branches moved, and that nobody knows any more whether it can be merged. */
export interface OutdateMergeability {
  readonly _tag: "OutdateMergeability"
  /** Where branches of the source and of the target lead by a push, by their names. What is known of those heads is not outdated. */
  readonly moved?: {
    readonly source: ReadonlyMap<string, string | null>
    readonly target: ReadonlyMap<string, string | null>
  }
}

export type Command =
  | Open
  | Update
  | AddVersion
  | { readonly _tag: "FinishPreparation" }
  | OutdateMergeability
  | { readonly _tag: "FailCheck"; readonly error: string }
  | Check
  | PlanMerge
  | NoteMerge
  | GiveUpMerge
  | FailMerge
  | TimeOrder
  | SetAutoMerge
  | { readonly _tag: "CancelAutoMerge"; readonly by: number }
  | AbortAutoMerge
  | { readonly _tag: "WakeAutoMerge" }
  | HoldAutoMerge
  | NoteIssuesToClose
  | { readonly _tag: "Delete" }
  | RequestRebase
  | PlanRebase
  | EndRebase
  | Approve
  | { readonly _tag: "Unapprove"; readonly by: number }
  | { readonly _tag: "ResetApprovals" }
  | AddApprovalRule
  | { readonly _tag: "RemoveApprovalRule"; readonly id: number }

/** Everything that is wrong with the attributes. */
export class MergeRequestInvalid extends Data.TaggedError("MergeRequestInvalid")<{
  readonly faults: ReadonlyArray<AttributeFault>
}> {}

/** There is a merge request in this stream, or was one. */
export class MergeRequestExists extends Data.TaggedError("MergeRequestExists") {}

/** The merge request was never there, or is deleted. */
export class MergeRequestMissing extends Data.TaggedError("MergeRequestMissing") {}

/** The merge request is not open, or another merge is under way. */
export class NotOpen extends Data.TaggedError("NotOpen") {}

/** It is a draft, or approvals are missing. */
export class NotReady extends Data.TaggedError("NotReady") {}

/** It was opened, closed or given another target branch since it was seen. */
export class PlaceMoved extends Data.TaggedError("PlaceMoved") {}

/** The source branch is somewhere else than the caller believed. */
export class HeadMoved extends Data.TaggedError("HeadMoved")<{ readonly headSha: string | undefined }> {}

/** More time is taken back than was spent. */
export class SpentTimeExceeded extends Data.TaggedError("SpentTimeExceeded") {}

/** More time is spent than can be told. */
export class SpentTimeTooLong extends Data.TaggedError("SpentTimeTooLong") {}

/** A rebase is under way. */
export class RebaseRunning extends Data.TaggedError("RebaseRunning") {}

/** The user has approved it, or it is merged. */
export class NotApprovable extends Data.TaggedError("NotApprovable") {}

/** The user has not approved it, or it is merged. */
export class NotApproved extends Data.TaggedError("NotApproved") {}

/** Everything that is wrong with a rule of approvals. */
export class ApprovalRuleInvalid extends Data.TaggedError("ApprovalRuleInvalid")<{
  readonly faults: ReadonlyArray<ApprovalFault>
}> {}

export class TooManyApprovalRules extends Data.TaggedError("TooManyApprovalRules")<{ readonly limit: number }> {}

export class ApprovalRuleMissing extends Data.TaggedError("ApprovalRuleMissing") {}

export type Refusal =
  | MergeRequestInvalid
  | MergeRequestExists
  | MergeRequestMissing
  | NotOpen
  | NotReady
  | PlaceMoved
  | HeadMoved
  | SpentTimeExceeded
  | SpentTimeTooLong
  | RebaseRunning
  | NotApprovable
  | NotApproved
  | ApprovalRuleInvalid
  | TooManyApprovalRules
  | ApprovalRuleMissing

export type Decision = Result.Result<ReadonlyArray<MergeRequestEvent>, Refusal>
