import { readSshStrings } from "../kernel/sshWire.ts"

/** Public key types of OpenSSH that the service can read. */
export type KeyAlgorithm =
  | "ssh-rsa"
  | "ssh-dss"
  | "ecdsa-sha2-nistp256"
  | "ecdsa-sha2-nistp384"
  | "ecdsa-sha2-nistp521"
  | "ssh-ed25519"
  | "sk-ecdsa-sha2-nistp256@openssh.com"
  | "sk-ssh-ed25519@openssh.com"

/** Bits of a positive integer in SSH's shortest form; undefined for any other. */
const integerBits = (field: Buffer | undefined): number | undefined => {
  if (field === undefined) return undefined
  const [first = 0, second = 0] = field
  if (first >= 0x80 || (first === 0 && second < 0x80)) return undefined
  const digits = first === 0 ? field.subarray(1) : field
  return digits.length * 8 - Math.clz32(digits[0] ?? 0) + 24
}

/** What OpenSSH can work with. */
const maxRsaBits = 16_384

const isOdd = (field: Buffer | undefined): boolean => ((field?.at(-1) ?? 0) & 1) === 1

const rsaBits = ([exponent, modulus, ...rest]: ReadonlyArray<Buffer>): number | undefined => {
  const [exponentBits, bits] = [integerBits(exponent), integerBits(modulus)]
  if (rest.length > 0 || exponentBits === undefined || bits === undefined || bits > maxRsaBits) return undefined
  return exponentBits >= 2 && isOdd(exponent) && isOdd(modulus) ? bits : undefined
}

const dsaBits = (integers: ReadonlyArray<Buffer>): number | undefined =>
  integers.length === 4 && integers.every((field) => integerBits(field) !== undefined) ? integerBits(integers[0]) : undefined

const uncompressedPoint = 4

const curveBits =
  (curve: string, bits: number, more: number) =>
  ([name, point, ...rest]: ReadonlyArray<Buffer>): number | undefined => {
    const isPoint = point?.length === 1 + 2 * Math.ceil(bits / 8) && point[0] === uncompressedPoint
    return name?.toString("latin1") === curve && isPoint && rest.length === more ? bits : undefined
  }

const edwardsBits =
  (more: number) =>
  ([point, ...rest]: ReadonlyArray<Buffer>): number | undefined =>
    point?.length === 32 && rest.length === more ? 256 : undefined

const bitsOf: Readonly<Record<KeyAlgorithm, (fields: ReadonlyArray<Buffer>) => number | undefined>> = {
  "ssh-rsa": rsaBits,
  "ssh-dss": dsaBits,
  "ecdsa-sha2-nistp256": curveBits("nistp256", 256, 0),
  "ecdsa-sha2-nistp384": curveBits("nistp384", 384, 0),
  "ecdsa-sha2-nistp521": curveBits("nistp521", 521, 0),
  "ssh-ed25519": edwardsBits(0),
  // Keys of security tokens name the application that they are for.
  "sk-ecdsa-sha2-nistp256@openssh.com": curveBits("nistp256", 256, 1),
  "sk-ssh-ed25519@openssh.com": edwardsBits(1)
}

const isAlgorithm = (text: string): text is KeyAlgorithm => Object.hasOwn(bitsOf, text)

export const algorithms: ReadonlyArray<KeyAlgorithm> = Object.keys(bitsOf).filter(isAlgorithm)

/** Bits of the key in a blob; undefined when the blob is no key of this algorithm. */
export const keyBits = (algorithm: KeyAlgorithm, blob: Buffer): number | undefined => {
  const [type, ...fields] = readSshStrings(blob) ?? []
  return type?.toString("latin1") === algorithm ? bitsOf[algorithm](fields) : undefined
}
