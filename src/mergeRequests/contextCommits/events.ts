import { Schema } from "effect"
import { eventCodec } from "../../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** `shas` are full ids of commits. */
export const ContextCommitsEvent = Schema.TaggedUnion({
  ContextCommitsAdded: { shas: Schema.Array(Schema.String), by: Schema.Int },
  ContextCommitsRemoved: { shas: Schema.Array(Schema.String), by: Schema.Int }
})
export type ContextCommitsEvent = typeof ContextCommitsEvent.Type

export const contextCommitsCodec = eventCodec(ContextCommitsEvent)
