import { readdirSync, rmSync } from "node:fs"
import { Effect } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { copyMissing, fetchHead, type NewHead } from "#src/git/merge/fetchHead.ts"
import { headRef, keptRef, removeRequestRefs } from "#src/git/merge/mergeRequestRefs.ts"
import { emptyRepository, type GitFixture, gitFixture } from "#test/support/git/gitFixtures.ts"
import { runProgram } from "#test/support/processes/runProgram.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useMerges } from "./useMerges.ts"

const folder = temporaryFolder()
const runMerges = useMerges()

let number = 0
let target: GitFixture
let fork: GitFixture
let ids: Record<"base" | "main" | "one" | "two" | "other", string>
beforeEach(() => {
  const path = `${folder()}/${++number}`
  target = emptyRepository(`${path}.git`)
  const { base } = target.commits([{ mark: "base", files: { a: "a\n", "d/b": "b\n" } }])
  runProgram("git", ["clone", "--quiet", "--bare", target.repository.path, `${path}-fork.git`])
  fork = gitFixture({ path: `${path}-fork.git` })
  const { main } = target.commits([{ mark: "main", files: { c: "c\n" } }])
  const own = fork.commits([
    { mark: "one", ref: "refs/heads/change", parents: [base], files: { "d/b": "one\n" } },
    { mark: "two", ref: "refs/heads/change", files: { "d/e": "two\n" } },
    { mark: "other", ref: "refs/heads/change", parents: [base], files: { "d/b": "other\n" } }
  ])
  ids = { base, main, ...own }
})

const fetchFork = (commit: string, from: string | null, more: Partial<NewHead> = {}) =>
  fetchHead(target.repository, { iid: 3, commit, from, source: fork.repository, known: [ids.main], ...more })
const refs = () => target.git(["for-each-ref", "--format=%(refname) %(objectname)", "refs/merge-requests", "refs/internal"])
const packs = () => readdirSync(`${target.repository.path}/objects/pack`).filter((name) => name.endsWith(".pack")).length

describe("a head of a fork", () => {
  it("is brought with all that it needs, and only that, and named", async () => {
    await runMerges(fetchFork(ids.two, null))
    expect(refs()).toBe(`${headRef(3)} ${ids.two}`)
    rmSync(fork.repository.path, { recursive: true })
    target.git(["fsck", "--strict", "--connectivity-only"])
    const [index = ""] = readdirSync(`${target.repository.path}/objects/pack`).filter((name) => name.endsWith(".idx"))
    // Two commits, with two trees and one file each.
    expect(target.git(["verify-pack", "-v", `${target.repository.path}/objects/pack/${index}`])).toMatch(
      /^non delta: 8 objects$/m
    )
  })

  it("is brought without what another branch has", async () => {
    runProgram("git", ["-C", target.repository.path, "fetch", "--quiet", fork.repository.path, `${ids.one}:refs/heads/other`])
    await runMerges(fetchFork(ids.two, null))
    const indexes = readdirSync(`${target.repository.path}/objects/pack`).filter((name) => name.endsWith(".idx"))
    const counts = indexes.map((index) => target.git(["verify-pack", "-v", `${target.repository.path}/objects/pack/${index}`]))
    // One commit, with two trees and one file.
    expect(counts.some((text) => /^non delta: 4 objects$/m.test(text))).toBe(true)
  })

  it("is brought once, however often that is repeated", async () => {
    await runMerges(fetchFork(ids.one, null))
    await runMerges(fetchFork(ids.one, null))
    await runMerges(fetchFork(ids.one, ids.main))
    expect(packs()).toBe(1)
    await runMerges(fetchFork(ids.two, ids.one))
    expect(refs()).toBe(`${headRef(3)} ${ids.two}`)
  })

  it("stays where somebody else has moved it", async () => {
    await runMerges(fetchFork(ids.one, null))
    expect(await runMerges(Effect.flip(fetchFork(ids.two, null)))).toMatchObject({ _tag: "RefMoved", at: ids.one })
    expect(await runMerges(Effect.flip(fetchFork(ids.two, ids.main)))).toMatchObject({ _tag: "RefMoved", at: ids.one })
    expect(refs()).toBe(`${headRef(3)} ${ids.one}`)
  })

  it("is not seen when only its objects have come", async () => {
    await runMerges(copyMissing(target.repository, fork.repository, { commit: ids.two, known: [ids.main] }))
    expect(refs()).toBe("")
    await runMerges(fetchFork(ids.two, null))
    expect(refs()).toBe(`${headRef(3)} ${ids.two}`)
  })

  it("is kept when another history takes its place, until the request is deleted", async () => {
    await runMerges(fetchFork(ids.two, null))
    await runMerges(fetchFork(ids.other, ids.two))
    await runMerges(fetchFork(ids.one, ids.other))
    await runMerges(fetchFork(ids.other, ids.one))
    await runMerges(fetchFork(ids.one, ids.other))
    expect(refs().split("\n").sort()).toEqual(
      [`${headRef(3)} ${ids.one}`, ...[ids.one, ids.two, ids.other].map((id) => `${keptRef(3, id)} ${id}`)].sort()
    )
    await runMerges(fetchHead(target.repository, { iid: 31, commit: ids.main, from: null, known: [] }))
    await runMerges(removeRequestRefs(target.repository, 3))
    await runMerges(removeRequestRefs(target.repository, 3))
    expect(refs()).toBe(`${headRef(31)} ${ids.main}`)
  })

  it("fails where the fork has no such commit, and changes nothing", async () => {
    const failure = Effect.flip(fetchFork("1".repeat(40), null))
    expect(await runMerges(failure)).toMatchObject({ _tag: "GitFailed" })
    expect([refs(), packs()]).toEqual(["", 0])
  })
})

describe("a head of the same repository", () => {
  it("is only named", async () => {
    await runMerges(fetchFork(ids.main, null, { source: target.repository }))
    await runMerges(fetchFork(ids.main, null, { iid: 4, source: undefined }))
    expect(refs()).toBe(`${headRef(3)} ${ids.main}\n${headRef(4)} ${ids.main}`)
    const tree = target.git(["rev-parse", `${ids.main}^{tree}`])
    expect(await runMerges(Effect.flip(fetchFork(tree, null, { iid: 5, source: undefined })))).toMatchObject({
      _tag: "GitFailed"
    })
  })
})
