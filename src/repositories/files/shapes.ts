import { Schema } from "effect"

const text = Schema.String

export const FileShape = Schema.Struct({
  file_name: text,
  file_path: text,
  /** The size in bytes. */
  size: Schema.Int,
  encoding: Schema.Literal("base64"),
  content_sha256: text,
  /** The ref as sent. */
  ref: text,
  blob_id: text,
  commit_id: text,
  /** The id of the last commit that changed the file. */
  last_commit_id: text,
  execute_filemode: Schema.Boolean,
  content: text
}).annotate({ identifier: "RepositoryFile" })

export const WrittenFile = Schema.Struct({ file_path: text, branch: text }).annotate({ identifier: "WrittenFile" })

/** Lines that follow each other and come from the same commit. */
export const BlamedLines = Schema.Struct({
  commit: Schema.Struct({
    id: text,
    parent_ids: Schema.Array(text),
    message: text,
    authored_date: text,
    author_name: text,
    author_email: text,
    committed_date: text,
    committer_name: text,
    committer_email: text
  }),
  lines: Schema.Array(text)
}).annotate({ identifier: "BlamedLines" })
