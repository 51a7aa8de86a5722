import { Schema } from "effect"
import { UserReference } from "../../http/answer/shapes.ts"
import { CommitShape } from "../shapes.ts"

const text = Schema.String
const nullableText = Schema.NullOr(text)
/** The program that read the commit. */
const commit_source = Schema.Literal("gitaly")

/** Changed lines against the first parent; binary files have none. */
const CommitStats = Schema.Struct({ additions: Schema.Int, deletions: Schema.Int, total: Schema.Int })

const stats = Schema.optionalKey(CommitStats)

/** A commit of a list. */
export const ListedCommit = Schema.Struct({ ...CommitShape.fields, stats }).annotate({ identifier: "ListedCommit" })

/** A commit on its own. */
export const CommitDetail = Schema.Struct({
  ...CommitShape.fields,
  stats,
  /** The status of its pipelines. */
  status: nullableText,
  project_id: Schema.Int,
  last_pipeline: Schema.Null
}).annotate({ identifier: "CommitDetail" })

export const CommitCount = Schema.Struct({ count: Schema.Int }).annotate({ identifier: "CommitCount" })

/** What is answered of a change that was only tried. */
export const DryRun = Schema.Struct({ dry_run: Schema.Literal("success") }).annotate({ identifier: "DryRun" })

export const CommitComment = Schema.Struct({
  note: text,
  /** The three are null for a comment on the commit as a whole. */
  path: nullableText,
  line: Schema.NullOr(Schema.Int),
  line_type: Schema.NullOr(Schema.Literals(["new", "old"])),
  /** The author; null when that user is deleted. */
  author: Schema.NullOr(UserReference),
  created_at: text
}).annotate({ identifier: "CommitComment" })

export const CommitStatus = Schema.Struct({
  id: Schema.Int,
  sha: text,
  ref: nullableText,
  status: text,
  name: text,
  target_url: nullableText,
  description: nullableText,
  created_at: text,
  started_at: nullableText,
  finished_at: nullableText,
  allow_failure: Schema.Boolean,
  coverage: Schema.NullOr(Schema.Finite),
  pipeline_id: Schema.Int,
  author: Schema.NullOr(UserReference)
}).annotate({ identifier: "CommitStatus" })

/** The key is told by the id that the signature names: 16 hex digits. */
export const PgpSignature = Schema.Struct({
  signature_type: Schema.Literal("PGP"),
  verification_status: Schema.Literal("unknown_key"),
  gpg_key_id: Schema.Null,
  gpg_key_primary_keyid: nullableText,
  gpg_key_user_name: Schema.Null,
  gpg_key_user_email: Schema.Null,
  gpg_key_subkey_id: Schema.Null,
  commit_source
}).annotate({ identifier: "PgpCommitSignature" })

export const SshSignature = Schema.Struct({
  signature_type: Schema.Literal("SSH"),
  verification_status: Schema.Literals(["verified", "other_user", "unknown_key", "unverified"]),
  key: Schema.NullOr(
    Schema.Struct({
      id: Schema.Int,
      title: text,
      created_at: text,
      expires_at: nullableText,
      key: text,
      usage_type: Schema.Literals(["signing", "auth_and_signing"])
    })
  ),
  commit_source
}).annotate({ identifier: "SshCommitSignature" })

export const X509Signature = Schema.Struct({
  signature_type: Schema.Literal("X509"),
  verification_status: Schema.Literal("unverified"),
  x509_certificate: Schema.Null,
  commit_source
}).annotate({ identifier: "X509CommitSignature" })

export const CommitSignature = Schema.Union([PgpSignature, SshSignature, X509Signature])
