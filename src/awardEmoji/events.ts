import { Schema } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** How many awards of this name there are then. */
const total = Schema.Int

export const AwardEvent = Schema.TaggedUnion({
  EmojiAwarded: { id: Schema.Int, by: Schema.Int, name: Schema.String, total },
  EmojiTakenBack: { id: Schema.Int, name: Schema.String, total }
})
export type AwardEvent = typeof AwardEvent.Type

export const awardCodec = eventCodec(AwardEvent)
