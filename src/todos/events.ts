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

/** What led to it: an event by its place in the log and its command. Of what a user asked for, how far the log went then. */
export const Cause = Schema.Struct({ position: Schema.Int, commandId: Schema.optionalKey(Schema.String) })
export type Cause = typeof Cause.Type

const cause = Schema.optionalKey(Cause)

export const TodoEvent = Schema.TaggedUnion({
  TodoAdded: { id: Schema.Int, action: Action, authorId: Schema.Int, cause },
  TodoDone: { id: Schema.Int, cause }
})
export type TodoEvent = typeof TodoEvent.Type

export const todoCodec = eventCodec(TodoEvent)
