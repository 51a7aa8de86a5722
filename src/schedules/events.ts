import { Schema, Struct } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"
import { SealedText } from "../platform/eventStore/secretTexts.ts"

// Storage format: add cases and optional fields, never rename.

/** What the owner of a schedule sets. */
export const ScheduleSettings = Schema.Struct({
  description: Schema.String,
  /** The full name of a branch or tag, such as `refs/heads/main`. */
  ref: Schema.String,
  /** Without blanks around it. */
  cron: Schema.String,
  /** As it was sent. */
  cronTimezone: Schema.String,
  isActive: Schema.Boolean
})
export type ScheduleSettings = typeof ScheduleSettings.Type

/** Some settings with their new values. */
export const SettingsChanges = ScheduleSettings.mapFields(Struct.map(Schema.optionalKey))
export type SettingsChanges = typeof SettingsChanges.Type

/** By which rule a run is when it is: as the text says, or at the end of an hour that the clock skipped. */
export const RunRule = Schema.Literals(["normal", "movedOutOfGap"])
export type RunRule = typeof RunRule.Type

/** When a schedule runs next, in milliseconds since 1970. As it runs, its slots tell that, which have streams of their own. */
export const NextRun = Schema.Struct({ at: Schema.Int, reason: RunRule })
export type NextRun = typeof NextRun.Type

/** Why slots passed without a pipeline: nobody looked in time, a later one ran instead, or the project is archived. */
export const SkipReason = Schema.Literals(["missed", "superseded", "archived"])
export type SkipReason = typeof SkipReason.Type

const nextRun = Schema.NullOr(NextRun)

/** A variable of a schedule, whose value is sealed for the stream. */
export const Variable = Schema.Struct({
  /** Whether jobs get the value itself, or the path of a file with it. */
  variableType: Schema.Literals(["env_var", "file"]),
  value: SealedText,
  /** Whether names of other variables in the value are only text. */
  raw: Schema.Boolean
})
export type Variable = typeof Variable.Type

export const VariableChanges = Variable.mapFields(Struct.map(Schema.optionalKey))
export type VariableChanges = typeof VariableChanges.Type

/** Why nobody wants a schedule to run any more. */
export const DeactivationReason = Schema.Literals(["owner_blocked", "owner_banned", "owner_deactivated", "owner_deleted"])
export type DeactivationReason = typeof DeactivationReason.Type

export const ScheduleEvent = Schema.TaggedUnion({
  ScheduleCreated: { projectId: Schema.Int, ownerId: Schema.Int, ...ScheduleSettings.fields, nextRun },
  /** The changes hold only what differs from before; the next run is there where it does. */
  ScheduleChanged: { changes: SettingsChanges, nextRun: Schema.optionalKey(nextRun) },
  /** When it runs next was told wrongly: it was changed while a slot was started. */
  NextRunReckoned: { nextRun },
  OwnershipTaken: { ownerId: Schema.Int },
  ScheduleDeactivated: { reason: DeactivationReason },
  /** With the next run that somebody was shown who deleted it. */
  ScheduleDeleted: { nextRunAt: Schema.optionalKey(Schema.NullOr(Schema.Int)) },
  VariableAdded: { key: Schema.String, ...Variable.fields },
  /** The changes hold only what differs from before. */
  VariableChanged: { key: Schema.String, changes: VariableChanges },
  VariableRemoved: { key: Schema.String },
  /** Somebody let it run at once; without pipeline where none could be made, for the reason that `message` tells. */
  Played: { by: Schema.Int, pipelineId: Schema.NullOr(Schema.Int), message: Schema.optionalKey(Schema.String) }
})
export type ScheduleEvent = typeof ScheduleEvent.Type

export const scheduleCodec = eventCodec(ScheduleEvent)
