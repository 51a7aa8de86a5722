import { Schema } from "effect"
import { flag, integer, literal, text, time, url } from "../http/answer/fields.ts"

/** A file, directory or submodule. */
export const TreeEntryShape = Schema.Struct({
  id: text("ID of the object."),
  name: text("Last part of the path."),
  type: Schema.Literals(["tree", "blob", "commit"]).annotate({
    description: "`tree` for a directory, `blob` for a file, `commit` for a submodule."
  }),
  path: text("Path in the repository."),
  mode: text("Mode, six digits.")
}).annotate({ identifier: "TreeEntry" })

/** A file by its id. */
export const BlobShape = Schema.Struct({
  size: integer("Bytes of the content."),
  encoding: literal("base64", "How `content` is encoded."),
  content: text("The content in Base64."),
  sha: text("ID of the blob.")
}).annotate({ identifier: "Blob" })

/** A commit in full. Its times keep the offset of whoever made it. */
export const CommitShape = Schema.Struct({
  id: text("ID of the commit."),
  short_id: text("The beginning of the ID."),
  created_at: time("When it was committed."),
  parent_ids: Schema.Array(Schema.String).annotate({ description: "IDs of the parents." }),
  title: text("The first line of the message."),
  message: text("The message."),
  author_name: text("Name of the author."),
  author_email: text("Email address of the author."),
  authored_date: time("When it was written, with the offset that the author had."),
  committer_name: text("Name of the committer."),
  committer_email: text("Email address of the committer."),
  committed_date: time("When it was committed, with the offset that the committer had."),
  trailers: Schema.Record(Schema.String, Schema.String).annotate({
    description: "Trailers of the message, each with its last value."
  }),
  extended_trailers: Schema.Record(Schema.String, Schema.Array(Schema.String)).annotate({
    description: "Trailers of the message, each with all of its values."
  }),
  web_url: url("Page of the commit.")
}).annotate({ identifier: "Commit" })

/** What a comparison tells of a commit. */
export const ComparedCommit = Schema.Struct({
  id: text("ID of the commit."),
  short_id: text("The beginning of the ID."),
  title: text("The first line of the message."),
  author_name: text("Name of the author."),
  author_email: text("Email address of the author."),
  created_at: time("When it was committed.")
}).annotate({ identifier: "ComparedCommit" })

/** A changed file. */
export const DiffShape = Schema.Struct({
  diff: text("The changes as text; empty beyond the limits, and where nothing but names or modes changed."),
  new_path: text("Path after the change."),
  old_path: text("Path before the change."),
  a_mode: text("Mode before the change; `0` for a new file."),
  b_mode: text("Mode after the change; `0` for a deleted file."),
  new_file: flag("Whether the file is new."),
  renamed_file: flag("Whether the file has another path."),
  deleted_file: flag("Whether the file was deleted.")
}).annotate({ identifier: "Diff" })

export const ComparisonShape = Schema.Struct({
  commit: Schema.NullOr(ComparedCommit).annotate({ description: "The newest of the commits; null when there is none." }),
  commits: Schema.Array(ComparedCommit).annotate({ description: "The commits of `to` that `from` has not, oldest first." }),
  diffs: Schema.Array(DiffShape).annotate({ description: "The changed files." }),
  compare_timeout: flag("Whether limits cut commits or files."),
  compare_same_ref: flag("Whether both sides are the same commit."),
  web_url: url("Page of the comparison.")
}).annotate({ identifier: "Comparison" })

export const ContributorShape = Schema.Struct({
  name: text("Name of the author."),
  email: text("Email address of the author."),
  commits: integer("Number of commits without merges."),
  additions: integer("Lines added."),
  deletions: integer("Lines removed.")
}).annotate({ identifier: "Contributor" })

export const ChangelogShape = Schema.Struct({
  notes: text("The section in Markdown.")
}).annotate({ identifier: "Changelog" })
