import { hash } from "node:crypto"

/** The number of bytes of the length in front of each string. */
const prefix = 4

/** The strings of SSH's wire form: each is a length of four bytes and so many bytes. Undefined when they do not fill it. */
export const readSshStrings = (bytes: Buffer): ReadonlyArray<Buffer> | undefined => {
  const strings: Array<Buffer> = []
  for (let at = 0; at < bytes.length; ) {
    if (at + prefix > bytes.length) return undefined
    const end = at + prefix + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    strings.push(bytes.subarray(at + prefix, end))
    at = end
  }
  return strings
}

/** Encodes one string in that form. */
export const sshString = (content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content)
  const length = Buffer.alloc(prefix)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** SHA-256 of a public key in that form, in Base64 without padding, as OpenSSH shows it behind `SHA256:`. */
export const sshFingerprint = (key: Buffer): string => hash("sha256", key, "base64").replace(/=+$/, "")
