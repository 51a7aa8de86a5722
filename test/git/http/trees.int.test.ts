import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { formatTree } from "#src/git/objects/treeObject.ts"
import { type GitFixture, gitFixture } from "#test/support/git/gitFixtures.ts"
import { bombPaths, treeBomb, wideTree } from "#test/support/git/treeBomb.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { refLines, succeed, WorkingCopy } from "./gitClient.ts"
import { type GitService, startGitService } from "./gitService.ts"

const folder = temporaryFolder()
let service: GitService
let id = 0
let copy: WorkingCopy
let local: GitFixture

const [maxPaths, maxDepth] = [120, 6]

beforeAll(async () => {
  const settings = { MAX_TREE_PATHS: String(maxPaths), MAX_TREE_DEPTH: String(maxDepth), MAX_INFLATED_SIZE: "1" }
  service = await startGitService(folder(), {}, undefined, undefined, undefined, settings)
})
afterAll(() => service.stop())
beforeEach(async () => {
  id++
  await service.create(id)
  copy = await WorkingCopy.make(join(folder(), `copy-${id}`), `${service.url}/group/${id}.git`)
  local = gitFixture({ path: join(copy.path, ".git") })
})

/** Makes a commit of a tree; without parents unless some are named. */
const commit = (tree: string, ...parents: ReadonlyArray<string>) =>
  local.git(["commit-tree", "-m", "tree", ...parents.flatMap((parent) => ["-p", parent]), tree])

const push = async (...refs: ReadonlyArray<string>) => refLines(await copy.attempt("push", "origin", ...refs))
const refs = () => succeed(`--git-dir=${service.repository(id).path}`, "for-each-ref", "--format=%(refname)")
const [root, entry] = ["the root directory", "e000000"]
const tooMany = (tree: string, where = root) =>
  `${where} (tree ${tree}) expands to more than ${maxPaths} paths (limit MAX_TREE_PATHS)`
const tooDeep = (tree: string, where = root) =>
  `${where} (tree ${tree}) is nested deeper than ${maxDepth} directories (limit MAX_TREE_DEPTH)`
const rejected = (what: string, text: string) => `! [remote rejected] ${what} (${text})`

/** A chain of directories with a file in the last: a path of so many names. */
const chain = (depth: number): ReadonlyArray<string> => treeBomb(local, 1, depth)

