import { Schema } from "effect"
import { flag, nullableText, nullableTime, text, url } from "../../http/answer/fields.ts"
import { CommitShape } from "../shapes.ts"

export const BranchShape = Schema.Struct({
  name: text("Name of the branch."),
  commit: CommitShape.annotateKey({ description: "The newest commit." }),
  merged: flag("Whether all of its commits are in the default branch, which is ahead of it."),
  protected: flag("Whether the branch is protected."),
  developers_can_push: flag("Whether Developers may push to it."),
  developers_can_merge: flag("Whether Developers may merge into it."),
  can_push: flag("Whether the caller may push."),
  default: flag("Whether it is the default branch."),
  web_url: url("Page of the branch.")
}).annotate({ identifier: "Branch" })

export const TagShape = Schema.Struct({
  name: text("Name of the tag."),
  message: text("The message; empty for a tag that is not annotated."),
  target: text("ID of the tag object of an annotated tag, else of what it names."),
  commit: Schema.NullOr(CommitShape).annotate({ description: "The commit; null where the tag leads to a file or a directory." }),
  release: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        tag_name: text("Name of the tag."),
        description: nullableText("What the release says, in Markdown; null where it says nothing.")
      })
    ).annotate({ description: "The release; absent where the caller may not read releases." })
  ),
  protected: flag("Whether the tag is protected."),
  created_at: nullableTime("When the tag was made; null for one that is not annotated.")
}).annotate({ identifier: "Tag" })

export const CommitRefShape = Schema.Struct({
  type: Schema.Literals(["branch", "tag"]).annotate({ description: "What it is." }),
  name: text("Its name.")
}).annotate({ identifier: "CommitRef" })
