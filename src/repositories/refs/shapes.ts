import { Schema } from "effect"
import { CommitShape } from "../shapes.ts"

const text = Schema.String

export const BranchShape = Schema.Struct({
  name: text,
  commit: CommitShape,
  /** All of it is in the default branch, which goes on from there. */
  merged: Schema.Boolean,
  protected: Schema.Boolean,
  developers_can_push: Schema.Boolean,
  developers_can_merge: Schema.Boolean,
  /** Of whoever asks. */
  can_push: Schema.Boolean,
  default: Schema.Boolean,
  web_url: text
}).annotate({ identifier: "Branch" })

export const TagShape = Schema.Struct({
  name: text,
  /** Empty for one that is not annotated. */
  message: text,
  /** ID of the tag object for an annotated one, else of what it names. */
  target: text,
  /** Null where it leads to a file or a directory. */
  commit: Schema.NullOr(CommitShape),
  release: Schema.NullOr(Schema.Struct({ tag_name: text, description: text })),
  protected: Schema.Boolean,
  /** Null for one that is not annotated. */
  created_at: Schema.NullOr(text)
}).annotate({ identifier: "Tag" })

export const CommitRefShape = Schema.Struct({
  type: Schema.Literals(["branch", "tag"]),
  name: text
}).annotate({ identifier: "CommitRef" })
