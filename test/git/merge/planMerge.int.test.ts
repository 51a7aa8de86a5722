import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { type MergeOrder, planMerge, writePlan } from "#src/git/merge/planMerge.ts"
import { needsSquash } from "#src/git/merge/squash.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { randomHistory } from "#test/support/git/gitRandom.ts"
import { gitWork } from "#test/support/git/gitWork.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useMerges } from "./useMerges.ts"

const folder = temporaryFolder()
const runMerges = useMerges()

let fixture: GitFixture
let ids: Record<string, string> = {}
beforeAll(() => {
  fixture = emptyRepository(`${folder()}/plan.git`)
  ids = fixture.commits([
    { mark: "base", files: { a: "a\n", b: "b\n" } },
    { mark: "main", files: { a: "main\n" } },
    { mark: "one", ref: "refs/heads/change", parents: ["base"], files: { b: "one\n" }, message: "One\n" },
    { mark: "two", ref: "refs/heads/change", files: { c: "two\n" } },
    { mark: "ahead", ref: "refs/heads/ahead", parents: ["main"], files: { c: "ahead\n" } },
    { mark: "further", ref: "refs/heads/ahead", files: { d: "further\n" } },
    { mark: "clash", ref: "refs/heads/clash", parents: ["base"], files: { a: "clash\n" } },
    { mark: "alone", ref: "refs/heads/alone", parents: [], files: { z: "z\n" } },
    // Two sides that have merged each other.
    { mark: "left", ref: "refs/heads/left", parents: ["main", "one"], files: { b: "one\n", l: "l\n" } },
    { mark: "right", ref: "refs/heads/right", parents: ["one", "main"], files: { a: "main\n", r: "r\n" } }
  ])
})

const merger = { name: "Mira Holt", email: "mira@example.com", seconds: 1_700_009_000, offset: "+0000" }
const author = { name: "Ann Author", email: "ann@example.com", seconds: 1_700_008_000, offset: "+0200" }
const merge = { author: merger, committer: merger, message: "Merge it" }
const squash = { author, committer: merger, message: "All of it" }
const id = (mark: string): string => ids[mark] ?? mark
const order = (target: string, source: string, more: Partial<MergeOrder> = {}): MergeOrder => ({
  method: "merge",
  merge,
  target: id(target),
  source: id(source),
  ...more
})
const planned = (given: MergeOrder) => runMerges(planMerge(fixture.repository, given))
const refused = (given: MergeOrder) => runMerges(Effect.flip(planMerge(fixture.repository, given)))
const made = async (given: MergeOrder) => {
  const plan = await planned(given)
  expect(await runMerges(writePlan(fixture.repository, plan))).toBe(plan.head)
  return plan
}
const show = (commit: string) => fixture.git(["log", "-1", "--format=%P|%an %at|%cn %ct|%B", commit])
const files = (commit: string) => fixture.git(["ls-tree", "--name-only", "-r", commit]).split("\n").join(" ")

