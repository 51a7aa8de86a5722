import { createPublicKey, hash, type JsonWebKey, verify } from "node:crypto"
import { readSshStrings, sshFingerprint, sshString } from "../../kernel/sshWire.ts"
import { unarmor } from "./commitSignature.ts"

const magic = Buffer.from("SSHSIG")
const namespace = "git"

const base64url = (bytes: Buffer): string => bytes.toString("base64url")
const withoutZeros = (integer: Buffer): Buffer => integer.subarray(integer.findIndex((byte) => byte !== 0))
/** An integer with as many bytes as the curve has; one that has more makes no signature. */
const padded = (integer: Buffer, size: number): Buffer => {
  const digits = withoutZeros(integer)
  return Buffer.concat([Buffer.alloc(Math.max(0, size - digits.length)), digits])
}

/** The curves by the type of the key. */
const curves: ReadonlyMap<string, { readonly crv: string; readonly size: number; readonly digest: string }> = new Map([
  ["ecdsa-sha2-nistp256", { crv: "P-256", size: 32, digest: "sha256" }],
  ["ecdsa-sha2-nistp384", { crv: "P-384", size: 48, digest: "sha384" }],
  ["ecdsa-sha2-nistp521", { crv: "P-521", size: 66, digest: "sha512" }]
])
const rsaDigests: ReadonlyMap<string, string> = new Map([
  ["rsa-sha2-256", "sha256"],
  ["rsa-sha2-512", "sha512"]
])

interface Check {
  readonly jwk: JsonWebKey
  readonly digest: string | null
  readonly signature: Buffer
}

/** How a key checks a signature; undefined for kinds that cannot be checked, such as those of security tokens. */
const checkOf = (key: ReadonlyArray<Buffer>, sent: ReadonlyArray<Buffer>): Check | undefined => {
  const [type = "", algorithm = ""] = [key[0]?.toString("latin1"), sent[0]?.toString("latin1")]
  const [, first = Buffer.alloc(0), second = Buffer.alloc(0)] = key
  const signature = sent[1] ?? Buffer.alloc(0)
  if (type === "ssh-ed25519" && algorithm === type) {
    return { jwk: { kty: "OKP", crv: "Ed25519", x: base64url(first) }, digest: null, signature }
  }
  const rsaDigest = rsaDigests.get(algorithm)
  if (type === "ssh-rsa" && rsaDigest !== undefined) {
    return { jwk: { kty: "RSA", e: base64url(first), n: base64url(withoutZeros(second)) }, digest: rsaDigest, signature }
  }
  const curve = curves.get(type)
  if (curve === undefined || algorithm !== type) return undefined
  const { crv, digest, size } = curve
  const [x, y] = [second.subarray(1, 1 + size), second.subarray(1 + size)]
  const pair = (readSshStrings(signature) ?? []).map((integer) => padded(integer, size))
  return { jwk: { kty: "EC", crv, x: base64url(x), y: base64url(y) }, digest, signature: Buffer.concat(pair) }
}

const holds = ({ digest, jwk, signature }: Check, data: Buffer): boolean => {
  try {
    return verify(digest, data, { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" }, signature)
  } catch {
    return false
  }
}

/**
 * SHA-256 fingerprint, Base64 without padding, of the key that made an SSH signature over a commit, if it is a good one made for
 * git. Ed25519, RSA with SHA-2 and ECDSA can be checked. Source: PROTOCOL.sshsig of OpenSSH.
 */
export const signingFingerprint = (armored: string, signed: Buffer): string | undefined => {
  const bytes = unarmor(armored) ?? Buffer.alloc(0)
  if (!bytes.subarray(0, magic.length).equals(magic) || bytes.length < 10 || bytes.readUInt32BE(magic.length) !== 1)
    return undefined
  const [blob, space, reserved, algorithm, signature] = readSshStrings(bytes.subarray(magic.length + 4)) ?? []
  const name = algorithm?.toString("latin1") ?? ""
  if (blob === undefined || reserved === undefined || signature === undefined) return undefined
  if (space?.toString("latin1") !== namespace || (name !== "sha256" && name !== "sha512")) return undefined
  const data = Buffer.concat([
    magic,
    sshString(namespace),
    sshString(reserved),
    sshString(name),
    sshString(hash(name, signed, "buffer"))
  ])
  const check = checkOf(readSshStrings(blob) ?? [], readSshStrings(signature) ?? [])
  return check !== undefined && holds(check, data) ? sshFingerprint(blob) : undefined
}
