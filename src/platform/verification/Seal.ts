import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto"
import { Schema } from "effect"
import type { Position } from "../eventStore/EventStore.ts"

const Hex = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))

/** A signed statement of what the log was up to a position. Exported seals are these objects, one a line. */
export const Seal = Schema.Struct({
  /** The position of the last event that the seal covers. */
  position: Schema.Int,
  /** The digest, which continues that of the seal before: see `LogDigest`. */
  digest: Hex,
  /** The time of the seal in milliseconds since 1970. */
  at: Schema.Int,
  /** The Ed25519 public key: SPKI in DER, in Base64. */
  publicKey: Schema.String,
  /** The signature over position, time and digest, in Base64. */
  signature: Schema.String
})
export type Seal = typeof Seal.Type

const signedText = ({ at, digest, position }: Pick<Seal, "at" | "digest" | "position">): Buffer =>
  Buffer.from(`chronoforge seal 1\n${position}\n${at}\n${digest}\n`)

const encoded = (key: KeyObject): string => key.export({ format: "der", type: "spki" }).toString("base64")

/** The public half of a private key, as seals carry it. */
export const publicKeyOf = (privateKey: KeyObject): string => encoded(createPublicKey(privateKey))

/** How a key is called: the first 16 hex digits of its SHA-256. */
export const fingerprint = (publicKey: string): string => hash("sha256", Buffer.from(publicKey, "base64"), "hex").slice(0, 16)

export const signSeal = (privateKey: KeyObject, content: { position: Position; digest: Uint8Array; at: number }): Seal => {
  const unsigned = { ...content, digest: Buffer.from(content.digest).toString("hex") }
  return {
    ...unsigned,
    publicKey: publicKeyOf(privateKey),
    signature: sign(null, signedText(unsigned), privateKey).toString("base64")
  }
}

/** Whether the signature is of this content and of the key that the seal names. */
export const isGenuine = (seal: Seal): boolean => {
  try {
    const key = createPublicKey({ key: Buffer.from(seal.publicKey, "base64"), format: "der", type: "spki" })
    return verify(null, signedText(seal), key, Buffer.from(seal.signature, "base64"))
  } catch {
    return false
  }
}
