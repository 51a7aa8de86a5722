import { Schema } from "effect"
import { eventCodec } from "../../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** A commit by its full id, and when it was committed, in seconds since 1970: the newest are shown first. */
export const ContextCommit = Schema.Struct({ sha: Schema.String, committedAt: Schema.Int })
export type ContextCommit = typeof ContextCommit.Type

export const ContextCommitsEvent = Schema.TaggedUnion({
  ContextCommitsAdded: { commits: Schema.Array(ContextCommit), by: Schema.Int },
  ContextCommitsRemoved: { shas: Schema.Array(Schema.String), by: Schema.Int }
})
export type ContextCommitsEvent = typeof ContextCommitsEvent.Type

export const contextCommitsCodec = eventCodec(ContextCommitsEvent)
