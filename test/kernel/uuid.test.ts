import { describe, expect, it } from "vitest"
import { uuidOf, uuidV7 } from "#src/kernel/uuid.ts"

describe("uuidV7", () => {
  it("begins with its time and carries version and variant", () => {
    expect(uuidV7(0x0123_4567_89ab)).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it("never repeats", () => {
    const ids = Array.from({ length: 10_000 }, () => uuidV7(0))
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe("uuidOf", () => {
  it("is the same for the same text and another for another", () => {
    expect(uuidOf("a")).toBe("ca978112-ca1b-8dca-bac2-31b39a23dc4d")
    expect(uuidOf("b")).not.toBe(uuidOf("a"))
  })
})
