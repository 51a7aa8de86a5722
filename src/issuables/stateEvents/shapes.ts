import { Schema } from "effect"
import { integer, nullableInteger, nullableText, time } from "../../http/answer/fields.ts"
import { UserReference } from "../../http/answer/shapes.ts"

/** That an issue or merge request was closed, reopened or merged. */
export const StateEvent = Schema.Struct({
  id: integer("ID of the change."),
  user: Schema.NullOr(UserReference).annotate({ description: "Who changed it; null when that user is deleted." }),
  created_at: time("When it changed."),
  resource_type: Schema.Literals(["Issue", "MergeRequest"]).annotate({ description: "What changed." }),
  resource_id: integer("ID of what changed."),
  source_commit: nullableText("Full ID of the commit by which it came about; null for what somebody asked for."),
  source_merge_request_id: nullableInteger("ID of the merge request by which it came about; null for what somebody asked for."),
  state: Schema.Literals(["closed", "merged", "reopened"]).annotate({ description: "What became of it." })
}).annotate({ identifier: "StateEvent" })
