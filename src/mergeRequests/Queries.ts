import { Context, type Effect } from "effect"
import type { Reaction } from "../awardEmoji/Reaction.ts"
import type { ReadText } from "../http/answer/longLists.ts"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { MayLackDescription } from "../issuables/descriptions.ts"
import type { LabelingFilter } from "../issuables/labelingFilter.ts"
import type { NamedPerson } from "../issuables/Person.ts"
import type { Viewer } from "../issuables/Viewer.ts"
import type { MilestoneRow } from "../milestones/Milestones.ts"
import type { PipelineRow, Status as PipelineStatus } from "../pipelines/Pipelines.ts"
import type { HighestNumber } from "../platform/Ids.ts"
import type { DueQuery } from "../platform/reactions/workThrough.ts"
import type { ProjectRow } from "../projects/Projects.ts"
import type { Verdict } from "./events.ts"
import type { MergeRequestKey } from "./ids.ts"

/** A merge request of the read model, without its description. Times are milliseconds since 1970, spans are seconds. */
export interface MergeRequestRow {
  readonly id: number
  readonly iid: number
  /** The project into which it is to be merged. */
  readonly project_id: number
  readonly source_project_id: number
  readonly source_branch: string
  readonly target_branch: string
  readonly title: string
  readonly state: "opened" | "locked" | "closed" | "merged"
  readonly author_id: number
  readonly created_at: number
  readonly updated_at: number
  readonly closed_at: number | null
  readonly squash: boolean
  readonly removes_source_branch: boolean
  readonly allows_collaboration: boolean
  readonly is_discussion_locked: boolean | null
  /** The commit to which the source branch led when it was last looked at. */
  readonly sha: string
  /** The last version; null before the first, as what follows. */
  readonly version_id: number | null
  readonly base_sha: string | null
  readonly start_sha: string | null
  readonly files: number | null
  readonly is_cut: boolean | null
  readonly commits: number | null
  /** Whether it could be merged when that was checked last; null before. */
  readonly verdict: Verdict | null
  /** Whether the target branch had nothing then that the source branch has not. */
  readonly is_fast_forward: boolean | null
  /** Whether a branch moved since then. */
  readonly is_outdated: boolean
  readonly merge_error: string | null
  /** Whether another one that has to be merged first is not. */
  readonly is_blocked: boolean
  /** When it came into production first; null where it did not. Lists do not tell it. */
  readonly deployed_at?: number | null
  /** Whether something of its author was merged into the project. Lists do not tell it. */
  readonly author_has_merged?: boolean
  /** Whether a rebase is under way. */
  readonly is_rebasing: boolean
  /** Why it could not be found out whether it can be merged. */
  readonly check_error: string | null
  /** In the description, and how many of them are done. */
  readonly tasks: number
  readonly completed_tasks: number
  readonly prepared_at: number | null
  readonly merged_at: number | null
  readonly merge_user_id: number | null
  /** The user who lets it be merged as soon as nothing stands in the way; null for nobody. */
  readonly auto_merge_user_id: number | null
  readonly merge_sha: string | null
  readonly squash_sha: string | null
  readonly should_remove_source_branch: boolean | null
  readonly time_estimate: number
  readonly time_spent: number
  readonly upvotes: number
  readonly downvotes: number
  /** How many have to approve it, whoever they are; null where nobody has to. */
  readonly approvals_before_merge: number | null
  /** How many approvals are missing, those of rules included. */
  readonly approvals_left: number
  /** Full path of the project, such as `group/project`. */
  readonly project_path: string
  readonly squash_option: ProjectRow["squash_option"]
  readonly merge_method: ProjectRow["merge_method"]
  readonly only_allow_merge_if_pipeline_succeeds: boolean
  readonly allow_merge_on_skipped_pipeline: boolean
  /** The newest pipeline of its last commit; null for none, as what follows. */
  readonly head_pipeline_id: number | null
  readonly head_pipeline_project_id: number | null
  readonly head_pipeline_status: PipelineStatus | null
  readonly only_allow_merge_if_all_discussions_are_resolved: boolean
  /** Notes of people. */
  readonly user_notes_count: number
  readonly has_unresolved_discussions: boolean
  /** It is null when that user is deleted, as those below. */
  readonly author: UserReferenceRow | null
  /** Who merged it, else who lets it be merged. */
  readonly merge_user: UserReferenceRow | null
  readonly closed_by: UserReferenceRow | null
  /** In the order in which they were given. */
  readonly assignees: ReadonlyArray<UserReferenceRow>
  readonly reviewers: ReadonlyArray<UserReferenceRow>
  /** By title. */
  readonly labels: ReadonlyArray<LabelTitle>
  readonly milestone: MilestoneRow | null
}

