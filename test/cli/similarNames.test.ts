import { assert, describe, it } from "vitest"
import { didYouMean, similarNames } from "#src/cli/similarNames.ts"

const known = ["users", "tokens", "keys", "clusters"]

describe("similarNames", () => {
  it("finds what is one or two letters off, the closest first, at most three", () => {
    assert.deepStrictEqual(similarNames("usres", known), ["users"])
    assert.deepStrictEqual(similarNames("Cluster", known), ["clusters"])
    assert.deepStrictEqual(similarNames("cluster-31", ["key-1", "cluster-4", "cluster-30", "cluster-3", "cluster-1"]), [
      "cluster-1",
      "cluster-3",
      "cluster-30"
    ])
  })

  it("finds nothing for another word", () => assert.deepStrictEqual(similarNames("pipelines", known), []))
})

describe("didYouMean", () => {
  it("lists the names", () => {
    assert.deepStrictEqual([[], ["a"], ["a", "b"], ["a", "b", "c"]].map(didYouMean), [
      "",
      ", did you mean a?",
      ", did you mean a or b?",
      ", did you mean a, b or c?"
    ])
  })
})
