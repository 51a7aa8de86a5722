import { hash } from "node:crypto"
import { sshFingerprint } from "../kernel/sshWire.ts"
import { algorithms, type KeyAlgorithm, keyBits } from "./sshBlob.ts"

export interface SshPublicKey {
  readonly algorithm: KeyAlgorithm
  readonly bits: number
  /** The algorithm, the blob and the first word of the comment, if there is one. */
  readonly text: string
  /** The MD5 digest of the blob: `aa:bb:…`, 16 pairs in lower case. */
  readonly fingerprint: string
  /** The SHA-256 digest of the blob in Base64, without padding and prefix. */
  readonly fingerprintSha256: string
}

/** The highest number of lines of a key, and of characters of Base64 that are read: far more than any accepted key has. */
const [maxLines, maxBase64Length] = [100, 10_000]

const algorithmOf = (word: string | undefined): KeyAlgorithm | undefined => algorithms.find((known) => known === word)

const md5Of = (blob: Buffer): string => (hash("md5", blob, "hex").match(/../g) ?? []).join(":")

const keyOf = (algorithm: KeyAlgorithm, base64: string, comment: string | undefined): SshPublicKey | undefined => {
  const blob = Buffer.from(base64, "base64")
  if (blob.toString("base64") !== base64) return undefined
  const bits = keyBits(algorithm, blob)
  if (bits === undefined) return undefined
  const text = [algorithm, base64, ...(comment === undefined ? [] : [comment])].join(" ")
  return { algorithm, bits, text, fingerprint: md5Of(blob), fingerprintSha256: sshFingerprint(blob) }
}

/**
 * Reads a public key as OpenSSH writes it, `<algorithm> <Base64> <comment>`. Line breaks within the Base64 are taken out, and
 * words before the algorithm are passed over. Undefined when the text holds no key.
 */
export const parseSshPublicKey = (text: string): SshPublicKey | undefined => {
  const words = text.split(/\s+/, maxLines + 2).filter((word) => word !== "")
  const start = words.findIndex((word) => algorithmOf(word) !== undefined)
  const algorithm = algorithmOf(words[start])
  if (algorithm === undefined) return undefined
  const lines = words.slice(start + 1, start + 1 + maxLines)
  let base64 = ""
  for (const [index, line] of lines.entries()) {
    base64 += line
    if (base64.length > maxBase64Length) return undefined
    const key = keyOf(algorithm, base64, lines[index + 1])
    if (key !== undefined) return key
  }
  return undefined
}

/** The algorithm and blob, with a comment that is safe to publish. */
export const publishable = (text: string, comment: string | undefined): string =>
  [...text.split(" ").slice(0, 2), ...(comment === undefined ? [] : [comment])].join(" ")
