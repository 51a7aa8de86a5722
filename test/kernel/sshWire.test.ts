import fc from "fast-check"
import { expect, it } from "vitest"
import { readSshStrings, sshFingerprint, sshString } from "#src/kernel/sshWire.ts"

it("strings are read as they were written", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (contents) => {
      const strings = contents.map((content) => Buffer.from(content))
      expect(readSshStrings(Buffer.concat(strings.map(sshString)))).toEqual(strings)
    })
  )
})

it.each([
  ["ends in a length", "0000"],
  ["ends in a string", "00000005616263"],
  ["goes on behind the last string", "000000016161"],
  ["says that it is longer than anything", "ffffffff61"]
])("a text that %s has none", (_, hex) => {
  expect(readSshStrings(Buffer.from(hex, "hex"))).toBeUndefined()
})

it("a key is named by its fingerprint as OpenSSH prints it", () => {
  const key = Buffer.from("AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl", "base64")
  expect(sshFingerprint(key)).toBe("+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU")
})
