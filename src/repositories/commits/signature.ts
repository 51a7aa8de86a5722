import { Effect } from "effect"
import type { Repository } from "../../git/Repository.ts"
import { type ObjectSignature, readSignature } from "../../git/signatures/commitSignature.ts"
import { pgpIssuer } from "../../git/signatures/pgpIssuer.ts"
import { signingFingerprint } from "../../git/signatures/sshSignature.ts"
import { thingNotFound } from "../../http/answer/errors.ts"
import { isoMillis, nullableIsoMillis } from "../../http/answer/jsonTimes.ts"
import { ok } from "../../http/answer/Reply.ts"
import { Users } from "../../users/Users.ts"
import { type SigningKeyRow, SigningKeys } from "./SigningKeys.ts"
import type { PgpSignature, SshSignature, X509Signature } from "./shapes.ts"

export const noSignature = thingNotFound("Signature")
const commit_source = "gitaly"

export interface Signed {
  readonly repository: Repository
  /** The full id of a commit or a tag object. */
  readonly id: string
  /** The e-mail address of the committer or tagger. */
  readonly email: string
  readonly externalUrl: string
}

/** Nobody can hand in OpenPGP keys, so none is known. */
const presentPgp = ({ armored }: ObjectSignature): typeof PgpSignature.Type => ({
  signature_type: "PGP",
  verification_status: "unknown_key",
  gpg_key_id: null,
  gpg_key_primary_keyid: pgpIssuer(armored) ?? null,
  gpg_key_user_name: null,
  gpg_key_user_email: null,
  gpg_key_subkey_id: null,
  commit_source
})

/** There are no certificates that it could trust. */
const x509: typeof X509Signature.Type = {
  signature_type: "X509",
  verification_status: "unverified",
  x509_certificate: null,
  commit_source
}

const presentKey = ({ key, owner, ...row }: SigningKeyRow, externalUrl: string): (typeof SshSignature.Type)["key"] => ({
  id: row.id,
  title: row.title,
  created_at: isoMillis(row.created_at),
  expires_at: nullableIsoMillis(row.expires_at),
  key: `${key.split(" ").slice(0, 2).join(" ")} ${owner.name} (${new URL(externalUrl).hostname})`,
  usage_type: row.usage_type
})

/** Only a key of whoever has the signer's address vouches for an object. */
const presentSsh = Effect.fnUntraced(function* ({ armored, signed }: ObjectSignature, { email, externalUrl }: Signed) {
  const fingerprint = signingFingerprint(armored, signed)
  const found = fingerprint === undefined ? undefined : yield* (yield* SigningKeys).find(fingerprint)
  const owners = found === undefined ? [] : yield* (yield* Users).findByEmails([email])
  const known = owners.some(({ id }) => id === found?.owner.id) ? "verified" : "other_user"
  return {
    signature_type: "SSH",
    verification_status: fingerprint === undefined ? "unverified" : found === undefined ? "unknown_key" : known,
    key: found === undefined ? null : presentKey(found, externalUrl),
    commit_source
  } as const
})

/** What is known of the signature of a commit or tag object; 404 where there is none. */
export const answerSignature = Effect.fnUntraced(function* (object: Signed) {
  const signature = (yield* Effect.orDie(readSignature(object.repository, object.id))) ?? (yield* noSignature)
  switch (signature.kind) {
    case "PGP":
      return ok(presentPgp(signature))
    case "SSH":
      return ok(yield* presentSsh(signature, object))
    case "X509":
      return ok(x509)
  }
})
