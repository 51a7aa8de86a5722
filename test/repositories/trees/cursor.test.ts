import { describe, expect, it } from "vitest"
import type { EntryType, TreeEntry } from "#src/git/objects/tree.ts"
import { startOf, tokenAfter } from "#src/repositories/trees/cursor.ts"

const modes: Readonly<Record<EntryType, string>> = { tree: "040000", blob: "100644", commit: "160000" }
const entry = (type: EntryType, path: string, id = "a".repeat(40)): TreeEntry => ({
  id,
  name: path.slice(path.lastIndexOf("/") + 1),
  type,
  path,
  mode: modes[type]
})
const list = [
  entry("tree", "a-x"),
  entry("tree", "a"),
  entry("tree", "a/b"),
  entry("blob", "a/b/file", "b".repeat(40)),
  entry("blob", "z"),
  entry("commit", "sub")
]

it("a token leads behind its entry", () => {
  const starts = list.map((each, index) => startOf(list, tokenAfter(each, index)))
  expect(starts).toEqual([1, 2, 3, 4, 5, 6])
})

it("of entries that look alike each leads on", () => {
  const alike = [entry("blob", "x"), entry("blob", "x"), entry("blob", "x")]
  expect(alike.map((each, index) => startOf(alike, tokenAfter(each, index)))).toEqual([1, 2, 3])
})

describe("in a list that has changed", () => {
  it("its entry is found wherever it is", () => {
    const token = tokenAfter(entry("blob", "z"), 4)
    expect(startOf([entry("tree", "new"), ...list], token)).toBe(6)
    expect(startOf(list.slice(3), token)).toBe(2)
  })

  it.each([
    ["a directory that is gone", entry("tree", "a"), [entry("tree", "a-x"), entry("tree", "a/c"), entry("blob", "b")], 1],
    ["a last directory that is gone", entry("tree", "zz"), [entry("tree", "a"), entry("blob", "b")], 1],
    ["a file that is gone", entry("blob", "m"), [entry("tree", "z"), entry("blob", "a"), entry("blob", "n")], 2],
    ["a file that became a directory", entry("blob", "m"), [entry("tree", "m"), entry("blob", "a"), entry("commit", "s")], 2],
    ["the last of all", entry("commit", "sub"), list.slice(0, 5), 5],
    ["in an empty list", entry("blob", "z"), [], 0]
  ] as const)("%s", (_, gone, entries, start) => {
    expect(startOf(entries, tokenAfter(gone, 99))).toBe(start)
  })
})

it("an id leads behind the first entry that has it", () => {
  expect(startOf(list, "a".repeat(40))).toBe(1)
  expect(startOf(list, "b".repeat(40))).toBe(4)
  expect(startOf(list, "c".repeat(40))).toBeUndefined()
})

it.each(["", "x", "W10", "é", Buffer.from("[1,2,3]").toString("base64url"), Buffer.from('[0,"file","a"]').toString("base64url")])(
  "%j makes no sense",
  (token) => {
    expect(startOf(list, token)).toBeUndefined()
  }
)
