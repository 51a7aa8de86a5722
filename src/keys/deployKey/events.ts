import { Schema } from "effect"
import { eventCodec } from "../../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

export const DeployKeyEvent = Schema.TaggedUnion({
  DeployKeyCreated: {
    creatorId: Schema.Int,
    title: Schema.String,
    /** The algorithm, the blob and the first word of the comment. */
    key: Schema.String,
    /** The MD5 digest in hexadecimal pairs. */
    fingerprint: Schema.String,
    /** The SHA-256 digest in Base64, without padding and prefix. */
    fingerprintSha256: Schema.String,
    /** The time in milliseconds since 1970; null for a key that never expires. */
    expiresAt: Schema.NullOr(Schema.Finite),
    /** A public key is offered to all projects and stays when none uses it. */
    public: Schema.Boolean
  },
  DeployKeyRetitled: { title: Schema.String },
  /** A project uses the key from now on. */
  DeployKeyEnabled: { projectId: Schema.Int, linkId: Schema.Int, canPush: Schema.Boolean },
  DeployKeyPushRightChanged: { projectId: Schema.Int, linkId: Schema.Int, canPush: Schema.Boolean },
  DeployKeyDisabled: { projectId: Schema.Int, linkId: Schema.Int },
  DeployKeyRemoved: {}
})
export type DeployKeyEvent = typeof DeployKeyEvent.Type

export const deployKeyCodec = eventCodec(DeployKeyEvent)
