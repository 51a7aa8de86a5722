import { Schema } from "effect"
import { flag, integer, literal, text, time } from "../../http/answer/fields.ts"

export const FileShape = Schema.Struct({
  file_name: text("Last part of the path."),
  file_path: text("Path of the file."),
  size: integer("Bytes of the content."),
  encoding: literal("base64", "How `content` is encoded."),
  content_sha256: text("SHA-256 of the content, in hex digits."),
  ref: text("The ref as sent."),
  blob_id: text("ID of the blob."),
  commit_id: text("ID of the commit of the ref."),
  last_commit_id: text("ID of the last commit that changed the file."),
  execute_filemode: flag("Whether the file is executable."),
  content: text("The content in Base64.")
}).annotate({ identifier: "RepositoryFile" })

export const WrittenFile = Schema.Struct({
  file_path: text("Path of the file."),
  branch: text("The branch that got the commit.")
}).annotate({ identifier: "WrittenFile" })

/** Lines that follow each other and come from the same commit. */
export const BlamedLines = Schema.Struct({
  commit: Schema.Struct({
    id: text("ID of the commit."),
    parent_ids: Schema.Array(Schema.String).annotate({ description: "IDs of the parents." }),
    message: text("The message."),
    authored_date: time("When it was written, with the offset that the author had."),
    author_name: text("Name of the author."),
    author_email: text("Email address of the author."),
    committed_date: time("When it was committed, with the offset that the committer had."),
    committer_name: text("Name of the committer."),
    committer_email: text("Email address of the committer.")
  }).annotate({ description: "The commit that the lines come from." }),
  lines: Schema.Array(Schema.String).annotate({ description: "The lines." })
}).annotate({ identifier: "BlamedLines" })
