import { Effect } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { mergeRef } from "#src/git/merge/mergeRef.ts"
import { mergeRefName } from "#src/git/merge/mergeRequestRefs.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useMerges } from "./useMerges.ts"

const folder = temporaryFolder()
const runMerges = useMerges()

let number = 0
let fixture: GitFixture
type Mark = "base" | "main" | "later" | "change" | "clash"
let ids: Partial<Record<Mark, string>> = {}
beforeEach(() => {
  fixture = emptyRepository(`${folder()}/${++number}.git`)
  ids = fixture.commits([
    { mark: "base", files: { a: "a\n" } },
    { mark: "main", files: { b: "main\n" } },
    { mark: "later", files: { c: "later\n" } },
    { mark: "change", ref: "refs/heads/change", parents: ["base"], files: { a: "change\n" } },
    { mark: "clash", ref: "refs/heads/clash", parents: ["base"], files: { b: "clash\n" } }
  ])
})

const orderOf = (target: Mark, source: Mark, seconds: number) => {
  const person = { name: "Mira Holt", email: "mira@example.com", seconds, offset: "+0000" }
  const merge = { author: person, committer: person, message: "Merge it" }
  return { iid: 7, target: ids[target] ?? "", source: ids[source] ?? "", merge }
}
const make = (target: Mark, source: Mark, seconds = 1_700_009_000) =>
  mergeRef(fixture.repository, orderOf(target, source, seconds))
const ref = () => fixture.git(["for-each-ref", "--format=%(objectname)", mergeRefName(7)])
const parents = (commit: string) => fixture.git(["rev-parse", `${commit}^@`]).split("\n")

describe("the merge ref", () => {
  it("names a merge of both heads, which stays while they do", async () => {
    const commit = await runMerges(make("main", "change"))
    expect([ref(), parents(commit)]).toEqual([commit, [ids.main, ids.change]])
    expect(await runMerges(make("main", "change", 1_700_099_000))).toBe(commit)
    expect(ref()).toBe(commit)
    fixture.git(["fsck", "--strict"])
  })

  it("moves when a head does, and is a merge also where none is needed", async () => {
    const before = await runMerges(make("main", "change"))
    const after = await runMerges(make("later", "change"))
    expect([ref(), parents(after)]).toEqual([after, [ids.later, ids.change]])
    expect(after).not.toBe(before)
    expect(parents(await runMerges(make("base", "change")))).toEqual([ids.base, ids.change])
  })

  it("stays where it is when the heads cannot be merged", async () => {
    const commit = await runMerges(make("main", "change"))
    expect(await runMerges(Effect.flip(make("main", "clash")))).toMatchObject({ _tag: "MergeConflicts", files: ["b"] })
    expect(await runMerges(Effect.flip(make("main", "base")))).toMatchObject({ _tag: "AlreadyMerged" })
    expect(ref()).toBe(commit)
  })

  it("is moved once by many callers at once, who all get the same", async () => {
    const all = Array.from({ length: 8 }, (_, index) => make("main", "change", 1_700_009_000 + index))
    const commits = await runMerges(Effect.all(all, { concurrency: "unbounded" }))
    expect(new Set(commits)).toEqual(new Set([ref()]))
  })
})
