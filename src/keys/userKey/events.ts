import { Schema } from "effect"
import { eventCodec } from "../../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

export const UsageType = Schema.Literals(["auth", "signing", "auth_and_signing"])
export type UsageType = typeof UsageType.Type

export const UserKeyEvent = Schema.TaggedUnion({
  SshKeyAdded: {
    userId: Schema.Int,
    title: Schema.String,
    /** The algorithm, the blob and the first word of the comment. */
    key: Schema.String,
    /** The MD5 digest in hexadecimal pairs. */
    fingerprint: Schema.String,
    /** The SHA-256 digest in Base64, without padding and prefix. */
    fingerprintSha256: Schema.String,
    usageType: UsageType,
    /** The time in milliseconds since 1970; null for a key that never expires. */
    expiresAt: Schema.NullOr(Schema.Finite)
  },
  SshKeyRemoved: {}
})
export type UserKeyEvent = typeof UserKeyEvent.Type

export const userKeyCodec = eventCodec(UserKeyEvent)
