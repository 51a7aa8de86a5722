import { describe, expect, it } from "vitest"
import { commonAncestors, type History, LimitExceeded, reaches } from "#src/git/history/commonAncestors.ts"

/** A line of commits, each the parent of the next, with heights as generations. */
const line: History = {
  size: 101,
  parents: (commit) => (commit === 0 ? [] : [commit - 1]),
  date: (commit) => commit,
  generation: (commit) => commit + 1,
  hasCorrectedDates: false
}

describe("within the limit", () => {
  it("the older of two commits of a line is what they share", () => {
    expect(commonAncestors(line, 100, [40], 124)).toEqual([40])
  })

  it("a commit reaches another one", () => {
    expect([reaches(line, 40, 100, 120), reaches(line, 100, 40, 120)]).toEqual([true, false])
  })
})

describe("beyond the limit", () => {
  it("neither is answered", () => {
    expect(() => commonAncestors(line, 100, [40], 118)).toThrow(LimitExceeded)
    expect(() => reaches(line, 40, 100, 119)).toThrow(LimitExceeded)
  })
})

it("the limit holds for all walks together, and for parents", () => {
  /** Two commits with the same hundred parents, all of which they share. */
  const wide: History = {
    size: 102,
    parents: (commit) => (commit < 100 ? [] : Array.from({ length: 100 }, (_, parent) => parent)),
    date: (commit) => commit,
    generation: () => Number.POSITIVE_INFINITY,
    hasCorrectedDates: false
  }
  expect(commonAncestors(wide, 100, [101], 20_000)).toHaveLength(100)
  // Each is looked for from each other one: 9,900 walks of one commit.
  expect(() => commonAncestors(wide, 100, [101], 9_900)).toThrow(LimitExceeded)
  expect(() => commonAncestors(wide, 100, [101], 150)).toThrow(LimitExceeded)
})

it("a commit whose generation is not known is looked for everywhere", () => {
  const unknown: History = { ...line, generation: () => Number.POSITIVE_INFINITY }
  expect([reaches(unknown, 40, 100, 200), reaches(unknown, 100, 40, 200)]).toEqual([true, false])
})
