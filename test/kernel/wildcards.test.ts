import { describe, expect, it } from "vitest"
import { matchesPattern } from "#src/kernel/wildcards.ts"

describe("matchesPattern", () => {
  it.each([
    ["main", "main", true],
    ["main", "main2", false],
    ["*", "a/b", true],
    ["release/*", "release/1/2", true],
    ["release/*", "release", false],
    ["*-stable", "1-stable", true],
    ["*-stable", "1-stable-x", false],
    ["a*b*c", "a1b2c", true],
    ["a*b*c", "abc", true],
    ["a*b*c", "acb", false],
    ["ab*ba", "aba", false],
    ["v.*", "vx1", false],
    ["*a*a", "a", false],
    ["**", "", true]
  ])("%s %s: %s", (pattern, name, expected) => {
    expect(matchesPattern(pattern, name)).toBe(expected)
  })

  it("takes linear time", () => {
    expect(matchesPattern(`${"*a".repeat(500)}b`, "a".repeat(100_000))).toBe(false)
  })
})
