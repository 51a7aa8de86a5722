import { Schema } from "effect"

const text = Schema.String

/** A file, directory or submodule. */
export const TreeEntryShape = Schema.Struct({
  id: text,
  name: text,
  type: Schema.Literals(["tree", "blob", "commit"]),
  path: text,
  /** The mode in six digits. */
  mode: text
}).annotate({ identifier: "TreeEntry" })

/** A file by its id. */
export const BlobShape = Schema.Struct({
  /** The size in bytes. */
  size: Schema.Int,
  encoding: Schema.Literal("base64"),
  content: text,
  sha: text
}).annotate({ identifier: "Blob" })

/** A commit in full. Its times keep the offset of whoever made it. */
export const CommitShape = Schema.Struct({
  id: text,
  short_id: text,
  created_at: text,
  parent_ids: Schema.Array(text),
  title: text,
  message: text,
  author_name: text,
  author_email: text,
  authored_date: text,
  committer_name: text,
  committer_email: text,
  committed_date: text,
  /** The trailers with the last value of each key. */
  trailers: Schema.Record(text, text),
  /** The trailers with all values of each key. */
  extended_trailers: Schema.Record(text, Schema.Array(text)),
  web_url: text
}).annotate({ identifier: "Commit" })

/** What a comparison tells of a commit. */
export const ComparedCommit = Schema.Struct({
  id: text,
  short_id: text,
  title: text,
  author_name: text,
  author_email: text,
  created_at: text
}).annotate({ identifier: "ComparedCommit" })

/** A changed file. */
export const DiffShape = Schema.Struct({
  /** The text; empty beyond the limits, and where nothing but names or modes changed. */
  diff: text,
  new_path: text,
  old_path: text,
  /** The mode; `0` where there is no such side. */
  a_mode: text,
  b_mode: text,
  new_file: Schema.Boolean,
  renamed_file: Schema.Boolean,
  deleted_file: Schema.Boolean
}).annotate({ identifier: "Diff" })

export const ComparisonShape = Schema.Struct({
  commit: Schema.NullOr(ComparedCommit),
  commits: Schema.Array(ComparedCommit),
  diffs: Schema.Array(DiffShape),
  /** Whether limits cut the list of files. */
  compare_timeout: Schema.Boolean,
  compare_same_ref: Schema.Boolean,
  web_url: text
}).annotate({ identifier: "Comparison" })

export const ContributorShape = Schema.Struct({
  name: text,
  email: text,
  commits: Schema.Int,
  additions: Schema.Int,
  deletions: Schema.Int
}).annotate({ identifier: "Contributor" })

export const ChangelogShape = Schema.Struct({
  /** The notes in Markdown. */
  notes: text
}).annotate({ identifier: "Changelog" })
