import fc from "fast-check"
import { expect, it } from "vitest"
import { changedParts } from "#src/mergeRequests/text/changedParts.ts"

it.each([
  ["same", "same", "same", "same"],
  ["", "new", "", "{+new+}"],
  ["old", "", "{-old-}", ""],
  ["aa", "aaa", "aa", "aa{+a+}"],
  ["a b c", "a x y c", "a {-b-} c", "a {+x y+} c"],
  ["😀", "😁", "{-😀-}", "{+😁+}"]
])("%j to %j", (from, to, removed, added) => {
  expect(changedParts(from, to)).toEqual({ removed, added })
})

it("marks parts of what is there", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "😀") })
  fc.assert(
    fc.property(text, text, (from, to) => {
      const { added, removed } = changedParts(from, to)
      expect([removed.replace(/\{-|-\}/g, ""), added.replace(/\{\+|\+\}/g, "")]).toEqual([from, to])
    })
  )
})
