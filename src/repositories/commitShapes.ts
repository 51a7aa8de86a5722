import { Schema } from "effect"
import { UserReference } from "../http/shapes.ts"
import { CommitShape } from "./shapes.ts"

const text = Schema.String
const nullableText = Schema.NullOr(text)

/** Changed lines against the first parent; binary files have none. */
const CommitStats = Schema.Struct({ additions: Schema.Int, deletions: Schema.Int, total: Schema.Int })

const stats = Schema.optionalKey(CommitStats)

/** A commit of a list. */
export const ListedCommit = Schema.Struct({ ...CommitShape.fields, stats }).annotate({ identifier: "ListedCommit" })

/** A commit on its own. */
export const CommitDetail = Schema.Struct({
  ...CommitShape.fields,
  stats,
  /** Of its pipelines. */
  status: nullableText,
  project_id: Schema.Int,
  last_pipeline: Schema.Null
}).annotate({ identifier: "CommitDetail" })

export const CommitCount = Schema.Struct({ count: Schema.Int }).annotate({ identifier: "CommitCount" })

export const CommitComment = Schema.Struct({
  note: text,
  path: nullableText,
  line: Schema.NullOr(Schema.Int),
  line_type: nullableText,
  author: UserReference,
  created_at: text
}).annotate({ identifier: "CommitComment" })
