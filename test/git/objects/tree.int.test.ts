import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { decodeText } from "#src/git/objects/decodeText.ts"
import { Objects } from "#src/git/objects/Objects.ts"
import { entryAt, listDirectory, listRecursively, type TreeEntry } from "#src/git/objects/tree.ts"
import { formatTree, parseTree } from "#src/git/objects/treeObject.ts"
import { oddPaths, submoduleCommit } from "#test/support/git/gitStandard.ts"
import { useStandardRepository, withObjects } from "../useRepository.ts"

const standard = useStandardRepository()

const rank = ["tree", "blob", "commit"]

/** What `git ls-tree` has, in the order of the reference. Paths are read part by part. */
const listedByGit = (args: ReadonlyArray<string>) =>
  standard()
    .gitBytes(["ls-tree", "-z", "--full-tree", ...args])
    .toString("latin1")
    .split("\0")
    .slice(0, -1)
    .map((record) => {
      const [head = "", raw = ""] = record.split("\t", 1).concat(record.slice(record.indexOf("\t") + 1))
      const [mode, type = "", id] = head.split(" ")
      const parts = raw.split("/").map((part) => decodeText(Buffer.from(part, "latin1")))
      return { id, name: parts.at(-1), type, path: parts.join("/"), mode }
    })
    .sort((left, right) => rank.indexOf(left.type) - rank.indexOf(right.type))

const list = (commit: string, path = "") => withObjects(listDirectory(standard().repository, commit, path))
const listAll = (commit: string, path = "") => withObjects(listRecursively(standard().repository, commit, path))
const at = (commit: string, path: string) => withObjects(entryAt(standard().repository, commit, path))
const pathsOf = (entries: ReadonlyArray<TreeEntry> | undefined) => entries?.map(({ path }) => path)

describe("a directory", () => {
  it("has directories first, then files, then submodules, each in the order of git", async () => {
    const { ids } = standard()
    const entries = await list(ids.head)
    expect(entries).toEqual(listedByGit([ids.head]))
    expect(pathsOf(entries)).toEqual(["bin", "data", "docs", "src", "COPYING", "README.md", "link-to-readme", "topic.txt", "sub"])
    expect(entries?.at(-1)).toEqual({ id: submoduleCommit, name: "sub", type: "commit", path: "sub", mode: "160000" })
    expect(entries?.find(({ name }) => name === "link-to-readme")?.mode).toBe("120000")
    expect((await at(ids.fourth, "bin/run"))?.mode).toBe("100755")
  })

  it("is listed as git does, in every commit", async () => {
    const { ids } = standard()
    for (const id of Object.values(ids)) expect(await list(id)).toEqual(listedByGit([id]))
  })

  it("is found by its path, with slashes too many", async () => {
    const { ids } = standard()
    const expected = listedByGit([ids.head, "src/"])
    for (const path of ["src", "/src", "src/", "//src//"]) expect(await list(ids.head, path)).toEqual(expected)
    expect(pathsOf(await list(ids.head, "src/lib/deep"))).toEqual(["src/lib/deep/er"])
  })

  it("is undefined where there is none", async () => {
    const { ids } = standard()
    for (const path of [
      "none",
      "README.md",
      "README.md/x",
      "sub",
      "sub/x",
      "src/none",
      "link-to-readme",
      "..",
      ".",
      "src/..",
      "\0",
      "src\n",
      "-r"
    ]) {
      expect([path, await list(ids.head, path)]).toEqual([path, undefined])
      expect([path, await listAll(ids.head, path)]).toEqual([path, undefined])
    }
    expect(await list("0".repeat(40))).toBe(undefined)
    expect(await list("nope")).toBe(undefined)
  })
})

describe("everything below a directory", () => {
  it("has all directories before the first file", async () => {
    const { ids } = standard()
    for (const id of [ids.head, ids.deep, ids.odd, ids.orphan]) expect(await listAll(id)).toEqual(listedByGit(["-r", "-t", id]))
    expect(pathsOf(await listAll(ids.first))).toEqual([
      "src",
      "src/lib",
      "src/lib/deep",
      "src/lib/deep/er",
      "LICENSE",
      "README.md",
      "src/lib/deep/er/file.txt",
      "src/main.ts"
    ])
  })

  it("has paths from the root when it starts further down", async () => {
    const { ids } = standard()
    expect(pathsOf(await listAll(ids.head, "src/lib"))).toEqual(["src/lib/deep", "src/lib/deep/er", "src/lib/deep/er/file.txt"])
  })
})

describe("odd names", () => {
  it("are found by themselves, and by how they are shown where they are not UTF-8", async () => {
    const { gitBytes, ids } = standard()
    const blob = gitBytes(["rev-parse", `${ids.odd}:foo.txt`])
      .toString()
      .trim()
    for (const odd of oddPaths) {
      const path =
        typeof odd === "string"
          ? odd
          : odd
              .toString("latin1")
              .split("/")
              .map((it) => decodeText(Buffer.from(it, "latin1")))
              .join("/")
      expect(await at(ids.odd, path)).toEqual({ id: blob, name: path.split("/").at(-1), type: "blob", path, mode: "100644" })
    }
  })
})

describe("a path", () => {
  it("of the root is the root directory", async () => {
    const { git, ids } = standard()
    const root = { id: git(["rev-parse", `${ids.head}^{tree}`]), name: "", type: "tree", path: "", mode: "040000" }
    for (const path of ["", "/"]) expect(await at(ids.head, path)).toEqual(root)
  })

  it("of every entry leads to it", async () => {
    const { ids } = standard()
    const entries = (await listAll(ids.deep)) ?? []
    const found = await withObjects(
      Effect.forEach(entries, ({ path }) => entryAt(standard().repository, ids.deep, path), { concurrency: 50 })
    )
    expect(found).toEqual(entries)
  })
})

describe("a tree object", () => {
  it("is written as it was read, whatever the order of its entries", () =>
    withObjects(
      Effect.gen(function* () {
        const { ids, repository } = standard()
        const objects = yield* Objects
        for (const id of [ids.head, ids.odd, ids.deep, ids.first]) {
          const content = (yield* objects.read(repository, `${id}^{tree}`))?.content ?? Buffer.alloc(0)
          expect(formatTree(parseTree(content).toReversed()).equals(content)).toBe(true)
        }
      })
    ))

  it("is shown with usual modes when it has unusual ones", async () => {
    const { git, ids, object } = standard()
    const [readme = "", src = ""] = [`${ids.head}:README.md`, `${ids.head}:src`].map((it) => git(["rev-parse", it]))
    const old = object(
      "tree",
      formatTree(
        [
          ["100664", "a", readme],
          ["100600", "b", readme],
          ["100777", "c", readme],
          ["040000", "d", src]
        ].map(([mode = "", name = "", id = ""]) => ({ mode, name: Buffer.from(name), id }))
      )
    )
    expect((await list(old))?.map(({ mode, name }) => `${name} ${mode}`)).toEqual([
      "d 040000",
      "a 100644",
      "b 100644",
      "c 100755"
    ])
    expect((await listAll(old))?.filter(({ path }) => !path.includes("/"))).toEqual(await list(old))
    expect(() => parseTree(Buffer.from("100644 a\0short"))).toThrow()
  })
})
