import { Schema } from "effect"
import { eventCodec } from "../../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

export const BlockEvent = Schema.TaggedUnion({
  /** Another merge request has to be merged first. */
  MergeRequestBlocked: {
    id: Schema.Int,
    by: Schema.Int,
    blocking: Schema.Struct({ projectId: Schema.Int, iid: Schema.Int })
  },
  MergeRequestUnblocked: { id: Schema.Int, by: Schema.Int }
})
export type BlockEvent = typeof BlockEvent.Type

export const blockCodec = eventCodec(BlockEvent)
