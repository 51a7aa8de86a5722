import fc from "fast-check"
import { expect, it } from "vitest"
import { trailersOf } from "#src/git/objects/trailers.ts"
import { runProgram } from "#test/support/processes/runProgram.ts"

const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" }

const foundByGit = (message: string): string =>
  runProgram("git", ["interpret-trailers", "--parse", "--no-divider"], { input: message, env }).toString()

const asText = (message: string): string =>
  trailersOf(message)
    .map(({ key, value }) => `${key}: ${value}\n`)
    .join("")

it.each([
  ["Title\n\nChangelog: added\n", [["Changelog", "added"]]],
  [
    "Title\n\nBody\n\nA: 1\nA: 2\nb-c: x: y\n",
    [
      ["A", "1"],
      ["A", "2"],
      ["b-c", "x: y"]
    ]
  ],
  [
    "Title\n\nA: one\n  two\n\tthree\nB:\n",
    [
      ["A", "one two three"],
      ["B", ""]
    ]
  ],
  ["A: title is never one\n", []],
  ["Title\nA: no blank line\n", []],
  ["Title\n\nA: x\n\nBody\n", []],
  [
    "Title\n\nsome text\nSigned-off-by: A <a@b>\nmore: text\n",
    [
      ["Signed-off-by", "A <a@b>"],
      ["more", "text"]
    ]
  ],
  ["Title\n\ntext\nmore: text\n", []],
  ["Title\n\nKey : spaced\n(cherry picked from commit 1234)\n", [["Key", "spaced"]]],
  ["Title\n\nA: 1\n# comment\n\n", [["A", "1"]]],
  ["Title\n\nA: 1\n\nConflicts:\n\tfile\n", [["A", "1"]]],
  ["Title\n\n---\nA: 1\n", []],
  ["", []]
])("finds in %j", (message, expected) => {
  expect(trailersOf(message).map(({ key, value }) => [key, value])).toEqual(expected)
  expect(asText(message)).toBe(foundByGit(message))
})

it("finds what git finds", () => {
  const line = fc.constantFrom(
    "Title",
    "",
    "",
    "text",
    "A: 1",
    "B-c: x: y",
    "Signed-off-by: A <a@b>",
    "(cherry picked from commit 12)",
    "  more",
    "\tmore",
    " ",
    "# comment",
    "Key : v",
    "Key  : v",
    "K ey: v",
    ": v",
    "Conflicts:",
    "---",
    "é: v",
    "a:b",
    "A:",
    "# ------------------------ >8 ------------------------",
    "text  ",
    "A: 1\r",
    "\r"
  )
  const message = fc
    .tuple(fc.array(line, { maxLength: 10 }), fc.constantFrom("", "\n"))
    .map(([lines, end]) => lines.join("\n") + end)
  fc.assert(
    fc.property(message, (it) => {
      expect(asText(it)).toBe(foundByGit(it))
    }),
    { numRuns: 400 }
  )
})
