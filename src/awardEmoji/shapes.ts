import { Schema } from "effect"
import { integer, nothing, text, time } from "../http/answer/fields.ts"
import { UserReference } from "../http/answer/shapes.ts"

/** An emoji by which somebody says what they think of something. */
export const AwardEmoji = Schema.Struct({
  id: integer("ID of the award."),
  name: text("Name of the emoji, such as `thumbsup`."),
  user: Schema.NullOr(UserReference).annotate({ description: "Who gave it; null when that user is deleted." }),
  created_at: time("When it was given."),
  updated_at: time("The same."),
  awardable_id: integer("ID of what it was given to."),
  awardable_type: Schema.Literals(["Issue", "MergeRequest", "Note"]).annotate({ description: "What it was given to." }),
  url: nothing("Null: emoji have no pictures.")
}).annotate({ identifier: "AwardEmoji" })
