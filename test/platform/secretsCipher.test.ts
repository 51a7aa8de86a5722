import { expect, it } from "vitest"
import { newDataKey, openText, sealText, unwrapDataKey, wrapDataKey, wrappingKeyOf } from "#src/platform/secrets/cipher.ts"

const stream = "cluster-1"
const dataKey = newDataKey()

it.each(["", "token", "ö\u{1F511}\n", "x".repeat(100_000)])("what is sealed opens again", (secret) => {
  expect(openText(dataKey, stream, sealText(dataKey, stream, secret))).toBe(secret)
})

it("sealing twice gives different texts that tell nothing", () => {
  const [first, second] = [sealText(dataKey, stream, "hunter2"), sealText(dataKey, stream, "hunter2")]
  expect(first).not.toBe(second)
  expect(Buffer.from(first, "base64url").includes("hunter2")).toBe(false)
})

it("opens neither for another stream nor with another key", () => {
  const sealed = sealText(dataKey, stream, "token")
  expect(openText(dataKey, "cluster-2", sealed)).toBeUndefined()
  expect(openText(newDataKey(), stream, sealed)).toBeUndefined()
})

it("notices every altered byte, and texts that were never sealed", () => {
  const sealed = Buffer.from(sealText(dataKey, stream, "token"), "base64url")
  for (const index of sealed.keys()) {
    const altered = Buffer.from(sealed)
    altered.writeUInt8(altered.readUInt8(index) ^ 1, index)
    expect(openText(dataKey, stream, altered.toString("base64url"))).toBeUndefined()
  }
  for (const text of ["", "AQ", "token", sealed.subarray(0, -1).toString("base64url")]) {
    expect(openText(dataKey, stream, text)).toBeUndefined()
  }
})

it("data keys are wrapped by SECRET_KEY for their stream", () => {
  const wrapped = wrapDataKey(wrappingKeyOf("a secret"), stream, dataKey)
  expect(unwrapDataKey(wrappingKeyOf("a secret"), stream, wrapped)).toEqual(Buffer.from(dataKey))
  expect(unwrapDataKey(wrappingKeyOf("another"), stream, wrapped)).toBeUndefined()
  expect(unwrapDataKey(wrappingKeyOf("a secret"), "cluster-2", wrapped)).toBeUndefined()
})
