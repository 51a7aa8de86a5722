import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { MayLackDescription } from "../issuables/descriptions.ts"
import type { Viewer } from "../issuables/Viewer.ts"
import type { MilestoneRow } from "../milestones/Milestones.ts"
import type { DueQuery } from "../platform/reactions/workThrough.ts"
import type { Link } from "./events.ts"
import type { ReleaseKey } from "./ids.ts"

/** A milestone with how many issues it has. */
export type ReleasedMilestone = MilestoneRow & { readonly issues: { readonly total: number; readonly closed: number } }

/** A record of what a release contained. */
export interface EvidenceRow {
  /** The position of the event in the log. */
  readonly id: number
  readonly sha256: string
  readonly collected_at: number
}

/** A release of the read model. Times are milliseconds since 1970. */
export interface ReleaseRow {
  readonly id: number
  readonly project_id: number
  readonly tag: string
  readonly name: string | null
  readonly description: string | null
  readonly sha: string | null
  readonly created_at: number
  readonly released_at: number
  /** It is null when that user is deleted. */
  readonly author: UserReferenceRow | null
  /** The newest first. */
  readonly links: ReadonlyArray<Link>
  /** Those of milestones that were deleted, too. */
  readonly milestone_ids: ReadonlyArray<number>
  readonly evidences: ReadonlyArray<EvidenceRow>
}

/** A release of some project, in short. */
export type ShortReleaseRow = Pick<ReleaseRow, "id" | "tag" | "name" | "description" | "created_at" | "released_at">

/** The same in a list, of which long descriptions may be left out. */
export type ListedReleaseRow = ReleaseRow & MayLackDescription
export type ListedShortRow = ShortReleaseRow & MayLackDescription

/** Selects releases of a project. Times are milliseconds since 1970, bounds included. */
export interface ReleaseFilter {
  readonly projectId: number
  readonly updatedAfter?: number
  readonly updatedBefore?: number
  readonly order: { readonly by: "released_at" | "created_at"; readonly descending: boolean }
}

/** Selects releases of the projects that are directly in a group and that the viewer sees. */
export interface GroupReleaseFilter {
  readonly groupId: number
  readonly viewer: Viewer
  readonly descending: boolean
}

/** An issue of a milestone, as evidences have it. */
export interface EvidentIssue {
  readonly id: number
  readonly iid: number
  readonly milestone_id: number
  readonly title: string
  readonly state: "opened" | "closed"
}

/** A release whose evidence is to be collected. */
export interface DueEvidence extends ReleaseKey {
  readonly id: number
  /** Who created it. */
  readonly by: number
}

/** What is asked about releases. */
export class ReleaseQueries extends Context.Service<
  ReleaseQueries,
  {
    readonly list: (filter: ReleaseFilter, slice: Slice) => Effect.Effect<Listed<ListedReleaseRow>>
    readonly listOfGroup: (filter: GroupReleaseFilter, slice: Slice) => Effect.Effect<Listed<ListedReleaseRow>>
    readonly listShortOfGroup: (filter: GroupReleaseFilter, slice: Slice) => Effect.Effect<Listed<ListedShortRow>>
    /** What a release says, by its id; undefined where it is gone. */
    readonly descriptionOf: (id: number) => Effect.Effect<string | null | undefined>
    readonly find: (key: ReleaseKey) => Effect.Effect<ReleaseRow | undefined>
    /** The tag of the one that was released last, or is to be. */
    readonly latest: (projectId: number) => Effect.Effect<string | undefined>
    /** What releases say, by tag. */
    readonly descriptions: (projectId: number, tags: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string | null>>
    /** The milestones with these ids: by due date, start date and title, missing dates last. */
    readonly milestones: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<ReleasedMilestone>>
    /** The text of an evidence, as JSON. */
    readonly evidence: (key: ReleaseKey, id: number) => Effect.Effect<string | undefined>
    /** The issues that a project has in milestones, a thousand at most, without those that are confidential. */
    readonly issuesOf: (projectId: number, milestoneIds: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<EvidentIssue>>
    /** Releases that were released by a time and have no evidence that they are to have. */
    readonly dueEvidences: (now: number, query: DueQuery) => Effect.Effect<ReadonlyArray<DueEvidence>>
  }
>()("chronoforge/releases/ReleaseQueries") {}
