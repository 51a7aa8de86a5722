import { readdirSync } from "node:fs"
import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { type Trial, trialMerge, writeMergedTree } from "#src/git/merge/trialMerge.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { randomHistory } from "#test/support/git/gitRandom.ts"
import { gitWork } from "#test/support/git/gitWork.ts"
import { wideTree } from "#test/support/git/treeBomb.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useMerges } from "./useMerges.ts"

const folder = temporaryFolder()
const runMerges = useMerges()
const lines = (first: string, last: string) => [first, ...Array.from({ length: 20 }, (_, index) => index), last, ""].join("\n")

let fixture: GitFixture
let ids: Record<string, string> = {}
beforeAll(() => {
  fixture = emptyRepository(`${folder()}/trial.git`)
  const files = { "a.txt": lines("a", "z"), "old/1": lines("1", "1"), "old/2": lines("2", "2") }
  ids = fixture.commits([
    { mark: "base", files },
    { mark: "ours", ref: "refs/heads/ours", parents: ["base"], files: { "a.txt": lines("ours", "z") } },
    { mark: "theirs", ref: "refs/heads/theirs", parents: ["base"], files: { "a.txt": lines("a", "theirs") } },
    { mark: "clash", ref: "refs/heads/clash", parents: ["base"], files: { "a.txt": lines("clash", "z") } },
    { mark: "alone", ref: "refs/heads/alone", parents: [], files: { "b.txt": "b\n" } },
    // One side moves the files of a directory to two others, and the other side puts one more into it.
    {
      mark: "split",
      ref: "refs/heads/split",
      parents: ["base"],
      files: { "old/1": null, "old/2": null, "one/1": lines("1", "1"), "two/2": lines("2", "2") }
    },
    { mark: "more", ref: "refs/heads/more", parents: ["base"], files: { "old/3": "3\n" } }
  ])
})

const id = (mark: string): string => ids[mark] ?? mark
const trial = (target: string, source: string): Promise<Trial> =>
  runMerges(trialMerge(fixture.repository, { target: id(target), source: id(source) }))
const objects = (): ReadonlyArray<string> =>
  readdirSync(`${fixture.repository.path}/objects`, { recursive: true }).map(String).sort()

describe("a trial of a merge", () => {
  it("tells the tree of a clean one, and leaves nothing behind", async () => {
    const before = objects()
    const found = await trial("ours", "theirs")
    expect(objects()).toEqual(before)
    expect(found).toMatchObject({ _tag: "Clean", isFastForward: false })
    expect(await runMerges(writeMergedTree(fixture.repository, { target: id("ours"), source: id("theirs") }))).toEqual(found)
    expect(fixture.git(["show", `${found._tag === "Clean" ? found.tree : ""}:a.txt`])).toBe(lines("ours", "theirs").trimEnd())
    expect(objects().filter((path) => path.includes("tmp"))).toEqual([])
    fixture.git(["fsck", "--strict"])
  })

  it("tells the files in conflict, and writes nothing of them", async () => {
    const before = objects()
    const heads = { target: id("ours"), source: id("clash") }
    expect(await trial("ours", "clash")).toEqual({ _tag: "Conflict", files: ["a.txt"] })
    expect(await runMerges(writeMergedTree(fixture.repository, heads))).toEqual({ _tag: "Conflict", files: ["a.txt"] })
    expect(objects()).toEqual(before)
  })

  it("needs no merge where one side has all of the other", async () => {
    const tree = fixture.git(["rev-parse", `${id("ours")}^{tree}`])
    expect(await trial("base", "ours")).toEqual({ _tag: "Clean", tree, isFastForward: true, bases: [id("base")] })
    expect(await trial("ours", "base")).toEqual({ _tag: "AlreadyMerged" })
    expect(await trial("ours", "ours")).toEqual({ _tag: "AlreadyMerged" })
    expect(await trial("ours", "alone")).toEqual({ _tag: "NothingInCommon" })
  })

  it("conflicts where it is not clear into which directory a file belongs", async () => {
    expect((await trial("split", "more"))._tag).toBe("Conflict")
    expect(gitWork(fixture, id("base")).merge(id("split"), id("more"))).toBe(undefined)
  })

  it("fails for what is no commit", async () => {
    const failure = Effect.flip(trialMerge(fixture.repository, { target: id("ours"), source: "1".repeat(40) }))
    expect(await runMerges(failure)).toMatchObject({ _tag: "GitFailed" })
  })
})

describe("a merge that expands", () => {
  it("is refused where each side may come in", async () => {
    const { git, object } = fixture
    const wide = wideTree(fixture, 6_000)
    const root = (names: ReadonlyArray<string>) =>
      git(["mktree"], `${names.map((name) => `040000 tree ${wide}\t${name}\n`).join("")}100644 blob ${object("blob", "x")}\tx\n`)
    const commit = (names: ReadonlyArray<string>, ...parents: ReadonlyArray<string>) =>
      git(["commit-tree", root(names), "-m", "x", ...parents.flatMap((parent) => ["-p", parent])])
    const base = commit([])
    const heads = { target: commit(["left"], base), source: commit(["right"], base) }
    const before = objects()
    expect(await runMerges(Effect.flip(trialMerge(fixture.repository, heads)))).toMatchObject({ _tag: "TreesRefused" })
    expect(await runMerges(Effect.flip(writeMergedTree(fixture.repository, heads)))).toMatchObject({ _tag: "TreesRefused" })
    expect(objects()).toEqual(before)
  })
})

describe("merges of random histories", () => {
  it.each([1, 2, 3])("are those of git (%i)", async (seed) => {
    const random = emptyRepository(`${folder()}/random-${seed}.git`)
    const commits = Object.values(random.commits(randomHistory(60, seed)))
    const work = gitWork(random, "refs/heads/b0")
    const verdicts = new Map<string, number>()
    for (let index = 0; index < 40; index++) {
      const heads = { target: commits[(index * 7) % 60] ?? "", source: commits[(index * 11 + seed) % 60] ?? "" }
      const found = await runMerges(trialMerge(random.repository, heads))
      verdicts.set(found._tag, (verdicts.get(found._tag) ?? 0) + 1)
      const made = work.merge(heads.target, heads.source)
      if (found._tag === "Clean") expect(made && random.git(["rev-parse", `${made}^{tree}`])).toBe(found.tree)
      if (found._tag === "Conflict" || found._tag === "NothingInCommon") expect(made).toBe(undefined)
      if (found._tag === "AlreadyMerged") expect(made).toBe(heads.target)
    }
    expect([...verdicts.keys()]).toEqual(expect.arrayContaining(["Clean", "Conflict"]))
  })
})