/** What a merge request is to what hangs on it. */
export type MergeRequestIdentity = Pick<MergeRequestRow, "author_id" | "id" | "iid" | "is_discussion_locked" | "project_id">

export interface LabelTitle {
  readonly id: number
  readonly title: string
}

export interface DescribedMergeRequestRow extends MergeRequestRow {
  readonly description: string | null
}

/** One of a page, without its description where those of the page are too long to be read all at once. */
export type ListedMergeRequestRow = DescribedMergeRequestRow & MayLackDescription

/** One on its own, with its description where that is short. */
export interface FoundMergeRequestRow extends MergeRequestRow {
  readonly short_description: string | null
  readonly is_description_long: boolean
}

/** A rule by which some of its users have to approve. */
export interface ApprovalRuleRow {
  readonly id: number
  readonly name: string
  readonly approvals_required: number
  readonly users: ReadonlyArray<UserReferenceRow>
}

/** Who approved, in this order, and who has to. */
export interface ApprovalsRow {
  readonly approved_by: ReadonlyArray<UserReferenceRow>
  readonly rules: ReadonlyArray<ApprovalRuleRow>
}

type VersionsOf = Pick<MergeRequestRow, "iid" | "project_id">

/** What was to be merged at a time. The time is in milliseconds since 1970. */
export interface VersionRow {
  readonly id: number
  readonly project_id: number
  readonly merge_request_id: number
  readonly head_sha: string
  readonly base_sha: string
  readonly start_sha: string
  readonly files: number
  readonly is_cut: boolean
  readonly patch_id: string | null
  readonly created_at: number
}

/** Anybody, nobody, or all of these. */
export type People = "any" | "none" | ReadonlyArray<NamedPerson>

/** What lists are ordered by, as the parameter `order_by` has it, and those of a project besides: labels have priorities in a project. */
export const orders = ["created_at", "title", "updated_at", "merged_at", "milestone_due", "popularity"] as const
export const ordersOfProjects = [...orders, "label_priority", "priority"] as const
export type Order = (typeof ordersOfProjects)[number]

/** What may be asked for, and what may be excluded. Absent conditions hold for all. */
export interface PeopleFilter {
  readonly author?: NamedPerson
  readonly assignees?: People
  readonly reviewers?: People
  readonly reaction?: Reaction
}

