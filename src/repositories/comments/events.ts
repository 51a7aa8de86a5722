import { Schema } from "effect"
import { eventCodec } from "../../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

/** A line of a file that a commit changes: an added one by its number behind the commit, a removed one by that before it. */
export const CommentedLine = Schema.Struct({
  path: Schema.String,
  number: Schema.Int,
  type: Schema.Literals(["new", "old"])
})
export type CommentedLine = typeof CommentedLine.Type

export const CommitCommentEvent = Schema.TaggedUnion({
  /** `line` is null for a comment on the commit as a whole. */
  CommitCommented: { authorId: Schema.Int, note: Schema.String, line: Schema.NullOr(CommentedLine) }
})

export const commitCommentCodec = eventCodec(CommitCommentEvent)
