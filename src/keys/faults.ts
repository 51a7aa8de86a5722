import { isLongerThan } from "../kernel/characters.ts"
import { type Fault, faultsOf } from "../kernel/faults.ts"
import { algorithms, type KeyAlgorithm } from "./sshBlob.ts"
import type { SshPublicKey } from "./sshPublicKey.ts"

type KeyFault = Fault<"title" | "key" | "fingerprint_sha256">

export interface CandidateKey {
  readonly title: string
  /** The text as it was sent. */
  readonly text: string
  /** The parsed key; undefined when the text holds no key. */
  readonly key: SshPublicKey | undefined
  /** The time in milliseconds since 1970; null for a key that never expires. */
  readonly expiresAt: number | null
}

export const fingerprintIsTaken: KeyFault = { attribute: "fingerprint_sha256", text: "has already been taken" }

const maxTitleLength = 255
const maxKeyLength = 5000
/** Gap: the reference's own minimum is a setting; this is what OpenSSH still accepts. */
const minRsaBits = 1024
const blank = "can't be blank"

/** DSA is read, so that it can be told apart from what is no key, but refused: OpenSSH does not take it any more. */
const refusedAlgorithm: KeyAlgorithm = "ssh-dss"
const forbidden = "type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK, or ED25519_SK"

/** What is wrong with a title. */
export const titleTexts = (title: string): ReadonlyArray<string> => {
  if (title.trim() === "") return [blank]
  return isLongerThan(title, maxTitleLength) ? [`is too long (maximum is ${maxTitleLength} characters)`] : []
}

const algorithmTexts = (key: SshPublicKey | undefined): ReadonlyArray<string> => {
  if (key === undefined || key.algorithm === refusedAlgorithm) return [forbidden]
  return key.algorithm === "ssh-rsa" && key.bits < minRsaBits ? [`must be at least ${minRsaBits} bits`] : []
}

const keyTexts = ({ text, key }: CandidateKey): ReadonlyArray<string> => {
  const normalized = key === undefined || !startsWithAlgorithm(text) ? text.trim() : key.text
  return [
    ...(normalized === "" ? [blank] : []),
    ...algorithmTexts(key),
    ...(normalized.length > maxKeyLength ? [`is too long (maximum is ${maxKeyLength} characters)`] : []),
    ...(startsWithAlgorithm(text) ? [] : ["is invalid"])
  ]
}

const startsWithAlgorithm = (text: string): boolean => algorithms.some((algorithm) => text.trimStart().startsWith(algorithm))

/** Everything that is wrong with a requested key at the time `now`, but for its fingerprint being taken. */
export const keyFaults = (candidate: CandidateKey, now: number): ReadonlyArray<KeyFault> => {
  const isExpired = candidate.expiresAt !== null && candidate.expiresAt <= now
  return [
    ...faultsOf("title", titleTexts(candidate.title)),
    ...faultsOf("key", keyTexts(candidate)),
    ...faultsOf("key", isExpired ? ["has expired"] : []),
    ...faultsOf("fingerprint_sha256", candidate.key === undefined ? ["cannot be generated"] : [])
  ]
}