/** Selects merge requests. Times are milliseconds since 1970, bounds included. */
export interface MergeRequestFilter extends PeopleFilter, LabelingFilter {
  /** Those of one project, which the viewer may see; else the viewer decides what is seen. */
  readonly projectId?: number
  /** Those of the projects of a group and of groups below it. */
  readonly groupId?: number
  readonly viewer?: Viewer
  /** With false, those of archived projects are left out. */
  readonly withArchived?: boolean
  readonly state?: MergeRequestRow["state"]
  readonly iids?: ReadonlyArray<number>
  /** Those of a project that brought a commit, or are to bring it. */
  readonly commit?: { readonly projectId: number; readonly sha: string }
  readonly keys?: ReadonlyArray<MergeRequestKey>
  /** The user who is the author, or an assignee, whatever else is asked for. */
  readonly scope?: { readonly of: "author" | "assignee"; readonly userId: number }
  readonly not?: PeopleFilter & LabelingFilter
  /** Who merged it. */
  readonly merger?: NamedPerson
  readonly sourceBranch?: string
  readonly targetBranch?: string
  readonly sourceProjectId?: number
  readonly search?: { readonly text: string; readonly in: ReadonlyArray<"title" | "description"> }
  /** Those that came into an environment, into this one or at such a time: bounds are not included. */
  readonly deployed?: { readonly environment?: string; readonly after?: number; readonly before?: number }
  readonly isDraft?: boolean
  readonly approvedBy?: People
  /** Whether somebody approved it. */
  readonly isApproved?: boolean
  /** Users whom a rule of approvals names. */
  readonly approver?: People
  readonly createdAfter?: number
  readonly createdBefore?: number
  readonly updatedAfter?: number
  readonly updatedBefore?: number
  readonly order: { readonly by: Order; readonly descending: boolean }
}

/** That a merge request has to be merged before another one. */
export interface BlockRow {
  readonly id: number
  readonly blocking_project_id: number
  readonly blocking_iid: number
}

/** One that is to be merged into a branch, and from where. */
export interface Into extends MergeRequestKey {
  readonly sourceProjectId: number
  readonly sourceBranch: string
}

/** From which branch of a fork into which branch something is to be merged. */
export interface CollaboratingInto {
  readonly sourceBranch: string
  readonly projectId: number
  readonly targetBranch: string
}

/** One of which nobody knows whether it can be merged. */
export interface Outdated extends MergeRequestKey {
  readonly id: number
  readonly authorId: number
}

/** One whose commits somebody wants to be replayed on the target branch. */
export interface Rebasing extends MergeRequestKey {
  readonly id: number
  readonly by: number
}

/** One that is to be looked at because it is to be merged of itself, in the name of a user. */
export interface AutoMergeDue extends MergeRequestKey {
  readonly id: number
  readonly by: number
}

/** Which of those that are to be merged of themselves are meant: those for which all of this holds. */
export interface AutoMergesOf {
  readonly projectId?: number
  readonly iid?: number
  /** Those of the projects of a group and of groups below it. */
  readonly groupId?: number
  readonly targetBranch?: string
  readonly setBy?: number
  /** The last commit. */
  readonly sha?: string
  /** A pipeline of the last commit. */
  readonly pipelineId?: number
  /** What they wait, or waited, for to be merged first. */
  readonly behind?: Blocking
  /** Those that wait until whoever set them may merge, and those that are due, of which that is found out just now. */
  readonly mayLackRights?: true
}

/** What others wait for: a merge request, or all of a project. */
export interface Blocking extends Pick<MergeRequestKey, "projectId">, Partial<Pick<MergeRequestKey, "iid">> {}

/** Which pipeline counts for a merge request: that of this commit of its source. */
export interface HeadPipelineOf {
  readonly id: number
  readonly sourceProjectId: number
  readonly sourceBranch: string
  readonly sha: string
}

/** The pipelines of a merge request that run in some projects. */
export interface PipelinesOf {
  readonly mergeRequest: Pick<MergeRequestRow, "id" | "iid" | "project_id" | "sha" | "source_branch" | "source_project_id">
  readonly projectIds: ReadonlyArray<number>
}

