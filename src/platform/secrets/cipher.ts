import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto"

const algorithm = "aes-256-gcm"
const version = 1
const keyBytes = 32
const ivBytes = 12
const fingerprintBytes = 16
const tagBytes = 16

export const newDataKey = (): Uint8Array => randomBytes(keyBytes)

/** The key that wraps data keys, derived from SECRET_KEY. */
export const wrappingKeyOf = (secretKey: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secretKey, "", "chronoforge data keys 1", keyBytes))

/** What tells wrapping keys apart and nothing more: it is derived from SECRET_KEY, too, but not from the key that wraps. */
export const fingerprintOf = (secretKey: string): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secretKey, "", "chronoforge data keys 1 fingerprint", fingerprintBytes))

/**
 * Encrypts into version, initialisation vector, ciphertext and tag. `bound` is authenticated with it, so that a text sealed for one
 * stream opens for no other.
 */
const encrypt = (key: Uint8Array, bound: string, plain: Uint8Array): Uint8Array => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(bound))
  return Buffer.concat([Uint8Array.of(version), iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Decrypts; undefined when the key does not fit, `bound` differs, or a byte was altered. */
const decrypt = (key: Uint8Array, bound: string, sealed: Uint8Array): Uint8Array | undefined => {
  if (sealed[0] !== version || sealed.length < 1 + ivBytes + tagBytes) return undefined
  const iv = sealed.subarray(1, 1 + ivBytes)
  const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes })
    .setAAD(Buffer.from(bound))
    .setAuthTag(sealed.subarray(-tagBytes))
  const plain = decipher.update(sealed.subarray(1 + ivBytes, -tagBytes))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch {
    return undefined
  }
}

const dataKeyOf = (stream: string) => `data key of ${stream}`
const secretOf = (stream: string) => `secret of ${stream}`

export const wrapDataKey = (wrappingKey: Uint8Array, stream: string, dataKey: Uint8Array): Uint8Array =>
  encrypt(wrappingKey, dataKeyOf(stream), dataKey)

export const unwrapDataKey = (wrappingKey: Uint8Array, stream: string, wrapped: Uint8Array): Uint8Array | undefined =>
  decrypt(wrappingKey, dataKeyOf(stream), wrapped)

export const sealText = (dataKey: Uint8Array, stream: string, secret: string): string =>
  Buffer.from(encrypt(dataKey, secretOf(stream), Buffer.from(secret))).toString("base64url")

export const openText = (dataKey: Uint8Array, stream: string, sealed: string): string | undefined => {
  const plain = decrypt(dataKey, secretOf(stream), Buffer.from(sealed, "base64url"))
  return plain === undefined ? undefined : Buffer.from(plain).toString("utf8")
}
