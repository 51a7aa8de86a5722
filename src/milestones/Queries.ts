import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { Parent } from "../parents/Parent.ts"
import type { HighestNumber } from "../platform/Ids.ts"

interface Common {
  readonly id: number
  /** The number within the project or group. */
  readonly iid: number
  readonly title: string
  readonly description: string | null
  readonly state: "active" | "closed"
  readonly start_date: string | null
  readonly due_date: string | null
  readonly created_at: number
  readonly updated_at: number
  /** The full path of the project or group. */
  readonly full_path: string
}

/** A milestone of the read model. Times are milliseconds since 1970, days are written `YYYY-MM-DD`. */
export type MilestoneRow = Common &
  ({ readonly project_id: number; readonly group_id: null } | { readonly project_id: null; readonly group_id: number })

/** The milestones that may be used in a place: those of the parent, and of the groups above it where they are wanted. */
export interface MilestonePlace {
  readonly parent: Parent
  readonly withAncestors: boolean
}

/** Conditions on milestones; absent ones hold for all. */
export interface MilestoneFilter extends MilestonePlace {
  readonly state?: MilestoneRow["state"]
  readonly title?: string
  /** Words that are all in the title, or all in the description. */
  readonly search?: string
  readonly iids?: ReadonlyArray<number>
  /** The last change is at this time or later, or at the other one or before. */
  readonly updatedAfter?: number
  readonly updatedBefore?: number
}

/** What is asked about milestones, by other areas too. */
export class MilestoneQueries extends Context.Service<
  MilestoneQueries,
  {
    /** The newest first. */
    readonly list: (filter: MilestoneFilter, slice: Slice) => Effect.Effect<Listed<MilestoneRow>>
    readonly find: (place: MilestonePlace, id: number) => Effect.Effect<MilestoneRow | undefined>
    /** The milestones with these ids, wherever they are, by id. */
    readonly withIds: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<MilestoneRow>>
    /**
     * Whether a milestone other than `except` has this title where that is refused: in the parent, in the group of a project, and in the
     * projects directly in a group.
     */
    readonly isTitleTaken: (parent: Parent, title: string, except?: number) => Effect.Effect<boolean>
    /** The highest iid that a milestone of a project or group has, or had. */
    readonly highestNumber: (kind: Parent["kind"]) => HighestNumber
  }
>()("chronoforge/milestones/MilestoneQueries") {}
