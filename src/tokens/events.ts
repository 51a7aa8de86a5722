import { Schema } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"
import { SecretDigest } from "../platform/eventStore/secretTexts.ts"

// Storage format: add cases and optional fields, never rename.

/**
 * `requested`: somebody asked for it. `rotationOvertaken`: its predecessor was rotated or revoked by somebody else at the
 * same time, so nobody ever got its text. `reuse`: a predecessor that was rotated before has been presented again.
 */
export const RevocationReason = Schema.Literals(["requested", "rotationOvertaken", "reuse"])
export type RevocationReason = typeof RevocationReason.Type

/** Days are `YYYY-MM-DD`, UTC. The digest is the SHA-256 of the token's text, 64 hex digits. */
export const TokenEvent = Schema.TaggedUnion({
  TokenIssued: {
    userId: Schema.Int,
    name: Schema.String,
    scopes: Schema.Array(Schema.String),
    /** The first day on which it is refused; null for a token that never expires. */
    expiresAt: Schema.NullOr(Schema.String),
    digest: SecretDigest,
    /** The token that it replaces. */
    rotatedFrom: Schema.NullOr(Schema.Int)
  },
  TokenUsed: { day: Schema.String },
  TokenRevoked: { reason: RevocationReason },
  TokenRotated: { successor: Schema.Int }
})
export type TokenEvent = typeof TokenEvent.Type

export const tokenCodec = eventCodec(TokenEvent)
