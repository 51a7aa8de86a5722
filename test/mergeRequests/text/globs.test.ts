import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compileGlob, createBudget, splitPath } from "#src/mergeRequests/text/globs.ts"

const matches = (pattern: string, path: string, steps = 100_000) => compileGlob(pattern)(splitPath(path), createBudget(steps))

it.each([
  ["*.js", "a/b.js", true],
  ["*.js", "a.js/b", false],
  ["a", "b/a", true],
  ["/a", "b/a", false],
  ["/a", "a", true],
  ["a/", "a", false],
  ["a/", "a/b", false],
  ["a/*.js", "a/b.js", true],
  ["a/*.js", "a/c/b.js", false],
  ["a/*.js", "x/a/b.js", false],
  ["a/**", "a/b/c", true],
  ["a/**", "a", false],
  ["**/a", "a", true],
  ["**/a", "b/c/a", true],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a/**/b/**/c", "a/b/x/b/c", true],
  ["a/**/b", "ab", false],
  ["**", "a/b", true],
  ["a**b", "aXb", true],
  ["x/a**b", "x/a/b", false],
  ["*", "a", true],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["a?c", "a😀c", true],
  ["a\\*c", "a*c", true],
  ["a\\*c", "abc", false],
  ["[a-c]x", "bx", true],
  ["[a-c]x", "dx", false],
  ["[!a-c]x", "dx", true],
  ["[^a-c]x", "ax", false],
  ["[]x]", "]", true],
  ["[!]x]", "]", false],
  ["[\\]]", "]", true],
  ["[[:digit:]_]", "7", true],
  ["[[:digit:]_]", "_", true],
  ["[[:digit:]_]", "x", false],
  ["[a-]", "-", true],
  ["[a", "[a", false],
  [`[${"x".repeat(100)}]`, "x", false],
  ["*a*b*", "xaxbx", true],
  ["*a*b", "ba", false],
  ["", "a", false],
  ["\\", "\\", false]
])("%j matches %j: %s", (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected)
})

describe("any path", () => {
  const name = fc.string({ minLength: 1 }).filter((name) => !name.includes("/"))
  const path = fc.array(name, { minLength: 1 }).map((names) => names.join("/"))
  const literal = (path: string) => path.replaceAll(/[*?[\\]/g, (character) => `\\${character}`)

  it("matches itself, below anything too", () => {
    fc.assert(
      fc.property(path, path, (path, around) => {
        expect(matches(`/${literal(path)}`, path)).toBe(true)
        expect(matches(`**/${literal(path)}`, `${around}/${path}`)).toBe(true)
      })
    )
  })

  it("never takes more steps than there are", () => {
    expect(matches(`${"*a".repeat(500)}b`, "a".repeat(100_000), 1_000)).toBe(false)
    expect(matches(`${"**/a/".repeat(200)}b`, "a/".repeat(20_000), 1_000)).toBe(false)
  })
})
