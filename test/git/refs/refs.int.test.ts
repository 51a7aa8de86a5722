import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { zeroId } from "#src/git/objectId.ts"
import {
  branchesMergedInto,
  branchTips,
  defaultBranch,
  hasBranches,
  listBranches,
  listTags,
  readRef,
  refsContaining,
  setDefaultBranch
} from "#src/git/refs/refs.ts"
import { resolveCommit } from "#src/git/refs/revisions.ts"
import { updateRefs } from "#src/git/refs/updateRefs.ts"
import { useEmptyRepository, useStandardRepository, withObjects } from "../useRepository.ts"

const standard = useStandardRepository()
const empty = useEmptyRepository()

const branchesOf = (args: ReadonlyArray<string>) =>
  standard()
    .git(["for-each-ref", "--format=%(refname:lstrip=2)", ...args])
    .split("\n")

describe("lists", () => {
  it("of branches", async () => {
    const { git, ids, repository } = standard()
    const branches = await Effect.runPromise(listBranches(repository))
    expect(branches.map(({ name }) => name)).toEqual(branchesOf(["refs/heads/"]))
    expect(branches.find(({ name }) => name === "\u{1f600}/wörld")).toEqual({
      name: "\u{1f600}/wörld",
      commit: ids.first,
      committedSeconds: Number(git(["log", "-1", "--format=%ct", ids.first]))
    })
  })

  it("of tags, with the commits behind them", async () => {
    const { git, ids, repository } = standard()
    const tags = await withObjects(listTags(repository))
    const tag = (name: string) => tags.find((it) => it.name === name)
    expect(tags.map(({ name }) => name)).toEqual(["blob-tag", "both", "nested", "signed", "tree-tag", "v1.0.0", "v1.1.0"])
    expect(tag("v1.0.0")).toEqual({
      name: "v1.0.0",
      target: git(["rev-parse", "refs/tags/v1.0.0"]),
      isAnnotated: true,
      commit: ids.second,
      createdSeconds: 1_700_000_100
    })
    expect(tag("nested")?.commit).toBe(ids.second)
    expect(tag("signed")?.commit).toBe(ids.fifth)
    expect(tag("v1.1.0")).toMatchObject({ isAnnotated: false, commit: ids.fifth, target: ids.fifth })
    expect([tag("blob-tag")?.commit, tag("tree-tag")?.commit]).toEqual([undefined, undefined])
  })

  it("of an empty repository", async () => {
    const { repository } = empty()
    expect(await Effect.runPromise(listBranches(repository))).toEqual([])
    expect(await withObjects(listTags(repository))).toEqual([])
    expect(await Effect.runPromise(defaultBranch(repository))).toBe("main")
  })

  it("of branches, without their times", async () => {
    const { repository } = standard()
    const expected = (await Effect.runPromise(listBranches(repository))).map(({ commit, name }) => ({ name, commit }))
    expect(await Effect.runPromise(branchTips(repository))).toEqual(expected)
    expect(await Effect.runPromise(hasBranches(repository))).toBe(true)
    expect(await Effect.runPromise(hasBranches(empty().repository))).toBe(false)
  })

  it("of what is merged", async () => {
    const { ids, repository } = standard()
    const merged = async (names?: ReadonlyArray<string>) =>
      (await Effect.runPromise(branchesMergedInto(repository, ids.head, names))).map(({ name }) => name)
    expect(await merged()).toEqual(branchesOf([`--merged=${ids.head}`, "refs/heads/"]))
    expect(await merged(["both", "orphan", "nothing"])).toEqual(["both"])
    expect(await merged([])).toEqual([])
  })

  it("of what contains a commit, any of them", async () => {
    const { git, repository } = standard()
    const all = git(["rev-list", "--all"]).split("\n")
    expect(all.length).toBeGreaterThan(10)
    for (const [kind, refs] of [
      ["branch", "refs/heads/"],
      ["tag", "refs/tags/"]
    ] as const) {
      for (const id of all) {
        const expected = branchesOf([`--contains=${id}`, refs]).filter(Boolean)
        expect([id, await withObjects(refsContaining(repository, id, kind))]).toEqual([id, expected])
      }
    }
  })

  it("know the default branch", async () => {
    const { git, repository } = standard()
    await Effect.runPromise(setDefaultBranch(repository, "wörld/-x"))
    expect(await Effect.runPromise(defaultBranch(repository))).toBe("wörld/-x")
    expect(git(["symbolic-ref", "HEAD"])).toBe("refs/heads/wörld/-x")
    await Effect.runPromise(setDefaultBranch(repository, "main"))
  })
})

