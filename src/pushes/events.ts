import { Schema } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** The full name and ids of a ref that moved; null where there was, or is, no such ref. */
export const RefUpdate = Schema.Struct({
  ref: Schema.String,
  before: Schema.NullOr(Schema.String),
  after: Schema.NullOr(Schema.String)
})

export const PushEvent = Schema.TaggedUnion({
  /** Refs moved, in this order: branches, tags and others, but for the service's own. `options` are those of the push. */
  RefsUpdated: { updates: Schema.Array(RefUpdate), options: Schema.Array(Schema.String) }
})
export type PushEvent = typeof PushEvent.Type

export const pushCodec = eventCodec(PushEvent)
