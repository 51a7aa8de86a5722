import { Effect } from "effect"
import { expect, it } from "vitest"
import { findIn, piecesOf } from "#src/mergeRequests/closing/texts.ts"
import { closingReferences, type IssueReference } from "#src/mergeRequests/text/closingReferences.ts"

const context = { externalUrl: "https://git.example.com", projectPath: "a/b" }

const found = async (...texts: ReadonlyArray<string>) => {
  const references = new Map<string, IssueReference>()
  await Effect.runPromise(findIn(texts, (piece) => closingReferences([piece], context), references))
  return [...references.values()].map(({ iid, project = "" }) => `${project}#${iid}`)
}

const filler = "some words ".repeat(3_000)

it("finds each issue once, in several texts", async () => {
  expect(await found("Closes #1", "", "Fixes #2, a/c#1\nCloses #1")).toEqual(["#1", "#2", "a/c#1"])
})

it.each([
  ["lines", "\n"],
  ["a single line", " "]
])("finds what is far back in %s", async (_, between) => {
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
  const text = numbers.map((number) => `${filler.slice(0, 2_000 + number * 97)}${between}Closes #${number}00`).join(between)
  expect(await found(text)).toEqual(numbers.map((number) => `#${number}00`))
})

it("finds a thousand at the most", async () => {
  const text = Array.from({ length: 3_000 }, (_, index) => `Closes #${index + 1}`).join("\n")
  expect(await found(text, "Closes #5000")).toHaveLength(1_000)
})

it.each([
  "",
  "a",
  "a\n",
  "\n".repeat(100_000),
  "a".repeat(100_000),
  " ".repeat(100_000),
  filler,
  `${"a".repeat(20_000)} ${filler}`
])("reads all of a text, a little at a time: row %#", (text) => {
  const pieces = [...piecesOf(text)]
  expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThanOrEqual(16_384)
  expect(pieces.length).toBeLessThan(20)
  expect(pieces.join("").length).toBeGreaterThanOrEqual(text.length - pieces.length)
})
