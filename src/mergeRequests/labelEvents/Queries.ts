import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../../http/answer/pagination.ts"
import type { UserReferenceRow } from "../../http/answer/shapes.ts"
import type { LabelRow } from "../../labels/Labels.ts"
import type { MilestoneRow } from "../../milestones/Milestones.ts"
import type { MergeRequestFilter, MergeRequestRow } from "../Queries.ts"

type Key = Pick<MergeRequestRow, "iid" | "project_id">

/** What was told of a merge request. The time is in milliseconds since 1970. */
interface EventRow {
  readonly id: number
  readonly merge_request_id: number
  readonly is_added: boolean
  readonly created_at: number
  /** Null when that user is deleted. */
  readonly user: UserReferenceRow | null
}

export interface LabelEventRow extends EventRow {
  /** Null when that label is deleted. */
  readonly label: LabelRow | null
}

export interface MilestoneEventRow extends EventRow {
  readonly milestone: MilestoneRow
  /** That of the merge request then. */
  readonly state: MergeRequestRow["state"]
}

/** How many open merge requests have a label. */
export interface LabelCountRow {
  readonly label_id: number
  readonly opened: number
}

/** Where labels are counted: in a project or group, as far as the viewer sees it. */
export type CountedIn = Required<Pick<MergeRequestFilter, "viewer">> & Pick<MergeRequestFilter, "groupId" | "projectId">

/** What is asked about labels and milestones that merge requests have, and had; of these the oldest are told first. */
export class LabelingQueries extends Context.Service<
  LabelingQueries,
  {
    readonly labels: (key: Key, slice: Slice) => Effect.Effect<Listed<LabelEventRow>>
    readonly label: (key: Key, id: number) => Effect.Effect<LabelEventRow | undefined>
    /** Those of milestones that are still there. */
    readonly milestones: (key: Key, slice: Slice) => Effect.Effect<Listed<MilestoneEventRow>>
    readonly milestone: (key: Key, id: number) => Effect.Effect<MilestoneEventRow | undefined>
    /** Labels that no open merge request has are left out. */
    readonly openWith: (labelIds: ReadonlyArray<number>, within: CountedIn) => Effect.Effect<ReadonlyArray<LabelCountRow>>
  }
>()("chronoforge/mergeRequests/LabelingQueries") {}
