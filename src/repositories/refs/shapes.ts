import { Schema } from "effect"
import { CommitShape } from "../shapes.ts"

const text = Schema.String

export const BranchShape = Schema.Struct({
  name: text,
  commit: CommitShape,
  /** Whether all of its commits are in the default branch, which is ahead of it. */
  merged: Schema.Boolean,
  protected: Schema.Boolean,
  developers_can_push: Schema.Boolean,
  developers_can_merge: Schema.Boolean,
  /** Whether the caller may push. */
  can_push: Schema.Boolean,
  default: Schema.Boolean,
  web_url: text
}).annotate({ identifier: "Branch" })

export const TagShape = Schema.Struct({
  name: text,
  /** The message; empty for a tag that is not annotated. */
  message: text,
  /** The id of the tag object of an annotated tag, else of what it names. */
  target: text,
  /** The commit; null where the tag leads to a file or a directory. */
  commit: Schema.NullOr(CommitShape),
  /** The release; absent where the caller may not read releases. */
  release: Schema.optionalKey(Schema.NullOr(Schema.Struct({ tag_name: text, description: text }))),
  protected: Schema.Boolean,
  /** The time; null for a tag that is not annotated. */
  created_at: Schema.NullOr(text)
}).annotate({ identifier: "Tag" })

export const CommitRefShape = Schema.Struct({
  type: Schema.Literals(["branch", "tag"]),
  name: text
}).annotate({ identifier: "CommitRef" })
