/** A fingerprint as keys are looked up by it. */
export interface Fingerprint {
  readonly kind: "md5" | "sha256"
  /** The text is compared exactly with the stored one. */
  readonly text: string
}

const sha256Prefix = /sha256:|SHA256:/g
const sha256Bytes = 32

/** The number of bytes of Base64 text, decoded as leniently as MIME does: other characters are skipped, and padding ends it. */
const decodedBytes = (base64: string): number => {
  const [digits = ""] = base64.replace(/[^A-Za-z0-9+/=]/g, "").split("=")
  return Math.floor((digits.length * 6) / 8)
}

/**
 * Reads a fingerprint: `SHA256:` or `sha256:` and Base64 of 32 bytes, else 16 pairs of hex digits at the start of a line.
 * Undefined when it is neither. A well-formed one need not match anything: padding, upper-case pairs and what follows the
 * pairs are kept and equal no stored text.
 */
export const parseFingerprint = (fingerprint: string): Fingerprint | undefined => {
  if (!/^(?:sha256|SHA256):/.test(fingerprint)) {
    return /^(?:[0-9a-f]{2}:){15}[0-9a-f]{2}/im.test(fingerprint) ? { kind: "md5", text: fingerprint } : undefined
  }
  const text = fingerprint.replace(sha256Prefix, "")
  return decodedBytes(text) === sha256Bytes ? { kind: "sha256", text } : undefined
}