describe("a plan", () => {
  it("of a merge commit is made the same way however often, and moves nothing", async () => {
    const refs = fixture.git(["show-ref"])
    const plan = await made(order("main", "two"))
    expect(plan).toMatchObject({ mergeCommit: plan.head, squashCommit: null })
    expect(show(plan.head)).toBe(`${id("main")} ${id("two")}|Mira Holt 1700009000|Mira Holt 1700009000|Merge it`)
    expect(await made(order("main", "two"))).toEqual(plan)
    expect(fixture.git(["show-ref"])).toBe(refs)
    expect(fixture.git(["rev-list", "--all"])).not.toContain(plan.head)
    fixture.git(["fsck", "--strict"])
  })

  it("makes a merge commit also where the source has all of the target", async () => {
    const { head } = await made(order("main", "further"))
    expect(fixture.git(["rev-parse", `${head}^@`]).split("\n")).toEqual([id("main"), id("further")])
    expect(fixture.git(["rev-parse", `${head}^{tree}`])).toBe(fixture.git(["rev-parse", `${id("further")}^{tree}`]))
  })

  it("of a squash has one commit on the merge base, by the author, and the merge on top", async () => {
    const { head, squashCommit } = await made(order("main", "two", { squash }))
    expect(show(head)).toContain(`${id("main")} ${squashCommit}|`)
    expect(show(squashCommit ?? "")).toBe(`${id("base")}|Ann Author 1700008000|Mira Holt 1700009000|All of it`)
    expect(files(head)).toBe("a b c")
    expect(fixture.git(["show", `${head}:a`])).toBe("main")
    expect(await made(order("main", "two", { squash }))).toMatchObject({ head, squashCommit })
  })

  it("leaves a single commit alone that has the message already", async () => {
    const { squashCommit } = await made(order("main", "one", { squash: { ...squash, message: "One" } }))
    expect(squashCommit).toBe(id("one"))
    const other = await made(order("main", "one", { squash }))
    expect(show(other.squashCommit ?? "")).toContain("All of it")
  })

  it("squashes one that begins at several merge bases", async () => {
    const { head, squashCommit } = await made(order("left", "right", { squash }))
    expect(fixture.git(["rev-list", "--count", `${id("left")}..${squashCommit}`])).toBe("1")
    expect(files(head)).toBe("a b l r")
    expect(fixture.git(["show", `${head}:a`, `${head}:b`])).toBe("main\none")
  })

  it("of a fast-forward makes no merge commit", async () => {
    const source = id("further")
    expect(await made(order("main", "further", { method: "ff" }))).toEqual({
      commits: [],
      head: source,
      mergeCommit: null,
      squashCommit: null
    })
    const squashed = await made(order("main", "further", { method: "ff", squash }))
    expect(squashed).toMatchObject({ mergeCommit: null, squashCommit: squashed.head })
    expect(show(squashed.head)).toContain(`${id("main")}|Ann`)
    expect(files(squashed.head)).toBe("a b c d")
  })

  it("refuses where the method wants all of the target in the source", async () => {
    for (const method of ["ff", "rebase_merge"] as const)
      expect(await refused(order("main", "two", { method }))).toMatchObject({ _tag: "RebaseNeeded" })
    const { head } = await made(order("main", "further", { method: "rebase_merge" }))
    expect(fixture.git(["rev-parse", `${head}^@`]).split("\n")).toEqual([id("main"), id("further")])
  })

  it("refuses what cannot be merged, by any method", async () => {
    expect(await refused(order("main", "clash"))).toMatchObject({ _tag: "MergeConflicts", files: ["a"] })
    for (const method of ["merge", "ff", "rebase_merge"] as const) {
      expect(await refused(order("main", "base", { method, squash }))).toMatchObject({ _tag: "AlreadyMerged" })
      expect(await refused(order("main", "alone", { method }))).toMatchObject({ _tag: "NothingInCommon" })
    }
  })

  it("is not written when what it leads to is gone, until it is planned again", async () => {
    const plan = await planned(order("main", "two", { merge: { ...merge, message: "Later" } }))
    fixture.git(["prune", "--expire=now"])
    expect(await runMerges(Effect.flip(writePlan(fixture.repository, plan)))).toMatchObject({ _tag: "GitFailed" })
    expect(fixture.git(["show-ref"])).not.toContain(plan.head)
    expect(await made(order("main", "two", { merge: { ...merge, message: "Later" } }))).toEqual(plan)
  })
})

describe("plans in random histories", () => {
  it.each([4, 5])("have the trees that git makes (%i)", async (seed) => {
    const random = emptyRepository(`${folder()}/random-${seed}.git`)
    const commits = Object.values(random.commits(randomHistory(60, seed)))
    const work = gitWork(random, "refs/heads/b0")
    for (let index = 0; index < 25; index++) {
      const heads = { target: commits[(index * 13) % 60] ?? "", source: commits[(index * 17 + seed) % 60] ?? "" }
      const tree = (commit: string) => random.git(["rev-parse", `${commit}^{tree}`])
      const plan = await runMerges(Effect.result(planMerge(random.repository, { ...order("", ""), ...heads })))
      const merged = work.merge(heads.target, heads.source)
      if (plan._tag === "Failure") {
        if (plan.failure._tag === "AlreadyMerged") expect(merged).toBe(heads.target)
        else expect(merged).toBe(undefined)
        continue
      }
      expect(tree(await runMerges(writePlan(random.repository, plan.success)))).toBe(merged && tree(merged))
    }
  })
})

describe("the rule of squashing", () => {
  const rows: ReadonlyArray<readonly [isSingle: boolean, message: string, wanted: string, expected: boolean]> = [
    [true, "One\n", "One", false],
    [true, "One", "One\n\n", false],
    [true, "One\n", "Two", true],
    [true, "One\n", "One ", true],
    [false, "One\n", "One", true]
  ]
  it.each(rows)("%j %j %j → %j", (isSingle, message, wanted, expected) => {
    expect(needsSquash({ isSingle, message }, wanted)).toBe(expected)
  })
})
