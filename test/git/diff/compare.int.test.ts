import { cpSync } from "node:fs"
import { Effect, Layer } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { type CompareRequest, compare, divergence } from "#src/git/diff/compare.ts"
import { diff } from "#src/git/diff/diff.ts"
import { CommitGraphs } from "#src/git/history/CommitGraphs.ts"
import { isAncestor, mergeBase } from "#src/git/history/mergeBase.ts"
import { Objects } from "#src/git/objects/Objects.ts"
import { emptyRepository, type GitFixture, gitFixture } from "#test/support/git/gitFixtures.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
let origin: GitFixture
let fork: GitFixture
let ids: Record<"root" | "main" | "side" | "tip" | "alone", string>
let forked: Record<"theirs" | "newest", string>

beforeAll(() => {
  origin = emptyRepository(`${folder()}/origin.git`)
  ids = origin.commits([
    { mark: "root", files: { a: "1\n" } },
    { mark: "main", files: { a: "2\n" } },
    { mark: "side", ref: "refs/heads/side", parents: ["root"], files: { b: "1\n" } },
    { mark: "tip", ref: "refs/heads/side", files: { b: "2\n" } },
    { mark: "alone", ref: "refs/heads/alone", parents: [], files: { c: "1\n" } }
  ])
  // A name in which git separates and quotes.
  const path = `${folder()}/fo:rk "one" \\.git`
  cpSync(origin.repository.path, path, { recursive: true })
  fork = gitFixture({ path })
  forked = fork.commits([
    { mark: "theirs", ref: "refs/heads/theirs", parents: [ids.main], files: { d: "1\n" } },
    { mark: "newest", ref: "refs/heads/theirs", files: { d: "2\n" } }
  ])
})

const services = Layer.merge(Objects.layer, CommitGraphs.layer)
const run = <A, E>(effect: Effect.Effect<A, E, CommitGraphs | Objects>) => Effect.runPromise(Effect.provide(effect, services))
const compared = (request: CompareRequest) => run(compare(origin.repository, request))

/** Source: compare, the table of cases. */
describe("compare", () => {
  it("lists what the other side brings, oldest first, from what both share", async () => {
    expect(await compared({ from: ids.main, to: ids.tip, isStraight: false })).toEqual({
      commits: [ids.side, ids.tip],
      base: ids.root,
      isCutShort: false,
      hasMergeBase: true,
      isSameRef: false
    })
  })

  it("straight changes the base only", async () => {
    expect(await compared({ from: ids.main, to: ids.tip, isStraight: true })).toEqual({
      commits: [ids.side, ids.tip],
      base: ids.main,
      isCutShort: false,
      hasMergeBase: true,
      isSameRef: false
    })
  })

  it("of one commit with itself is empty", async () => {
    const same = await compared({ from: ids.tip, to: ids.tip, isStraight: false })
    expect(same).toEqual({ commits: [], base: ids.tip, isCutShort: false, hasMergeBase: true, isSameRef: true })
  })

  it("with an ancestor is empty, yet not the same ref", async () => {
    const behind = await compared({ from: ids.tip, to: ids.root, isStraight: false })
    expect(behind).toEqual({ commits: [], base: ids.root, isCutShort: false, hasMergeBase: true, isSameRef: false })
    expect((await compared({ from: ids.tip, to: ids.root, isStraight: true })).base).toBe(ids.tip)
  })

  it("without anything in common begins at the other side", async () => {
    expect(await compared({ from: ids.main, to: ids.alone, isStraight: false })).toEqual({
      commits: [ids.alone],
      base: ids.main,
      isCutShort: false,
      hasMergeBase: false,
      isSameRef: false
    })
  })

  it("keeps the newest within the limit", async () => {
    const within = async (limit: number) => {
      const { commits, isCutShort } = await compared({ from: ids.main, to: ids.tip, isStraight: false, limit })
      return { commits, isCutShort }
    }
    const { commits } = await compared({ from: ids.main, to: ids.tip, isStraight: false })
    expect(await within(1)).toEqual({ commits: [ids.tip], isCutShort: true })
    expect(await within(commits.length)).toEqual({ commits, isCutShort: false })
  })

  it("takes no name for an option", async () => {
    await expect(compared({ from: "--all", to: ids.tip, isStraight: false })).rejects.toThrow("Not a full object id")
  })
})

describe("between a repository and its fork", () => {
  it("finds commits of both", async () => {
    const request = { from: ids.tip, to: forked.newest, isStraight: false, fromRepository: origin.repository }
    expect(await run(compare(fork.repository, request))).toEqual({
      commits: [ids.main, forked.theirs, forked.newest],
      base: ids.root,
      isCutShort: false,
      hasMergeBase: true,
      isSameRef: false
    })
    const back = { from: forked.newest, to: ids.tip, isStraight: true, fromRepository: fork.repository }
    expect(await compared(back)).toEqual({
      commits: [ids.side, ids.tip],
      base: forked.newest,
      isCutShort: false,
      hasMergeBase: true,
      isSameRef: false
    })
    expect(await run(divergence(origin.repository, back))).toEqual({ behind: 3, ahead: 2 })
  })

  it("asks and shows across them", async () => {
    const alsoFrom = [fork.repository]
    const between = { from: forked.newest, to: ids.main, alsoFrom }
    const { entries } = await run(diff(origin.repository, between))
    expect(entries.map(({ diff: text, newPath }) => [newPath, text])).toEqual([["d", "@@ -1 +0,0 @@\n-2\n"]])
    expect(await run(mergeBase(origin.repository, [forked.newest, ids.tip], { alsoFrom }))).toBe(ids.root)
    expect(await run(isAncestor(origin.repository, ids.main, forked.newest, { alsoFrom }))).toBe(true)
  })

  it("fails without the fork", async () => {
    const failed = await run(Effect.flip(compare(origin.repository, { from: forked.newest, to: ids.tip, isStraight: false })))
    expect(failed._tag).toBe("GitFailed")
  })
})
