import { expect, it } from "vitest"
import { type Fingerprint, parseFingerprint } from "#src/keys/fingerprint.ts"
import { rsa } from "./keySamples.ts"

const { fingerprint: md5, fingerprintSha256: sha256 } = rsa

it.each<[string, Fingerprint | undefined]>([
  [md5, { kind: "md5", text: md5 }],
  [md5.toUpperCase(), { kind: "md5", text: md5.toUpperCase() }],
  [`${md5}:00 and more`, { kind: "md5", text: `${md5}:00 and more` }],
  [`first line\n${md5}`, { kind: "md5", text: `first line\n${md5}` }],
  [`MD5:${md5}`, undefined],
  [` ${md5}`, undefined],
  [md5.slice(0, -1), undefined],
  [md5.replaceAll(":", ""), undefined],
  [`SHA256:${sha256}`, { kind: "sha256", text: sha256 }],
  [`sha256:${sha256}`, { kind: "sha256", text: sha256 }],
  [`SHA256:sha256:${sha256}`, { kind: "sha256", text: sha256 }],
  [`SHA256:${sha256}=`, { kind: "sha256", text: `${sha256}=` }],
  // What a "+" becomes in a query that is not encoded: well-formed only if it had none.
  [`SHA256:${"A".repeat(42)} A`, { kind: "sha256", text: `${"A".repeat(42)} A` }],
  [`SHA256:${sha256.replace("+", " ").slice(0, -1)}`, undefined],
  [`Sha256:${sha256}`, undefined],
  [sha256, undefined],
  [`SHA256:${sha256}AA`, undefined],
  ["SHA256:", undefined],
  ["", undefined]
])("%j", (given, expected) => {
  expect(parseFingerprint(given)).toEqual(expected)
})
