import { expect, it } from "vitest"
import { codeSpans } from "#src/mergeRequests/text/codeSpans.ts"

/** The paragraph with what is in code spans, and their backticks, as points. */
const hidden = (paragraph: string) => {
  const isCode = codeSpans(paragraph)
  return paragraph
    .split("")
    .map((character, at) => (isCode(at) ? "." : character))
    .join("")
}

it.each([
  ["a", "a"],
  ["a `b` c", "a ... c"],
  ["a `b c", "a `b c"],
  ["a ``b ` c`` d", "a ......... d"],
  ["`a` b `c`", "... b ..."],
  ["`` a ` b ` c", "`` a ..... c"],
  ["` a `` b ` c ``", ".......... c ``"],
  ["`a\nb` c", "..... c"]
])("%j is %j without code", (paragraph, expected) => {
  expect(hidden(paragraph)).toBe(expected)
})
