import { Schema, Struct } from "effect"
import { Parent } from "../parents/Parent.ts"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** What is set for a milestone. */
export const MilestoneSettings = Schema.Struct({
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  /** Days are written `YYYY-MM-DD`. */
  startDate: Schema.NullOr(Schema.String),
  dueDate: Schema.NullOr(Schema.String)
})
export type MilestoneSettings = typeof MilestoneSettings.Type

/** Some settings with their new values. */
export const SettingsChanges = MilestoneSettings.mapFields(Struct.map(Schema.optionalKey))
export type SettingsChanges = typeof SettingsChanges.Type

export const MilestoneEvent = Schema.TaggedUnion({
  /** The iid is the number within the parent. A new milestone is active. */
  MilestoneCreated: { parent: Parent, iid: Schema.Int, settings: MilestoneSettings },
  /** The changes hold only the settings that differ from before. */
  MilestoneChanged: { changes: SettingsChanges },
  MilestoneClosed: {},
  MilestoneActivated: {},
  MilestoneDeleted: {}
})
export type MilestoneEvent = typeof MilestoneEvent.Type

export const milestoneCodec = eventCodec(MilestoneEvent)