describe.each([
  ["loose objects", "1000"],
  ["packs", "1"]
])("trees that expand too far, in %s,", (_, unpackLimit) => {
  beforeEach(() => succeed(`--git-dir=${service.repository(id).path}`, "config", "receive.unpackLimit", unpackLimit))

  it("are refused at once, with all refs of the push, and named", async () => {
    const trees = treeBomb(local, 10, 10)
    const bomb = commit(trees.at(-1) ?? "")
    const lines = await push(`${bomb}:refs/heads/bomb`, "main")
    const text = tooMany(trees[2] ?? "", `directory ${Array<string>(7).fill(entry).join("/")}`)
    expect(lines.sort()).toEqual([rejected(`${bomb} -> bomb`, text), rejected("main -> main", text)])
    expect(await refs()).toBe("")
  })

  it("or objects that are larger together than the limit, whatever they take compressed, are refused too", async () => {
    const half = 512 * 1024
    const write = async (name: string, bytes: number) => {
      await writeFile(join(copy.path, name), Buffer.alloc(bytes, name))
      await copy.git("add", name)
      await copy.git("commit", "--quiet", "-m", name)
      return copy.git("rev-parse", "HEAD")
    }
    const fitting = await write("a", half)
    const above = await write("b", half)
    expect(await push(`${above}:refs/heads/above`)).toEqual([
      rejected(
        `${above} -> above`,
        "all objects together have more than 1 MiB when they are worked out (limit MAX_INFLATED_SIZE)"
      )
    ])
    expect(await push(`${fitting}:refs/heads/fitting`)).toEqual([`* [new branch] ${fitting} -> fitting`])
    expect(await refs()).toBe("refs/heads/fitting")
  })

  it("may have exactly as many paths as the limit", async () => {
    expect(bombPaths(10, 2) + 10).toBe(maxPaths)
    const below = wideTree(local, 10)
    const entries = (files: number) => {
      const middle = local.git(["ls-tree", wideTree(local, 10, below)])
      const blob = local.object("blob", "x")
      return local.git(
        ["mktree"],
        `${middle}\n${Array.from({ length: files }, (_, n) => `100644 blob ${blob}\tz${n}\n`).join("")}`
      )
    }
    const [fitting, above] = [commit(entries(10)), entries(11)]
    expect(await push(`${fitting}:refs/heads/fitting`)).toEqual([`* [new branch] ${fitting} -> fitting`])
    expect(await push(`${commit(above)}:refs/heads/above`)).toEqual([expect.stringContaining(tooMany(above))])
    expect(await refs()).toBe("refs/heads/fitting")
  })

  it("are named by their paths, whatever is in those", async () => {
    const bomb = treeBomb(local, 10, 3).at(-1) ?? ""
    const wrap = (name: string, id: string) => local.object("tree", formatTree([{ mode: "40000", name: Buffer.from(name), id }]))
    const named = commit(wrap("a b", wrap("\u001b[31mü", bomb)))
    const long = commit(wrap("n".repeat(300), bomb))
    expect(await push(`${named}:refs/heads/named`)).toEqual([
      rejected(`${named} -> named`, tooMany(bomb, "directory a b/\ufffd[31mü"))
    ])
    expect(await push(`${long}:refs/heads/long`)).toEqual([
      rejected(`${long} -> long`, tooMany(bomb, `directory ${"n".repeat(200)}…`))
    ])
  })

  it("are refused behind harmless commits", async () => {
    const trees = treeBomb(local, 10, 3)
    const harmless = commit(wideTree(local, 1), commit(trees.at(-1) ?? ""), await copy.git("rev-parse", "main"))
    expect(await push(`${harmless}:refs/heads/harmless`)).toEqual([
      rejected(`${harmless} -> harmless`, tooMany(trees.at(-1) ?? ""))
    ])
  })

  it("are refused when pushes add a level each", async () => {
    const outcomes: Array<string> = []
    let parent = await copy.git("rev-parse", "main")
    const trees = treeBomb(local, 10, 3)
    for (const tree of trees) {
      parent = commit(tree, parent)
      outcomes.push(...(await push(`${parent}:refs/heads/steps`)))
    }
    expect(outcomes.at(-1)).toBe(rejected(`${parent} -> steps`, tooMany(trees.at(-1) ?? "")))
    expect(outcomes.slice(0, -1).every((line) => !line.includes("rejected"))).toBe(true)
  })

  it("are refused when they use trees of the repository that this process never met", async () => {
    const trees = treeBomb(local, 10, 3)
    const stored = gitFixture(service.repository(id))
    const [first = "", second = "", third = ""] = trees
    for (const tree of [first, second]) {
      stored.object("blob", "x")
      stored.object("tree", local.gitBytes(["cat-file", "tree", tree]))
    }
    stored.git(["update-ref", "refs/heads/old", stored.git(["commit-tree", "-m", "old", second])])
    await copy.git("fetch", "--quiet", "origin")
    const onward = commit(third, await copy.git("rev-parse", "origin/old"))
    expect(await push(`${onward}:refs/heads/old`)).toEqual([rejected(`${onward} -> old`, tooMany(third))])
  })

  it.each(["refs/tags/tree", "refs/notes/tree"])("are refused as %s", async (ref) => {
    const trees = treeBomb(local, 10, 4)
    const lines = await push(`${trees.at(-1)}:${ref}`)
    expect(lines).toEqual([expect.stringContaining(tooMany(trees[2] ?? "", `directory ${entry}`))])
    expect(await refs()).toBe("")
  })

  it("are refused in annotated tags", async () => {
    const trees = treeBomb(local, 11, 3)
    await copy.git("tag", "-a", "-m", "tree", "annotated", trees.at(-1) ?? "")
    expect(await push("annotated")).toEqual([rejected("annotated -> annotated", tooMany(trees[1] ?? "", `directory ${entry}`))])
  })
})

describe("directories that are nested too deep", () => {
  it("are refused, one less is not", async () => {
    const trees = chain(maxDepth + 1)
    const [deep, fitting] = [trees.at(-1) ?? "", trees.at(-2) ?? ""]
    const [deepCommit, fittingCommit] = [commit(deep), commit(fitting)]
    expect(await push(`${deepCommit}:refs/heads/deep`)).toEqual([rejected(`${deepCommit} -> deep`, tooDeep(deep))])
    expect(await push(`${fittingCommit}:refs/heads/fitting`)).toEqual([`* [new branch] ${fittingCommit} -> fitting`])
    expect(await refs()).toBe("refs/heads/fitting")
  })
})

describe("pushes without large trees", () => {
  it("may have as many commits as they like, and move refs without objects", async () => {
    const tree = await copy.git("rev-parse", "main^{tree}")
    let parent = await copy.git("rev-parse", "main")
    for (const _ of [1, 2, 3]) parent = commit(tree, parent)
    const created = (branch: string) => `* [new branch] ${parent} -> ${branch}`
    expect(await push(`${parent}:refs/heads/main`, `${parent}:refs/heads/other`)).toEqual([created("main"), created("other")])
    expect(await push(`${parent}:refs/heads/third`)).toEqual([created("third")])
  })
})
