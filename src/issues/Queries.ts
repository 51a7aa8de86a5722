import { Context, type Effect } from "effect"
import type { Reaction } from "../awardEmoji/Reaction.ts"
import type { ReadText } from "../http/answer/longLists.ts"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { MayLackDescription } from "../issuables/descriptions.ts"
import type { LabelingFilter } from "../issuables/labelingFilter.ts"
import type { NamedPerson } from "../issuables/Person.ts"
import type { Viewer } from "../issuables/Viewer.ts"
import type { LabelRow } from "../labels/Labels.ts"
import type { MilestoneRow } from "../milestones/Milestones.ts"
import type { HighestNumber } from "../platform/Ids.ts"
import type { IssueKey } from "./ids.ts"

/** An issue of the read model. Times are milliseconds since 1970, spans are seconds, days are written `YYYY-MM-DD`. */
export interface IssueRow {
  readonly id: number
  readonly iid: number
  readonly project_id: number
  readonly title: string
  readonly description: string | null
  readonly state: "opened" | "closed"
  readonly author_id: number
  readonly upvotes: number
  readonly downvotes: number
  readonly created_at: number
  readonly updated_at: number
  readonly closed_at: number | null
  readonly due_date: string | null
  readonly is_confidential: boolean
  readonly is_discussion_locked: boolean | null
  /** In the description, and how many of them are done. */
  readonly tasks: number
  readonly completed_tasks: number
  /** How many merge requests say that they close it. */
  readonly merge_requests: number
  readonly user_notes_count: number
  /** Full path of the project, such as `group/project`. */
  readonly project_path: string
  /** It is null when that user is deleted, as the one below. */
  readonly author: UserReferenceRow | null
  readonly closed_by: UserReferenceRow | null
  /** In the order in which they were given. */
  readonly assignees: ReadonlyArray<UserReferenceRow>
  /** By title. */
  readonly labels: ReadonlyArray<LabelRow>
  readonly milestone: MilestoneRow | null
}

/** What an issue is to what hangs on it: who sees it is known of its people. */
export interface IssueIdentity
  extends Pick<IssueRow, "author_id" | "id" | "iid" | "is_confidential" | "is_discussion_locked" | "project_id"> {
  readonly assignees: ReadonlyArray<Pick<UserReferenceRow, "id">>
}

/** The same in a list, of which long descriptions may be left out. */
export type ListedIssueRow = IssueRow & MayLackDescription

export interface Search {
  readonly text: string
  readonly in: ReadonlyArray<"title" | "description">
}

/** Without a day on which it is due, with one, or with one within a span of days, bounds included. */
export type DueCondition = "none" | "any" | { readonly from?: string; readonly to: string }

/** All of these people, anybody, or nobody. */
export type People = "any" | "none" | ReadonlyArray<NamedPerson>

/** What is left out. */
export interface Exclusions extends LabelingFilter {
  readonly iids?: ReadonlyArray<number>
  readonly author?: NamedPerson
  readonly assignees?: People
  readonly reaction?: Reaction
}

export type Order = "created_at" | "due_date" | "title" | "updated_at"

/** Selects issues that the viewer may see. Times are milliseconds since 1970, bounds included. Absent conditions hold for all. */
export interface IssueFilter extends LabelingFilter {
  readonly viewer: Viewer
  /** A project, and whether all confidential issues are shown, where it is known that the viewer sees issues there. */
  readonly project?: { readonly id: number; readonly showsConfidential?: boolean }
  /** Those of the projects of a group and of groups below it. */
  readonly groupId?: number
  /** With false, those of archived projects are left out. */
  readonly withArchived?: boolean
  readonly state?: IssueRow["state"]
  readonly iids?: ReadonlyArray<number>
  /** The user who is the author, or an assignee, whatever else is asked for. */
  readonly scope?: { readonly of: "author" | "assignee"; readonly userId: number }
  readonly author?: NamedPerson
  readonly assignees?: People
  readonly isConfidential?: boolean
  readonly due?: DueCondition
  readonly reaction?: Reaction
  readonly search?: Search
  readonly createdAfter?: number
  readonly createdBefore?: number
  readonly updatedAfter?: number
  readonly updatedBefore?: number
  readonly not?: Exclusions
  readonly keys?: ReadonlyArray<IssueKey>
  /** Those that a merge request says it closes. */
  readonly closedBy?: { readonly projectId: number; readonly iid: number }
  /** Only those of projects in which merges close issues. */
  readonly isAutoclosed?: true
  readonly order: { readonly by: Order; readonly descending: boolean }
}

/** How many issues have a label. */
export interface LabelCountRow {
  readonly label_id: number
  readonly opened: number
  readonly closed: number
}

/** What is asked about issues. */
export class IssueQueries extends Context.Service<
  IssueQueries,
  {
    readonly list: (filter: IssueFilter, slice: Slice) => Effect.Effect<Listed<ListedIssueRow>>
    /** The descriptions of issues; of those that are gone there is none. */
    readonly descriptionsOf: (rows: ReadonlyArray<Pick<IssueRow, "iid" | "project_id">>) => Effect.Effect<ReadonlyArray<ReadText>>
    readonly find: (projectId: number, iid: number) => Effect.Effect<IssueRow | undefined>
    readonly identify: (projectId: number, iid: number) => Effect.Effect<IssueIdentity | undefined>
    /** How many issues that the viewer sees in a project or group have the labels; those that none has are left out. */
    readonly labelCounts: (
      labelIds: ReadonlyArray<number>,
      within: Pick<IssueFilter, "groupId" | "project" | "viewer">
    ) => Effect.Effect<ReadonlyArray<LabelCountRow>>
    /** The highest number that an issue of a project, whose id is the scope, has or had. */
    readonly highestNumber: HighestNumber
  }
>()("chronoforge/issues/IssueQueries") {}
