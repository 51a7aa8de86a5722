import { Schema, Struct } from "effect"
import { Parent } from "../parents/Parent.ts"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** What is set for a label. */
export const LabelSettings = Schema.Struct({
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  /** The color is `#` with three or six hexadecimal digits. */
  color: Schema.String,
  /** The lower, the more urgent; null for none. Labels of groups have none. */
  priority: Schema.NullOr(Schema.Int)
})
export type LabelSettings = typeof LabelSettings.Type

/** Some settings with their new values. */
export const SettingsChanges = LabelSettings.mapFields(Struct.map(Schema.optionalKey))
export type SettingsChanges = typeof SettingsChanges.Type

export const LabelEvent = Schema.TaggedUnion({
  LabelCreated: { parent: Parent, settings: LabelSettings },
  /** The changes hold only the settings that differ from before. */
  LabelChanged: { changes: SettingsChanges },
  LabelDeleted: {}
})
export type LabelEvent = typeof LabelEvent.Type

export const labelCodec = eventCodec(LabelEvent)
