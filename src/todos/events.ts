import { Schema } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** Why something waits for a user. */
export const Action = Schema.Literals([
  "assigned",
  "mentioned",
  "build_failed",
  "marked",
  "approval_required",
  "unmergeable",
  "directly_addressed",
  "merge_train_removed",
  "review_requested",
  "member_access_requested"
])
export type Action = typeof Action.Type

export const TodoEvent = Schema.TaggedUnion({
  TodoAdded: { id: Schema.Int, action: Action, authorId: Schema.Int },
  TodoDone: { id: Schema.Int }
})
export type TodoEvent = typeof TodoEvent.Type

export const todoCodec = eventCodec(TodoEvent)
