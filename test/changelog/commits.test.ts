import { describe, expect, it } from "vitest"
import { categoriesOf } from "#src/changelog/categories.ts"
import { type ChangelogCommit, countedCommits } from "#src/changelog/commits.ts"
import { entry, id } from "./samples.ts"

const commit = (digit: string, trailers: ChangelogCommit["trailers"], body = ""): ChangelogCommit => ({
  id: id(digit),
  message: `Commit ${digit}\n\n${body}`,
  trailers
})
const added = [["Changelog", "added"]] as const
const reverts = (digit: string, by = "This reverts commit"): string => `${by} ${id(digit)}.`

const counted = (commits: ReadonlyArray<ChangelogCommit>, trailer = "Changelog") =>
  countedCommits(commits, trailer).map(({ commit: { id: sha }, category }) => `${sha.charAt(0)} ${category}`)

describe("a commit counts", () => {
  it.each<[string, ReadonlyArray<ChangelogCommit>, ReadonlyArray<string>]>([
    [
      "with the trailer, newest first",
      [commit("c", added), commit("b", []), commit("a", [["Changelog", "fixed"]])],
      ["c added", "a fixed"]
    ],
    ["not with another case of the key", [commit("a", [["changelog", "added"]])], []],
    [
      "under the last of several values",
      [
        commit("a", [
          ["Changelog", "added"],
          ["X", "y"],
          ["Changelog", "fixed"]
        ])
      ],
      ["a fixed"]
    ],
    ["with an empty value", [commit("a", [["Changelog", ""]])], ["a "]],
    ["not after its revert, which counts only with the trailer", [commit("b", [], reverts("a")), commit("a", added)], []],
    ["not after its revert, which has the trailer", [commit("b", added, reverts("a")), commit("a", added)], ["b added"]],
    [
      "again when its revert is reverted",
      [commit("c", [], reverts("b")), commit("b", added, reverts("a")), commit("a", added)],
      ["a added"]
    ],
    ["when the revert is older", [commit("b", added), commit("a", added, reverts("b"))], ["b added", "a added"]],
    [
      "not after a line in other case",
      [commit("b", [], `x\n${reverts("a", "this REVERTS commit").replaceAll("a", "A")}`), commit("a", added)],
      []
    ],
    ["after a line that does not start so", [commit("b", [], ` ${reverts("a")}`), commit("a", added)], ["a added"]],
    ["after an abbreviated id", [commit("b", [], "This reverts commit aaaaaaaaaaaa."), commit("a", added)], ["a added"]],
    [
      "after a title with a body that names it",
      [{ ...commit("b", []), message: `${reverts("a")}\n\nx` }, commit("a", added)],
      ["a added"]
    ],
    ["after a title that names it", [{ ...commit("b", []), message: reverts("a") }, commit("a", added)], ["a added"]],
    [
      "not after any of several lines",
      [commit("c", [], `${reverts("a")}\n${reverts("b")}`), commit("b", added), commit("a", added)],
      []
    ]
  ])("%s", (_, commits, expected) => {
    expect(counted(commits)).toEqual(expected)
  })

  it("by another trailer", () => {
    expect(
      counted(
        [
          commit("a", [
            ["Type", "x"],
            ["Changelog", "y"]
          ])
        ],
        "Type"
      )
    ).toEqual(["a x"])
  })
})

describe("categories", () => {
  const entries = [
    entry("E5", "5", { category: "zeta" }),
    entry("E4", "4", { category: "bug" }),
    entry("E3", "3", { category: "feature" }),
    entry("E2", "2", { category: "fix" }),
    entry("E1", "1", { category: "zeta" }),
    entry("E0", "0", { category: "Features" })
  ]
  const titles = new Map([
    ["feature", "Features"],
    ["unused", "Unused"],
    ["fix", "Fixes"],
    ["bug", "Fixes"]
  ])
  const shown = (given: ReadonlyMap<string, string>) =>
    categoriesOf(entries, given).map(({ title, entries: found }) => `${title}: ${found.map((each) => each.title).join(" ")}`)

  it("come in the order of the configuration, then of first appearance; equal titles are one", () => {
    expect(shown(titles)).toEqual(["Features: E3 E0", "Fixes: E4 E2", "zeta: E5 E1"])
  })

  it("are the values without a configuration", () => {
    expect(shown(new Map())).toEqual(["zeta: E5 E1", "bug: E4", "feature: E3", "fix: E2", "Features: E0"])
  })
})
