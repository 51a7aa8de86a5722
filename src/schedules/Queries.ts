import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { PipelineRow } from "../pipelines/Pipelines.ts"
import type { RunRule, SkipReason, Variable } from "./events.ts"

/** A schedule of the read model. Times are milliseconds since 1970. */
export interface ScheduleRow {
  readonly id: number
  readonly project_id: number
  readonly description: string
  /** The full name of a branch or tag. */
  readonly ref: string
  readonly cron: string
  readonly cron_timezone: string
  readonly is_active: boolean
  readonly next_run_at: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly owner_id: number
  /** It is null when that user is deleted. */
  readonly owner: UserReferenceRow | null
}

/** A schedule with the newest pipeline that it made. */
export interface ScheduleDetails extends ScheduleRow {
  readonly last_pipeline: PipelineRow | null
}

/** A variable, whose value is sealed for the stream of the schedule. */
export interface VariableRow {
  readonly key: string
  readonly variable_type: Variable["variableType"]
  readonly value: string
  readonly raw: boolean
}

/** What became of a slot. Times are milliseconds since 1970. */
export interface SlotRow {
  readonly at: number
  readonly state: "started" | "fired" | "failed" | "skipped" | "missed"
  readonly reason: RunRule | SkipReason
  readonly message: string | null
  readonly noted_at: number
  /** Whether slots after it, which nobody named, passed with it. */
  readonly has_more: boolean
  /** It is null where none was made, or it is deleted. */
  readonly pipeline: PipelineRow | null
}

/** A schedule that the scheduler has to look at. The time is in milliseconds since 1970. */
export interface DueSchedule {
  readonly id: number
  /** The revision of its stream that it has these settings from. */
  readonly revision: number
  /** Whether the next run was told of older settings, and has to be told again. */
  readonly is_stale: boolean
  readonly next_run_at: number | null
  /** When it was changed last, in milliseconds since 1970. */
  readonly updated_at: number
  readonly project_id: number
  readonly owner_id: number
  readonly cron: string
  readonly cron_timezone: string
}

/** A slot whose pipeline is being made. */
export interface StartedSlot {
  readonly scheduleId: number
  readonly at: number
  readonly pipelineId: number
}

export interface ScheduleFilter {
  readonly projectId: number
  readonly isActive?: boolean
}

/** What handlers and reactors ask about schedules. */
export class ScheduleQueries extends Context.Service<
  ScheduleQueries,
  {
    /** Lists the newest first. */
    readonly list: (filter: ScheduleFilter, slice: Slice) => Effect.Effect<Listed<ScheduleRow>>
    readonly find: (projectId: number, id: number) => Effect.Effect<ScheduleDetails | undefined>
    readonly count: (projectId: number) => Effect.Effect<number>
    /** The variables in the order in which they were added. */
    readonly variables: (scheduleId: number) => Effect.Effect<ReadonlyArray<VariableRow>>
    readonly variable: (scheduleId: number, key: string) => Effect.Effect<VariableRow | undefined>
    /** Slots that are over or under way, the latest first. */
    readonly slots: (scheduleId: number, slice: Slice) => Effect.Effect<Listed<SlotRow>>
    /** Those of these slots that were started. */
    readonly started: (scheduleId: number, among: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>>
    /** The ids of the active schedules that a user owns. */
    readonly activeOf: (ownerId: number) => Effect.Effect<ReadonlyArray<number>>
    /** The ids of all schedules of a project, which may be deleted. */
    readonly ofProject: (projectId: number) => Effect.Effect<ReadonlyArray<number>>
    /** Active schedules but these whose next run is at this time or before, the earliest first, and all whose next run is stale. */
    readonly due: (now: number, limit: number, except: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<DueSchedule>>
    /** When the next one after this time is due; undefined for none. */
    readonly nextDue: (now: number) => Effect.Effect<number | undefined>
    /** Slots that were started at this time or before and are not over, in the order of their keys, behind one of them. */
    readonly unfinished: (
      before: number,
      limit: number,
      behind: StartedSlot | undefined
    ) => Effect.Effect<ReadonlyArray<StartedSlot>>
  }
>()("chronoforge/schedules/ScheduleQueries") {}
