import { scryptSync } from "node:crypto"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { digestPassword } from "#src/users/passwords/digest.ts"

it("digests with scrypt, so that the text alone suffices to check a password", async () => {
  const digest = await Effect.runPromise(digestPassword("correct horse"))
  const [, scheme, parameters, salt = "", hash] = digest.split("$")
  expect([scheme, parameters]).toEqual(["scrypt", "n=32768,r=8,p=1"])
  const again = scryptSync("correct horse", Buffer.from(salt, "base64"), 32, { N: 32_768, r: 8, p: 1, maxmem: 2 ** 26 })
  expect(again.toString("base64")).toBe(hash)
})

it("takes a new salt each time", async () => {
  const both = Effect.all([digestPassword("correct horse"), digestPassword("correct horse")])
  const [first, second] = await Effect.runPromise(both)
  expect(first).not.toBe(second)
})
