import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { diff } from "#src/git/diff/diff.ts"
import { noLimits } from "#src/git/diff/limits.ts"
import { type VersionRequest, versionOf } from "#src/git/diff/versions.ts"
import { mergeBase } from "#src/git/history/mergeBase.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { randomHistory } from "#test/support/git/gitRandom.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useMerges } from "../merge/useMerges.ts"

const folder = temporaryFolder()
const runMerges = useMerges()
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join("")

let fixture: GitFixture
let ids: Record<string, string> = {}
beforeAll(() => {
  fixture = emptyRepository(`${folder()}/versions.git`)
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`many/${index}`, `${index}\n`]))
  ids = fixture.commits([
    { mark: "base", files: { a: numbered(50), b: "b\n", "package-lock.json": "{}\n" } },
    { mark: "main", files: { c: "c\n" } },
    { mark: "one", ref: "refs/heads/change", parents: ["base"], files: { a: `${numbered(50)}one\n` } },
    {
      mark: "two",
      ref: "refs/heads/change",
      files: { b: null, "b b": "b\n", "package-lock.json": "{2}\n", bin: Buffer.from("\0x") }
    },
    { mark: "rebased", ref: "refs/heads/rebased", parents: ["main"], files: { a: `${numbered(50)}one\n` } },
    { mark: "merging", ref: "refs/heads/merging", parents: ["two", "main"], files: { c: "c\n" } },
    { mark: "empty", ref: "refs/heads/empty", parents: ["base"], files: {} },
    { mark: "many", ref: "refs/heads/many", parents: ["base"], files: many },
    { mark: "long", ref: "refs/heads/long", parents: ["base"], files: { long: numbered(49_999), more: numbered(10) } },
    { mark: "large", ref: "refs/heads/large", parents: ["base"], files: { large: numbered(30_000) } }
  ])
})

const id = (mark: string): string => ids[mark] ?? mark
const version = (base: string, start: string, head: string, more: Partial<VersionRequest> = {}) =>
  runMerges(versionOf(fixture.repository, { base: id(base), start: id(start), head: id(head), ...more }))
/** What git itself makes of the same patches. */
const patchIdByGit = ({ git, gitBytes }: GitFixture, from: string, to: string): string | null => {
  const patches = gitBytes(["diff", "--find-renames=30%", "--full-index", from, to])
  return git(["patch-id", "--stable"], patches).slice(0, 40) || null
}

describe("a version", () => {
  it("has the entries of the diff, the commits of the change and its patch id", async () => {
    const found = await version("base", "main", "two")
    const { entries } = await runMerges(diff(fixture.repository, { from: id("base"), to: id("two") }))
    expect(found).toEqual({
      entries: entries.map((entry) => ({ ...entry, isGenerated: false })),
      isOverflow: false,
      size: "4",
      patchId: patchIdByGit(fixture, id("base"), id("two")),
      commits: { ids: [id("two"), id("one")], isCutShort: false }
    })
    expect(await version("base", "main", "two")).toEqual(found)
  })

  it("has the same patch id after a rebase", async () => {
    const before = await version("base", "main", "one")
    expect(before.patchId).toMatch(/^[0-9a-f]{40}$/)
    expect((await version("main", "main", "rebased")).patchId).toBe(before.patchId)
  })

  it("leaves out what the target has, also where it was merged into the source", async () => {
    const { commits, entries } = await version("main", "main", "merging")
    expect(commits.ids).toEqual([id("merging"), id("two"), id("one")])
    expect(entries.map(({ newPath }) => newPath)).not.toContain("c")
  })

  it("of a commit that changes nothing has no patch id", async () => {
    const commits = { ids: [id("empty")], isCutShort: false }
    expect(await version("base", "main", "empty")).toEqual({ entries: [], isOverflow: false, size: "0", patchId: null, commits })
    expect((await version("base", "main", "base")).commits).toEqual({ ids: [], isCutShort: false })
  })

  it("tells which files are made by tools", async () => {
    const { entries } = await version("base", "main", "two", { isGenerated: ({ newPath }) => newPath.endsWith("-lock.json") })
    expect(entries.filter(({ isGenerated }) => isGenerated).map(({ newPath }) => newPath)).toEqual(["package-lock.json"])
  })

  it("is cut at its limits, and has the patch id of the whole change all the same", async () => {
    const many = await version("base", "main", "many")
    expect([many.entries.length, many.isOverflow, many.size]).toEqual([1000, true, "1000+"])
    expect(many.patchId).toBe(patchIdByGit(fixture, id("base"), id("many")))
    const large = await version("base", "main", "large")
    expect(large).toMatchObject({ size: "1", isOverflow: false, entries: [{ isTooLarge: true, diff: "" }] })
    const lines = { ...noLimits, hard: { ...noLimits.hard, lines: 50_000 } }
    expect(await version("base", "main", "long", { limits: lines })).toMatchObject({ size: "1+", isOverflow: true })
    expect((await version("base", "main", "two", { maxCommits: 1 })).commits).toEqual({ ids: [id("two")], isCutShort: true })
  })

  it("shows texts of many files whole", async () => {
    const { entries } = await version("base", "main", "many")
    expect(entries.every(({ diff: text, isCollapsed }) => text !== "" && !isCollapsed)).toBe(true)
  })
})

describe("versions in random histories", () => {
  it("have the commits and patch ids of git", async () => {
    const random = emptyRepository(`${folder()}/random.git`)
    const commits = Object.values(random.commits(randomHistory(60, 6)))
    for (let index = 0; index < 25; index++) {
      const [start = "", head = ""] = [commits[(index * 7) % 60], commits[(index * 11 + 3) % 60]]
      const base = await runMerges(mergeBase(random.repository, [start, head]))
      if (base === null) continue
      const found = await runMerges(Effect.orDie(versionOf(random.repository, { base, start, head })))
      const listed = random
        .git(["rev-list", head, `^${start}`])
        .split("\n")
        .filter(Boolean)
      expect(found.commits.ids).toEqual(listed)
      expect(found.patchId).toBe(patchIdByGit(random, base, head))
    }
  })
})
