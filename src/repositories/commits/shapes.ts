import { Schema } from "effect"
import { integer, literal, nothing, nullableInteger, nullableText, nullableTime, text, time } from "../../http/answer/fields.ts"
import { UserReference } from "../../http/answer/shapes.ts"
import { JsonObject } from "../../http/answer/success.ts"
import { CommitShape } from "../shapes.ts"

const commit_source = literal("gitaly", "The program that read the commit.")

const CommitStats = Schema.Struct({
  additions: integer("Lines added."),
  deletions: integer("Lines removed."),
  total: integer("Lines added or removed.")
})

const stats = Schema.optionalKey(
  CommitStats.annotate({ description: "Changed lines against the first parent; binary files have none." })
)

/** A commit of a list. */
export const ListedCommit = Schema.Struct({ ...CommitShape.fields, stats }).annotate({ identifier: "ListedCommit" })

/** A commit on its own. */
export const CommitDetail = Schema.Struct({
  ...CommitShape.fields,
  stats,
  status: nullableText("Status of its newest pipeline; null where there is none."),
  project_id: integer("ID of the project."),
  last_pipeline: Schema.NullOr(JsonObject).annotate({ description: "Its newest pipeline; null where there is none." })
}).annotate({ identifier: "CommitDetail" })

export const CommitCount = Schema.Struct({ count: integer("Number of commits.") }).annotate({ identifier: "CommitCount" })

/** What is answered of a change that was only tried. */
export const DryRun = Schema.Struct({ dry_run: literal("success", "The change fits.") }).annotate({ identifier: "DryRun" })

export const CommitComment = Schema.Struct({
  note: text("The text."),
  path: nullableText("Path of the file; null for a comment on the commit as a whole, like `line` and `line_type`."),
  line: nullableInteger("Number of the line."),
  line_type: Schema.NullOr(Schema.Literals(["new", "old"])).annotate({
    description: "Whether it is a line that the commit adds, or one that it removes."
  }),
  author: Schema.NullOr(UserReference).annotate({ description: "Who wrote it; null when that user is deleted." }),
  created_at: time("When it was written.")
}).annotate({ identifier: "CommitComment" })

/** The key is told by the id that the signature names: 16 hex digits. */
export const PgpSignature = Schema.Struct({
  signature_type: literal("PGP", "Kind of the signature."),
  verification_status: literal("unknown_key", "Always `unknown_key`: OpenPGP signatures are not checked."),
  gpg_key_id: nothing("Null: the key is not known."),
  gpg_key_primary_keyid: nullableText("ID of the key that the signature names, 16 hex digits."),
  gpg_key_user_name: nothing("Null: the key is not known."),
  gpg_key_user_email: nothing("Null: the key is not known."),
  gpg_key_subkey_id: nothing("Null: the key is not known."),
  commit_source
}).annotate({ identifier: "PgpCommitSignature" })

export const SshSignature = Schema.Struct({
  signature_type: literal("SSH", "Kind of the signature."),
  verification_status: Schema.Literals(["verified", "other_user", "unknown_key", "unverified"]).annotate({
    description: "Whether a key of the user with the address of the committer, or of another user, made it."
  }),
  key: Schema.NullOr(
    Schema.Struct({
      id: integer("ID of the key."),
      title: text("Title of the key."),
      created_at: time("When the key was added."),
      expires_at: nullableTime("When the key expires; null for never."),
      key: text("The public key, as OpenSSH writes it."),
      usage_type: Schema.Literals(["signing", "auth_and_signing"]).annotate({ description: "What the key may be used for." })
    })
  ).annotate({ description: "The key that made it; null when nobody has it." }),
  commit_source
}).annotate({ identifier: "SshCommitSignature" })

export const X509Signature = Schema.Struct({
  signature_type: literal("X509", "Kind of the signature."),
  verification_status: literal("unverified", "Always `unverified`: X.509 signatures are not checked."),
  x509_certificate: nothing("Null: the certificate is not told."),
  commit_source
}).annotate({ identifier: "X509CommitSignature" })

export const CommitSignature = Schema.Union([PgpSignature, SshSignature, X509Signature])