/** What handlers ask about merge requests. */
export class MergeRequestQueries extends Context.Service<
  MergeRequestQueries,
  {
    readonly list: (filter: MergeRequestFilter, slice: Slice) => Effect.Effect<Listed<ListedMergeRequestRow>>
    /** The descriptions of some, by their ids. Those that are gone are left out. */
    readonly descriptionsOf: (
      keys: ReadonlyArray<Pick<MergeRequestRow, "iid" | "project_id">>
    ) => Effect.Effect<ReadonlyArray<ReadText>>
    readonly find: (projectId: number, iid: number) => Effect.Effect<FoundMergeRequestRow | undefined>
    readonly identify: (projectId: number, iid: number) => Effect.Effect<MergeRequestIdentity | undefined>
    /** The versions of a merge request, the latest first. */
    readonly versions: (key: VersionsOf, slice: Slice) => Effect.Effect<Listed<VersionRow>>
    readonly approvals: (key: VersionsOf) => Effect.Effect<ApprovalsRow>
    readonly version: (key: VersionsOf, id: number) => Effect.Effect<VersionRow | undefined>
    /** Whether one of its versions is between these commits. */
    readonly hasVersion: (
      key: VersionsOf,
      shas: Pick<VersionRow, "base_sha" | "head_sha" | "start_sha">
    ) => Effect.Effect<boolean>
    /** Those that are open from or into branches of a project. */
    readonly openAt: (projectId: number, branches: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<MergeRequestKey>>
    /** Those behind a key, in its order, that are open from the branches of a fork. */
    readonly openFrom: (forkId: number, after: MergeRequestKey, limit: number) => Effect.Effect<ReadonlyArray<MergeRequestKey>>
    /** Some of those that are open and outdated: of all projects in turn, and no more than ten of one. */
    readonly outdated: (query: DueQuery) => Effect.Effect<ReadonlyArray<Outdated>>
    /** Some of those that are to be rebased: of all users who asked for that in turn, and no more than ten of one. */
    readonly rebasing: (query: DueQuery) => Effect.Effect<ReadonlyArray<Rebasing>>
    /** The first ones that are open into a branch of a project. */
    readonly openInto: (projectId: number, branch: string, limit: number) => Effect.Effect<ReadonlyArray<Into>>
    /** Those behind a key, in its order, that a user has approved and that are not merged. */
    readonly approvedBy: (userId: number, after: MergeRequestKey, limit: number) => Effect.Effect<ReadonlyArray<MergeRequestKey>>
    /** From which branches of a fork and into what the latest hundred are to be merged that let those push who may merge them. */
    readonly collaborating: (sourceProjectId: number) => Effect.Effect<ReadonlyArray<CollaboratingInto>>
    /** What has to be merged before a merge request, by the order of ids. */
    readonly blocks: (key: VersionsOf, slice: Slice) => Effect.Effect<Listed<BlockRow>>
    /** The merge request with this id. */
    readonly keyOf: (id: number) => Effect.Effect<MergeRequestKey | undefined>
    /** Whether one has to wait for the other, perhaps because those do that it waits for. */
    readonly waitsFor: (key: MergeRequestKey, other: MergeRequestKey) => Effect.Effect<boolean>
    /** Some of those that are to be looked at because they are to be merged of themselves, as `outdated`. */
    readonly autoMergesDue: (query: DueQuery) => Effect.Effect<ReadonlyArray<AutoMergeDue>>
    /** Some of those that are to be merged of themselves, behind a key, in its order. */
    readonly autoMerges: (
      of: AutoMergesOf,
      after: MergeRequestKey,
      limit: number
    ) => Effect.Effect<ReadonlyArray<MergeRequestKey>>
    /** Whether a pipeline of its last commit may still be about to be made: nobody has looked at the push yet, or at the last version. */
    readonly awaitsPipeline: (key: MergeRequestKey) => Effect.Effect<boolean>
    /** Those that have been locked for so many milliseconds. */
    readonly lockedFor: (millis: number) => Effect.Effect<ReadonlyArray<MergeRequestKey>>
    /** Those made for it first, then those of its branch, the newest first. */
    readonly pipelines: (of: PipelinesOf, slice: Slice) => Effect.Effect<Listed<PipelineRow>>
    readonly headPipelineStatus: (of: HeadPipelineOf) => Effect.Effect<PipelineStatus | undefined>
    /** The highest number of a project, whose id is the scope. */
    readonly highestNumber: HighestNumber
  }
>()("chronoforge/mergeRequests/MergeRequestQueries") {}
