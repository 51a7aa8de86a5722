import { describe, expect, it } from "vitest"
import { refDifference } from "#src/git/refs/pushedRefs.ts"

const [one, two] = ["1".repeat(40), "2".repeat(40)]

describe("refDifference", () => {
  it("is what leads from the record to the repository", () => {
    const recorded = new Map([
      ["refs/heads/gone", one],
      ["refs/heads/moved", one],
      ["refs/heads/same", one]
    ])
    const real = new Map([
      ["refs/heads/same", one],
      ["refs/heads/new", two],
      ["refs/heads/moved", two]
    ])
    expect(refDifference(recorded, real)).toEqual([
      { ref: "refs/heads/gone", before: one, after: null },
      { ref: "refs/heads/moved", before: one, after: two },
      { ref: "refs/heads/new", before: null, after: two }
    ])
    expect(refDifference(real, real)).toEqual([])
  })
})
