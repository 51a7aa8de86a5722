import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { formatTree } from "#src/git/objects/treeObject.ts"
import { makeTreeLimits, type NewTree } from "#src/git/trees/TreeLimits.ts"
import { idOf } from "#src/git/write/writeObject.ts"
import { treeBomb, wideTree } from "#test/support/git/treeBomb.ts"
import { useEmptyRepository } from "../useRepository.ts"

const fixture = useEmptyRepository()
const limits = () => makeTreeLimits({ maxPaths: 100, maxDepth: 4 })

/** The message of a refusal; undefined where nothing is refused. */
const refusal = (checking: Effect.Effect<void, { readonly message: string }>) =>
  Effect.runPromise(Effect.match(checking, { onSuccess: () => undefined, onFailure: ({ message }) => message }))

const tooMany = (tree: string) => `(tree ${tree}) expands to more than 100 paths (limit MAX_TREE_PATHS)`

describe("trees among objects", () => {
  const check = (tips: ReadonlyArray<string>) => {
    const { repository } = fixture()
    return refusal(limits().check(repository, join(repository.path, "objects"), Effect.succeed(tips)))
  }

  it("are named by the directory in what leads to them, else by their ids alone", async () => {
    const [, small = "", bomb = "", root = ""] = treeBomb(fixture(), 9, 4)
    const { git } = fixture()
    const below = git(["mktree"], `040000 tree ${root}\tü x\n`)
    const harmless = git(["commit-tree", "-m", "harmless", small])
    const commit = git(["commit-tree", "-m", "bomb", "-p", harmless, below])
    expect(await check([harmless, commit])).toBe(`directory ü x/e000000 ${tooMany(bomb)}`)
    expect(await check([bomb])).toBe(`the root directory ${tooMany(bomb)}`)
    const alone = `tree ${bomb} expands to more than 100 paths (limit MAX_TREE_PATHS)`
    expect([await check([harmless]), await check([]), await check(["1".repeat(40)])]).toEqual([alone, alone, alone])
  })
})

describe("a tree of the repository", () => {
  it("is read with all below it, once", async () => {
    const { repository } = fixture()
    const [first = "", fitting = "", bomb = ""] = treeBomb(fixture(), 9, 3)
    const { checkTree } = limits()
    expect(await refusal(checkTree(repository, fitting))).toBeUndefined()
    expect(await refusal(checkTree(repository, first))).toBeUndefined()
    expect(await refusal(checkTree(repository, bomb))).toBe(`the root directory ${tooMany(bomb)}`)
    expect(await refusal(checkTree(repository, treeBomb(fixture(), 1, 6).at(-1) ?? ""))).toMatch(
      /^directory e000000 \(tree [0-9a-f]{40}\) is nested deeper than 4 directories \(limit MAX_TREE_DEPTH\)$/
    )
  })
})

describe("trees that are to be written", () => {
  const entry = (name: string, id: string) => ({ mode: "40000", name: Buffer.from(name), id })
  const newTree = (path: string, entries: Parameters<typeof formatTree>[0]): NewTree => {
    const content = formatTree(entries)
    return { id: idOf("tree", content), path, content }
  }

  it("count with what they lead to in the repository, and are named by their paths", async () => {
    const { repository } = fixture()
    const wide = wideTree(fixture(), 46)
    const middle = newTree("a/b", [entry("c", wide), entry("d", wide)])
    const above = newTree("a", [entry("b", middle.id)])
    const fitting = [middle, above, newTree("", [entry("a", above.id)])]
    const { checkNew } = limits()
    expect(await refusal(checkNew(repository, fitting))).toBeUndefined()
    const more = ["e", "f", "g", "h", "i", "j"].map((name) => entry(name, wide))
    const full = newTree("a/b", more)
    const around = newTree("a", [entry("b", full.id)])
    expect(await refusal(checkNew(repository, [full, around, newTree("", [entry("a", around.id)])]))).toBe(
      `directory a/b ${tooMany(full.id)}`
    )
    expect(await refusal(checkNew(repository, []))).toBeUndefined()
  })
})

describe("a path", () => {
  it("may have as many names as the limit", async () => {
    const { checkPath } = limits()
    expect([await refusal(checkPath("a/b/c/d")), await refusal(checkPath("a/b/c/d/e"))]).toEqual([
      undefined,
      "path a/b/c/d/e has more than 4 names (limit MAX_TREE_DEPTH)"
    ])
  })
})