describe("moving refs", () => {
  const refs = (prefix: string) => standard().git(["for-each-ref", "--format=%(refname) %(objectname)", prefix])

  it("makes, moves and removes, all or none", () =>
    withObjects(
      Effect.gen(function* () {
        const { ids, repository } = standard()
        const [one, two] = ["refs/heads/cas/one", "refs/heads/cas/tw\u{f6}"]
        const make = [one, two].map((name) => ({ name, from: null, to: ids.first }))
        yield* updateRefs(repository, make)
        expect(refs("refs/heads/cas/")).toBe(`${one} ${ids.first}\n${two} ${ids.first}`)
        yield* updateRefs(repository, [{ name: one, from: ids.first, to: ids.second }])
        const lost = yield* Effect.flip(
          updateRefs(repository, [
            { name: two, from: ids.first, to: ids.second },
            { name: one, from: ids.first, to: ids.third }
          ])
        )
        expect(lost).toMatchObject({ _tag: "RefMoved", name: one, at: ids.second })
        expect(yield* Effect.flip(updateRefs(repository, make))).toMatchObject({ _tag: "RefMoved", name: one, at: ids.second })
        expect(refs("refs/heads/cas/")).toBe(`${one} ${ids.second}\n${two} ${ids.first}`)
        const gone = yield* Effect.flip(updateRefs(repository, [{ name: "refs/heads/cas/gone", from: ids.first, to: null }]))
        expect(gone).toMatchObject({ _tag: "RefMoved", at: null })
        yield* updateRefs(repository, [
          { name: one, from: ids.second, to: null },
          { name: two, from: ids.first, to: null }
        ])
        expect(refs("refs/heads/cas/")).toBe("")
        yield* updateRefs(repository, [{ name: one, from: null, to: null }])
        yield* updateRefs(repository, [])
      })
    ))

  it("is won by exactly one of many", () =>
    withObjects(
      Effect.gen(function* () {
        const { git, ids, repository } = standard()
        const name = "refs/heads/race"
        const ends = [ids.first, ids.second, ids.third, ids.fourth, ids.fifth, ids.merged, ids.head, ids.odd]
        const results = yield* Effect.forEach(ends, (to) => Effect.result(updateRefs(repository, [{ name, from: null, to }])), {
          concurrency: "unbounded"
        })
        const winner = ends[results.findIndex(Result.isSuccess)]
        expect(results.filter(Result.isSuccess).length).toBe(1)
        expect(results.filter(Result.isFailure).every(({ failure }) => failure._tag === "RefMoved")).toBe(true)
        expect(git(["rev-parse", name])).toBe(winner)
      })
    ))

  it("refuses names that exclude each other, objects that are not there, and names that are none", () =>
    withObjects(
      Effect.gen(function* () {
        const { ids, repository } = standard()
        const make = (...names: ReadonlyArray<string>) =>
          Effect.flip(
            updateRefs(
              repository,
              names.map((name) => ({ name, from: null, to: ids.first }))
            )
          )
        expect(yield* make("refs/heads/main/below")).toMatchObject({ _tag: "RefNameTaken", name: "refs/heads/main/below" })
        expect(yield* make("refs/heads/feature")).toMatchObject({ _tag: "RefNameTaken" })
        expect(yield* make("refs/heads/new", "refs/heads/new/below")).toMatchObject({ _tag: "RefNameTaken" })
        const nothing = [{ name: "refs/heads/x", from: null, to: `1${zeroId.slice(1)}` }]
        expect(yield* Effect.flip(updateRefs(repository, nothing))).toMatchObject({ _tag: "GitFailed" })
        const exit = yield* Effect.exit(updateRefs(repository, [{ name: "refs/heads/x\ndelete y", from: null, to: ids.first }]))
        expect(String(exit)).toContain("Not the full name of a ref")
        expect(refs("refs/heads/new")).toBe("")
      })
    ))
})

it("reads a ref by its full name alone, though there is a tag or a branch of that name", () =>
  withObjects(
    Effect.gen(function* () {
      const { git, ids, repository } = standard()
      const name = "refs/heads/named"
      for (const shadow of [`refs/tags/${name}`, `refs/heads/${name}`]) {
        git(["update-ref", shadow, ids.first])
        expect([shadow, yield* readRef(repository, name), yield* resolveCommit(repository, name)]).toEqual([
          shadow,
          undefined,
          undefined
        ])
        git(["update-ref", name, ids.second])
        expect([shadow, (yield* readRef(repository, name))?.id]).toEqual([shadow, ids.second])
        expect([(yield* readRef(repository, shadow))?.id, yield* resolveCommit(repository, shadow)]).toEqual([
          ids.first,
          ids.first
        ])
        git(["update-ref", "-d", name])
        git(["update-ref", "-d", shadow])
      }
    })
  ))

it("reads a ref by its name alone, though git takes some for descriptions of commits", () =>
  withObjects(
    Effect.gen(function* () {
      const { git, ids, repository } = standard()
      const name = `refs/heads/fix-g${ids.first.slice(0, 8)}`
      expect(yield* readRef(repository, name)).toBe(undefined)
      git(["update-ref", name, ids.second])
      expect((yield* readRef(repository, name))?.id).toBe(ids.second)
      expect((yield* readRef(repository, "refs/tags/v1.0.0"))?.type).toBe("tag")
      expect(yield* readRef(repository, "refs/heads/none")).toBe(undefined)
    })
  ))
