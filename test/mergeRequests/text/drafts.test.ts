import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isDraft, looksLikeDraft, makesDraft, markDraft, unmarkDraft } from "#src/mergeRequests/text/drafts.ts"

const titles: ReadonlyArray<readonly [title: string, isDraft: boolean, unmarked: string]> = [
  ["Draft: x", true, "x"],
  ["draft:x", true, "x"],
  ["[Draft] x", true, "x"],
  ["(DRAFT)x", true, "x"],
  ["Draft: [Draft] x", true, "[Draft] x"],
  ["Draft:", true, ""],
  ["Draft - x", false, "Draft - x"],
  ["draft -", false, "draft -"],
  ["Draft", false, "Draft"],
  ["Draftfoo", false, "Draftfoo"],
  [" Draft: x", false, " Draft: x"],
  ["WIP: x", false, "WIP: x"],
  ["[WIP] x", false, "[WIP] x"],
  ["(WIP) x", false, "(WIP) x"],
  ["Undraft: x", false, "Undraft: x"],
  ["", false, ""]
]

it.each(titles)("whether %j is a draft: %s; not marked, it is %j", (title, expected, unmarked) => {
  expect([isDraft(title), unmarkDraft(title)]).toEqual([expected, unmarked])
})

it.each([
  ["squash! x", true],
  ["fixup! x", true],
  ["draft: x", true],
  ["[DRAFT] x", true],
  ["(Draft) x", true],
  ["FIXUP! x", false],
  ["fixup!x", false],
  ["amend! x", false],
  ["Draft - x", false],
  ["WIP: x", false],
  ["draft", false]
])("whether a commit %j makes a draft: %s", (title, expected) => {
  expect(makesDraft(title)).toBe(expected)
})

it("finds more titles than are drafts", () => {
  expect(titles.filter(([title, isDraft]) => looksLikeDraft(title) !== isDraft).map(([title]) => title)).toEqual(["Draft - x"])
})

describe("any title", () => {
  const title = fc.oneof(fc.string(), fc.constantFrom(...titles.map(([title]) => title)))

  it("is a draft once it is marked, and marking again changes nothing", () => {
    fc.assert(
      fc.property(title, (title) => {
        expect(isDraft(markDraft(title))).toBe(true)
        expect(markDraft(markDraft(title))).toBe(markDraft(title))
      })
    )
  })

  it("comes back, but for blanks before it", () => {
    fc.assert(
      fc.property(title, (title) => {
        if (!isDraft(title)) expect(unmarkDraft(markDraft(title))).toBe(title.trimStart())
      })
    )
  })
})
