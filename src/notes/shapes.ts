import { Schema } from "effect"
import { flag, integer, literal, nothing, nullableInteger, nullableTime, text, time } from "../http/answer/fields.ts"
import { UserReference } from "../http/answer/shapes.ts"
import { JsonObject } from "../http/answer/success.ts"

/** Where a note is about a line of a file. */
const PositionShape = Schema.Struct({
  base_sha: text("Full ID of the merge base."),
  start_sha: text("Full ID of the last commit of the target branch, then."),
  head_sha: text("Full ID of the last commit of the source branch, then."),
  old_path: text("Path of the file before."),
  new_path: text("Path of the file after."),
  position_type: literal("text", "Always `text`."),
  old_line: nullableInteger("Number of the line before; null for an added one."),
  new_line: nullableInteger("Number of the line after; null for a removed one."),
  line_range: nothing("Null: a note is about one line.")
}).annotate({ identifier: "NotePosition" })

const changes = JsonObject.annotate({ description: "What the quick actions of its text changed, when it was written." })

/** A note. */
export const Note = Schema.Struct({
  id: integer("ID of the note."),
  type: Schema.NullOr(Schema.Literals(["DiscussionNote", "DiffNote"])).annotate({
    description: "Whether it belongs to a thread, and that to a line; null for a note that stands alone."
  }),
  body: text("The text, as Markdown."),
  attachment: nothing("Null: notes have no attachments."),
  author: Schema.NullOr(UserReference).annotate({ description: "Who wrote it; null when that user is deleted." }),
  created_at: time("When it was written."),
  updated_at: time("When it was last changed, or resolved."),
  system: flag("Whether the service wrote it."),
  noteable_id: integer("ID of what it is about."),
  noteable_type: text("Kind of what it is about: `MergeRequest` or `Issue`."),
  project_id: integer("ID of the project."),
  commit_id: Schema.optionalKey(Schema.Null).annotate({ description: "Null; of notes about a line." }),
  position: Schema.optionalKey(PositionShape).annotateKey({ description: "The line that it is about." }),
  resolvable: flag("Whether it belongs to a thread, which can be resolved."),
  resolved: Schema.optionalKey(Schema.Boolean).annotate({ description: "Whether it is resolved." }),
  resolved_by: Schema.optionalKey(Schema.NullOr(UserReference)).annotate({ description: "Who resolved it." }),
  resolved_at: Schema.optionalKey(nullableTime("When it was resolved.")),
  confidential: flag("The same as `internal`."),
  internal: flag("Whether it is for Reporters and above alone."),
  imported: flag("False: it was made here."),
  imported_from: text("Always `none`."),
  noteable_iid: integer("Number of what it is about in its project."),
  commands_changes: changes
}).annotate({ identifier: "Note" })

/** What came of a note that only orders, and is none. */
export const CommandsOnlyNote = Schema.Struct({
  commands_changes: changes,
  summary: Schema.Array(Schema.String).annotate({ description: "Sentences that tell it." })
}).annotate({ identifier: "CommandsOnlyNote" })

/** A discussion with its notes. */
export const Discussion = Schema.Struct({
  id: text("ID of the discussion, 40 hexadecimal digits."),
  individual_note: flag("Whether it is a note that stands alone."),
  notes: Schema.Array(Note).annotate({ description: "Its notes, the oldest first." })
}).annotate({ identifier: "Discussion" })
