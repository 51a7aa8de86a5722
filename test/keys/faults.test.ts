import { expect, it } from "vitest"
import { type CandidateKey, keyFaults } from "#src/keys/faults.ts"
import { parseSshPublicKey } from "#src/keys/sshPublicKey.ts"
import { dsa, ed25519, rsa } from "./keySamples.ts"
import { lineOf, withFields } from "./sshLines.ts"

const now = 1_719_748_800_000
const forbidden = "type is forbidden. Must be RSA, ECDSA, ED25519, ECDSA_SK, or ED25519_SK"
const ungenerated = "fingerprint_sha256: cannot be generated"
const weakRsa = lineOf(
  "ssh-rsa",
  withFields("ssh-rsa", Buffer.of(1, 0, 1), Buffer.concat([Buffer.of(0), Buffer.alloc(96, 0xff)]))
)

const faults = (query: Partial<Omit<CandidateKey, "key">>) => {
  const { title = "laptop", text = ed25519.text, expiresAt = null } = query
  return keyFaults({ title, text, expiresAt, key: parseSshPublicKey(text) }, now).map(
    (fault) => `${fault.attribute}: ${fault.text}`
  )
}

it.each<[Partial<Omit<CandidateKey, "key">>, ReadonlyArray<string>]>([
  [{}, []],
  [{ text: rsa.text }, []],
  [{ title: " " }, ["title: can't be blank"]],
  [{ title: "t".repeat(255) }, []],
  [{ title: "\u{1f600}".repeat(255) }, []],
  [{ title: "t".repeat(256) }, ["title: is too long (maximum is 255 characters)"]],
  [{ text: "" }, ["key: can't be blank", `key: ${forbidden}`, "key: is invalid", ungenerated]],
  [{ text: "nonsense" }, [`key: ${forbidden}`, "key: is invalid", ungenerated]],
  [{ text: "ssh-rsa nonsense" }, [`key: ${forbidden}`, ungenerated]],
  [{ text: `no-pty ${ed25519.text}` }, ["key: is invalid"]],
  [{ text: dsa.text }, [`key: ${forbidden}`]],
  [{ text: weakRsa }, ["key: must be at least 1024 bits"]],
  [{ text: `${ed25519.text.split(" ", 2).join(" ")} ${"c".repeat(5000)}` }, ["key: is too long (maximum is 5000 characters)"]],
  [{ text: `${ed25519.text} ${"c".repeat(5000)}` }, []],
  [{ expiresAt: now + 1 }, []],
  [{ expiresAt: now }, ["key: has expired"]],
  [
    { title: "", text: "ssh-rsa x", expiresAt: now - 1 },
    ["title: can't be blank", `key: ${forbidden}`, "key: has expired", ungenerated]
  ]
])("%j", (query, expected) => {
  expect(faults(query)).toEqual(expected)
})
