import { describe, expect, it } from "vitest"
import { parseSshPublicKey, publishable } from "#src/keys/sshPublicKey.ts"
import * as samples from "./keySamples.ts"
import { blobOf, lineOf, withFields } from "./sshLines.ts"

const { ed25519, nistp256, rsa } = samples

describe("keys made by ssh-keygen", () => {
  it.each(Object.entries(samples))("%s", (_, { text, bits, fingerprint, fingerprintSha256 }) => {
    const [algorithm] = text.split(" ")
    expect(parseSshPublicKey(text)).toEqual({ algorithm, bits, text, fingerprint, fingerprintSha256 })
  })
})

describe("a pasted key", () => {
  const [algorithm = "", base64 = ""] = rsa.text.split(" ")

  it.each([
    ["keeps the first word of its comment", `${algorithm} ${base64} Ada Lovelace`, `${algorithm} ${base64} Ada`],
    ["loses surrounding and repeated blanks", `\n ${algorithm}\t ${base64}  \n`, `${algorithm} ${base64}`],
    ["is put together from lines", `${algorithm} ${base64.replace(/.{64}/g, "$&\r\n")} ada`, `${algorithm} ${base64} ada`],
    ["is found behind options", `no-pty,command="ls" ${algorithm} ${base64}`, `${algorithm} ${base64}`]
  ])("%s", (_, text, expected) => {
    expect(parseSshPublicKey(text)?.text).toBe(expected)
  })
})

const point = blobOf(nistp256).subarray(-65)
const edPoint = blobOf(ed25519).subarray(-32)
const modulus = (bits: number) => Buffer.concat([Buffer.of(0), Buffer.alloc(bits / 8, 0xff)])
const exponent = Buffer.of(1, 0, 1)

describe("text that is no key", () => {
  const [algorithm = "", base64 = ""] = ed25519.text.split(" ")

  it.each([
    ["empty", ""],
    ["a word", "key"],
    ["an algorithm alone", "ssh-ed25519"],
    ["no Base64", "ssh-ed25519 ???"],
    ["Base64 that is cut", `${algorithm} ${base64.slice(0, -4)}`],
    ["more bytes behind the key", lineOf(algorithm, Buffer.concat([blobOf(ed25519), Buffer.of(0)]))],
    ["another algorithm in front", `ssh-rsa ${base64}`],
    ["an unknown algorithm", lineOf("ssh-foo", withFields("ssh-foo", edPoint))],
    ["a private key", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----"],
    ["a point that is too short", lineOf("ssh-ed25519", withFields("ssh-ed25519", edPoint.subarray(1)))],
    ["a field too many", lineOf("ssh-ed25519", withFields("ssh-ed25519", edPoint, edPoint))],
    ["another curve", lineOf("ecdsa-sha2-nistp256", withFields("ecdsa-sha2-nistp256", "nistp384", point))],
    [
      "a compressed point",
      lineOf(
        "ecdsa-sha2-nistp256",
        withFields("ecdsa-sha2-nistp256", "nistp256", Buffer.concat([Buffer.of(2), point.subarray(1)]))
      )
    ],
    [
      "a security key without application",
      lineOf("sk-ssh-ed25519@openssh.com", withFields("sk-ssh-ed25519@openssh.com", edPoint))
    ],
    ["a negative modulus", lineOf("ssh-rsa", withFields("ssh-rsa", exponent, modulus(2048).subarray(1)))],
    ["a padded exponent", lineOf("ssh-rsa", withFields("ssh-rsa", Buffer.of(0, 1, 0, 1), modulus(2048)))],
    ["the exponent 1", lineOf("ssh-rsa", withFields("ssh-rsa", Buffer.of(1), modulus(2048)))],
    ["an even modulus", lineOf("ssh-rsa", withFields("ssh-rsa", exponent, Buffer.concat([modulus(2040), Buffer.of(0)])))],
    ["a modulus that OpenSSH does not take", lineOf("ssh-rsa", withFields("ssh-rsa", exponent, modulus(16_392)))],
    ["very long text", `ssh-rsa ${"A".repeat(2_000_000)}`],
    ["very many words", `ssh-rsa ${"A ".repeat(1_000_000)}`]
  ])("%s", (_, text) => {
    expect(parseSshPublicKey(text)).toBeUndefined()
  })
})

it("shows keys with another comment, or none", () => {
  expect(publishable("ssh-ed25519 AAAA ada@example.com", "Ada (host)")).toBe("ssh-ed25519 AAAA Ada (host)")
  expect(publishable("ssh-ed25519 AAAA ada@example.com", undefined)).toBe("ssh-ed25519 AAAA")
})
