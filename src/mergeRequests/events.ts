import { Schema, Struct } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

const userIds = Schema.Array(Schema.Int)
const labelIds = Schema.Array(Schema.Int)
const milestoneId = Schema.NullOr(Schema.Int)

/** What people set in a merge request. */
export const Attributes = Schema.Struct({
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  targetBranch: Schema.String,
  /** In the order in which they were given. */
  assigneeIds: userIds,
  reviewerIds: userIds,
  squash: Schema.Boolean,
  /** Whether a merge removes the source branch, unless it says otherwise. */
  removesSourceBranch: Schema.Boolean,
  /** Whether those who may merge may push to the source branch of a fork. */
  allowsCollaboration: Schema.Boolean,
  /** Null until it is set. */
  isDiscussionLocked: Schema.NullOr(Schema.Boolean)
})
export type Attributes = typeof Attributes.Type

/** Some attributes with their new values. */
export const AttributeChanges = Attributes.mapFields(Struct.map(Schema.optionalKey))
export type AttributeChanges = typeof AttributeChanges.Type

export const StateName = Schema.Literals(["opened", "closed", "locked", "merged"])
export type StateName = typeof StateName.Type

/** Where the commits of a merge request come from. */
export const Source = Schema.Struct({ projectId: Schema.Int, branch: Schema.String })
export type Source = typeof Source.Type

const sha = Schema.NullOr(Schema.String)

export const Version = Schema.Struct({
  targetBranch: Schema.String,
  headSha: Schema.String,
  baseSha: Schema.String,
  /** The commit to which the target branch led then. */
  startSha: Schema.String,
  /** How many files differ; those beyond the limit are not counted. */
  files: Schema.Int,
  isCut: Schema.Boolean,
  commits: Schema.Int,
  patchId: sha
})
export type Version = typeof Version.Type

/** Commits that a push brought: how many, and the oldest hundred of them. */
export const PushedCommits = Schema.Struct({
  count: Schema.Int,
  first: Schema.Array(Schema.Struct({ sha: Schema.String, title: Schema.String }))
})
export type PushedCommits = typeof PushedCommits.Type

/** Whether it can be merged, or why not. */
export const Verdict = Schema.Literals(["mergeable", "conflict", "no_commits", "branch_missing"])
export type Verdict = typeof Verdict.Type

/** What a merge does: the target branch moves from one commit to another, which is the merge commit, or the source itself. */
export const Plan = Schema.Struct({
  by: Schema.Int,
  headSha: Schema.String,
  targetBranch: Schema.String,
  targetFrom: Schema.String,
  targetTo: Schema.String,
  mergeSha: sha,
  squashSha: sha,
  /** Whether the merge asks for one commit, which the merge request takes over. */
  squash: Schema.Boolean,
  /** What the merge says of the source branch; null where it leaves that to the merge request. */
  removesSourceBranch: Schema.NullOr(Schema.Boolean)
})
export type Plan = typeof Plan.Type

/** What a rebase does: the source branch moves from one commit to another, whose history has the head of the target branch. */
export const RebasePlan = Schema.Struct({ from: Schema.String, to: Schema.String, onto: Schema.String })
export type RebasePlan = typeof RebasePlan.Type

/** A rule by which some of the users have to approve. */
export const ApprovalRule = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  userIds,
  approvalsRequired: Schema.Int
})
export type ApprovalRule = typeof ApprovalRule.Type

/** How many approvals are missing then before it is merged. */
const left = Schema.Int
/** Why something is not merged of itself any more. */
const AbortReason = Schema.Literals([
  /** Others have pushed to it. */
  "source_branch_updated",
  /** It is to be merged into another branch. */
  "target_branch_changed",
  /** The project wants fast-forwards, and the target branch has got what the source branch has not. */
  "target_branch_updated",
  /** Its target branch was merged itself, and goes. */
  "target_branch_merged",
  /** Nobody can merge in the name of who set it any more. */
  "user_deleted",
  "closed"
])
export type AbortReason = typeof AbortReason.Type

