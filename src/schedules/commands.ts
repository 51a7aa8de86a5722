import { Data, type Result } from "effect"
import type { DeactivationReason, ScheduleEvent, ScheduleSettings, SettingsChanges, Variable } from "./events.ts"
import type { ScheduleFault } from "./faults.ts"
import type { Timing } from "./timing.ts"

/** Makes a schedule. */
export interface Create extends Timing {
  readonly _tag: "Create"
  readonly projectId: number
  readonly ownerId: number
  readonly settings: ScheduleSettings
  /** How many schedules the project may have; null where it has fewer. */
  readonly reachedLimit: number | null
}

/** Absent settings stay as they are. */
export interface Change extends Timing {
  readonly _tag: "Change"
  readonly changes: SettingsChanges
  /** When it runs next, as far as is known; null for never. */
  readonly planned: number | null
}

/** Tells again when it runs next. */
export interface Reschedule extends Timing {
  readonly _tag: "Reschedule"
}

/** Gives a schedule to another user, who is the owner from then on. */
export interface TakeOwnership {
  readonly _tag: "TakeOwnership"
  readonly by: number
}

/** Lets a schedule run no more, unless it has another owner by now. */
export interface Deactivate {
  readonly _tag: "Deactivate"
  readonly ownerId: number
  readonly reason: DeactivationReason
}

/** Adds a variable, whose value is sealed. */
export interface AddVariable {
  readonly _tag: "AddVariable"
  readonly key: string
  readonly variable: Variable
}

/** Absent attributes stay as they are. A value is sealed, and there only when it differs from the present one. */
export interface ChangeVariable {
  readonly _tag: "ChangeVariable"
  readonly key: string
  readonly changes: Partial<Pick<Variable, "value" | "variableType">>
}

/** Notes that somebody let it run at once. */
export interface NotePlay {
  readonly _tag: "NotePlay"
  readonly by: number
  readonly pipelineId: number | null
  readonly message?: string
}

/** Deletes a schedule, of which somebody may have been shown when it runs next. */
interface Delete {
  readonly _tag: "Delete"
  readonly nextRunAt?: number | null
}

export type Command =
  | Create
  | Change
  | Reschedule
  | TakeOwnership
  | Deactivate
  | AddVariable
  | ChangeVariable
  | { readonly _tag: "RemoveVariable"; readonly key: string }
  | NotePlay
  | Delete

/** Everything that is wrong with a schedule or a variable. */
export class ScheduleInvalid extends Data.TaggedError("ScheduleInvalid")<{ readonly faults: ReadonlyArray<ScheduleFault> }> {}

/** There is a schedule in this stream, or was one. */
export class ScheduleExists extends Data.TaggedError("ScheduleExists") {}

/** The schedule was never there, or is deleted. */
export class ScheduleMissing extends Data.TaggedError("ScheduleMissing") {}

/** The schedule has no variable with this key. */
export class VariableMissing extends Data.TaggedError("VariableMissing") {}

export type Refusal = ScheduleInvalid | ScheduleExists | ScheduleMissing | VariableMissing

export type Decision = Result.Result<ReadonlyArray<ScheduleEvent>, Refusal>
