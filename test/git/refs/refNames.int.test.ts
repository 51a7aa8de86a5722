import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isBranchName, isRefName } from "#src/git/refs/refNames.ts"
import { runProgram } from "#test/support/processes/runProgram.ts"

const accepts = (args: ReadonlyArray<string>): boolean => {
  try {
    runProgram("git", ["check-ref-format", ...args])
    return true
  } catch {
    return false
  }
}

/** Texts of the pieces that the rules are about. */
const piece = fc.constantFrom(
  "a",
  "B",
  "é",
  "\u{1f600}",
  "/",
  "//",
  ".",
  "..",
  ".lock",
  "lock",
  "@",
  "{",
  "@{",
  "~",
  "^",
  ":",
  "?",
  "*",
  "[",
  "\\",
  " ",
  "\t",
  "\n",
  "\u007f",
  "-",
  "HEAD",
  "refs",
  "heads",
  "\u0001",
  "]",
  "}",
  "'",
  "$",
  "%2F",
  "#",
  "\u00a0",
  "\u200b"
)
const text = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary", minLength: 1, maxLength: 6 }).filter((it) => !it.includes("\0"))
)

describe("names are those that git accepts", () => {
  it("of refs", () => {
    fc.assert(
      fc.property(text, (name) => {
        expect(isRefName(name)).toBe(accepts([name]))
        expect(isRefName(`refs/heads/${name}`)).toBe(accepts([`refs/heads/${name}`]))
      }),
      { numRuns: 250 }
    )
  })

  it("of branches", () => {
    fc.assert(
      fc.property(
        // Shorthands for branches, which `git` writes out.
        text.filter((name) => name !== "@" && !name.startsWith("@{")),
        (name) => {
          expect(isBranchName(name)).toBe(accepts(["--branch", name]))
        }
      ),
      { numRuns: 250 }
    )
  })
})

it.each([
  "",
  "\0",
  "a\0b",
  "refs/heads/\0",
  "\ud800/x",
  "refs/heads/\udfff",
  `refs/heads/${"x".repeat(201)}`,
  `refs/${"xy/".repeat(400)}z`
])("refuses what cannot be an argument, and what is too long: %j", (name) => {
  expect(isRefName(name)).toBe(false)
  expect(isBranchName(name)).toBe(false)
})