export const MergeRequestEvent = Schema.TaggedUnion({
  MergeRequestOpened: {
    id: Schema.Int,
    authorId: Schema.Int,
    source: Source,
    /** The commit to which the source branch led then. */
    sourceSha: Schema.String,
    /** How many have to approve, whoever they are; nobody where it is absent. */
    approvalsBeforeMerge: Schema.optionalKey(Schema.Int),
    ...Attributes.fields
  },
  /** The changes hold only what differs from before, which is told too but for descriptions, for they are long. */
  MergeRequestChanged: {
    changes: AttributeChanges,
    before: Schema.optionalKey(AttributeChanges),
    /** The commit that made it a draft when it was pushed. */
    draftCommit: Schema.optionalKey(Schema.String),
    /** The target branch of before, where it went away because it was merged itself. */
    goneBranch: Schema.optionalKey(Schema.String)
  },
  /**
   * The labels that it has from now on, and those that it has no more. What is told of each has an id of its own: this is the one of the
   * first, those of the other added ones count on from it, and then those of the removed ones.
   */
  MergeRequestLabelsChanged: { id: Schema.Int, by: Schema.Int, addedIds: labelIds, removedIds: labelIds },
  /** Null for no milestone. The state is that of the merge request then. */
  MergeRequestMilestoneChanged: { id: Schema.Int, by: Schema.Int, from: milestoneId, to: milestoneId, state: StateName },
  /** With its source branch, where it was closed because that was deleted. */
  MergeRequestClosed: { by: Schema.Int, goneBranch: Schema.optionalKey(Schema.String) },
  MergeRequestReopened: { by: Schema.Int },
  MergeRequestDeleted: {},
  /** The commits that are to be merged, from a merge base of both branches on. */
  VersionAdded: {
    id: Schema.Int,
    ...Version.fields,
    /** The user who pushed its head, since the version before. */
    by: Schema.optionalKey(Schema.Int),
    /** The id that its pipeline gets, if the configuration wants one; without it there is none. */
    pipelineId: Schema.optionalKey(Schema.Int),
    /** The full ids of its newest commits, the newest first; without them it is found by none. */
    commitShas: Schema.optionalKey(Schema.Array(Schema.String)),
    /** The commits that came with its head, since the version before. */
    pushed: Schema.optionalKey(PushedCommits)
  },
  /** The issues that its texts and commits say it closes, of those that its author sees. */
  IssuesToCloseFound: { issues: Schema.Array(Schema.Struct({ projectId: Schema.Int, iid: Schema.Int })) },
  /** All that follows on opening was done for the first time. */
  MergeRequestPrepared: {},
  /** Either branch moved, so that nobody knows whether it can be merged. */
  MergeabilityOutdated: {},
  /** Whether the commit of the source could be merged into the commit of the target; null where there is no such branch. Fast-forward: the target has nothing that the source has not. */
  MergeabilityChecked: {
    headSha: Schema.NullOr(Schema.String),
    targetSha: Schema.NullOr(Schema.String),
    verdict: Verdict,
    isFastForward: Schema.Boolean,
    /** Whether it could not be merged when that was found out before; absent where it could. */
    failedBefore: Schema.optionalKey(Schema.Boolean)
  },
  /** It could not be found out, for a reason that is told, and is tried again. */
  MergeabilityCheckFailed: { error: Schema.String },
  /** Nobody may change it until the target branch has moved as planned, or cannot. */
  MergePlanned: { ...Plan.fields },
  /** Whether its source branch is to go is known of what was planned; what came into the target otherwise leaves it. */
  MergeRequestMerged: {
    by: Schema.Int,
    mergeSha: sha,
    squashSha: sha,
    removesSourceBranch: Schema.optionalKey(Schema.Boolean),
    /** Where the target branch led, of what came into it otherwise. */
    targetSha: Schema.optionalKey(Schema.String)
  },
  /** The target branch did not move as planned, or nothing was planned for this reason. */
  MergeFailed: { error: Schema.String },
  /** It is going to be merged by a user, in these words, as soon as nothing stands in the way of this head. */
  AutoMergeSet: {
    by: Schema.Int,
    headSha: Schema.String,
    mergeMessage: Schema.NullOr(Schema.String),
    squashMessage: Schema.NullOr(Schema.String),
    /** Whether its commits are to become one, which the merge request takes over. */
    squash: Schema.Boolean,
    /** What it says of the source branch; null where it leaves that to the merge request. */
    removesSourceBranch: Schema.NullOr(Schema.Boolean)
  },
  AutoMergeCanceled: { by: Schema.Int },
  /** Something happened for which it is not going to be merged of itself; `by` is the user who did it, as far as that is known. */
  AutoMergeAborted: {
    reason: AbortReason,
    by: Schema.optionalKey(Schema.Int),
    /** The number of the merge request by which its target branch was merged. */
    mergedIid: Schema.optionalKey(Schema.Int)
  },
  /** What it waits for may have come. */
  AutoMergeDue: {},
  /** It was looked at, and has to wait, for its detailed status of then, or because it is `rebasing`, `not_allowed` or `merge_failed`. */
  AutoMergeHeld: { reason: Schema.String },
  TimeEstimated: { seconds: Schema.Int },
  /** Less than zero where time was taken back. The total is that of then. */
  TimeSpent: { by: Schema.Int, seconds: Schema.Int, total: Schema.Int, summary: Schema.NullOr(Schema.String) },
  SpentTimeReset: { by: Schema.Int },
  /** The commits are to be replayed on the target branch: with this time, in milliseconds since 1970, whoever makes them and however often. */
  RebaseRequested: { by: Schema.Int, at: Schema.Int, skipsPipelines: Schema.Boolean },
  RebasePlanned: { ...RebasePlan.fields },
  /** The source branch has all that the target branch had. */
  MergeRequestRebased: {},
  RebaseFailed: { error: Schema.String },
  MergeRequestApproved: { by: Schema.Int, left },
  MergeRequestUnapproved: { by: Schema.Int, left },
  /** All approvals are gone. */
  ApprovalsReset: { left },
  ApprovalRuleAdded: { ...ApprovalRule.fields, left },
  ApprovalRuleRemoved: { id: Schema.Int, left }
})
export type MergeRequestEvent = typeof MergeRequestEvent.Type

export const mergeRequestCodec = eventCodec(MergeRequestEvent)
