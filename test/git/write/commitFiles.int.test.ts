import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { entryAt } from "#src/git/objects/tree.ts"
import { commitFiles } from "#src/git/write/commitFiles.ts"
import { applyActions, type FileAction } from "#src/git/write/fileActions.ts"
import { submoduleCommit } from "#test/support/git/gitStandard.ts"
import { useEmptyRepository, useStandardRepository, withObjects } from "../useRepository.ts"

const standard = useStandardRepository()
const empty = useEmptyRepository()
const person = { name: "Wendy Writer", email: "wendy@example.com", seconds: 1_700_000_000, offset: "+0100" }
const who = { author: person, committer: person }
const text = (content: string) => Buffer.from(content)

/** Commits on top of a commit; answers its id. */
const commit = (parent: string, actions: ReadonlyArray<FileAction>) =>
  withObjects(commitFiles(standard().repository, { ...who, message: "Change files", parent, actions }))
const changesOf = (id: string) =>
  standard().git(["diff-tree", "-r", "--no-commit-id", "--name-status", "--no-renames", id]).split("\n")
const refusal = (parent: string, actions: ReadonlyArray<FileAction>) =>
  withObjects(Effect.flip(commitFiles(standard().repository, { ...who, message: "x", parent, actions })))

describe("actions", () => {
  it("put files as deep as trees may be, and no deeper", async () => {
    const { git, ids } = standard()
    const [fitting, deep] = [255, 256].map((folders) => `${"d/".repeat(folders)}x`)
    const put = (path = "") => [{ _tag: "create", path, content: text("x") }] as const
    const id = await commit(ids.head, put(fitting))
    expect(git(["cat-file", "blob", `${id}:${fitting}`])).toBe("x")
    expect(await refusal(ids.head, put(deep))).toMatchObject({
      _tag: "TreesRefused",
      message: `path ${"d/".repeat(100)}… has more than 256 names (limit MAX_TREE_DEPTH)`
    })
  })

  it("create, update, move, delete and chmod", async () => {
    const { git, gitBytes, ids } = standard()
    const id = await commit(ids.head, [
      { _tag: "create", path: "new/deep/file.bin", content: Buffer.from([0, 255]) },
      { _tag: "create", path: "new/run", content: text("#!\n"), isExecutable: true },
      { _tag: "update", path: "README.md", content: text("Changed\n") },
      { _tag: "move", path: "moved/main.ts", previousPath: "src/main.ts" },
      { _tag: "move", path: "LICENSE", previousPath: "COPYING", content: text("Free\n") },
      { _tag: "delete", path: "docs/handbook.md" },
      { _tag: "chmod", path: "bin/run", isExecutable: true }
    ])
    expect(changesOf(id)).toEqual([
      "D\tCOPYING",
      "A\tLICENSE",
      "M\tREADME.md",
      "M\tbin/run",
      "D\tdocs/handbook.md",
      "A\tmoved/main.ts",
      "A\tnew/deep/file.bin",
      "A\tnew/run",
      "D\tsrc/main.ts"
    ])
    expect(gitBytes(["show", `${id}:new/deep/file.bin`])).toEqual(Buffer.from([0, 255]))
    expect(git(["show", `${id}:LICENSE`])).toBe("Free")
    expect(git(["rev-parse", `${id}:moved/main.ts`])).toBe(git(["rev-parse", `${ids.head}:src/main.ts`]))
    expect(
      git(["ls-tree", "-r", id, "bin/run", "new/run"])
        .split("\n")
        .map((line) => line.slice(0, 6))
    ).toEqual(["100755", "100755"])
    expect(git(["ls-tree", id, "docs"])).toBe("")
    expect(git(["fsck", "--strict", "--no-dangling", id])).toBe("")
  })

  it("keep what they do not touch, odd names included", async () => {
    const { git, ids } = standard()
    const id = await commit(ids.odd, [
      { _tag: "create", path: "foo/new", content: text("x") },
      { _tag: "delete", path: "-dash/-r" }
    ])
    expect(git(["diff-tree", "-r", "-z", "--name-status", ids.odd, id])).toBe("D\0-dash/-r\0A\0foo/new\0")
    expect(git(["fsck", "--strict", "--no-dangling", id])).toBe("")
  })

  it("move and delete submodules", async () => {
    const { git, ids } = standard()
    const id = await commit(ids.head, [
      { _tag: "move", previousPath: "sub", path: "vendor/sub" },
      { _tag: "chmod", path: "vendor/sub", isExecutable: true }
    ])
    expect(git(["ls-tree", "-r", id, "sub", "vendor"])).toBe(`160000 commit ${submoduleCommit}\tvendor/sub`)
    expect(changesOf(await commit(ids.head, [{ _tag: "delete", path: "sub" }]))).toEqual(["D\tsub"])
  })

  it("find a name that is not UTF-8 as it is shown", async () => {
    const { git, ids } = standard()
    const id = await commit(ids.odd, [
      { _tag: "update", path: "latin-\u00e9.txt", content: text("Changed\n") },
      { _tag: "create", path: "dir-\u00ff\u00fe/beside.txt", content: text("x") },
      { _tag: "delete", path: "dir-\u00ff\u00fe/inside.txt" }
    ])
    expect(
      git(["-c", "core.quotePath=true", "diff-tree", "-r", "--name-status", "--no-renames", ids.odd, id]).split("\n")
    ).toEqual(['A\t"dir-\\377\\376/beside.txt"', 'D\t"dir-\\377\\376/inside.txt"', 'M\t"latin-\\351.txt"'])
    const renamed = await commit(ids.odd, [
      { _tag: "move", previousPath: "latin-\u00e9.txt", path: "latin-\u00e9.txt" },
      { _tag: "delete", path: "dir-\u00ff\u00fe/inside.txt" }
    ])
    expect(
      git(["-c", "core.quotePath=true", "diff-tree", "-r", "--name-status", "--no-renames", ids.odd, renamed]).split("\n")
    ).toEqual(['D\t"dir-\\377\\376/inside.txt"', 'A\t"latin-\\303\\251.txt"', 'D\t"latin-\\351.txt"'])
    expect(git(["fsck", "--strict", "--no-dangling", id, renamed])).toBe("")
  })

  it.each<readonly [FileAction, string, string]>([
    [{ _tag: "create", path: "latin-\u00e9.txt", content: text("") }, "exists", "latin-\u00e9.txt"],
    [{ _tag: "create", path: "latin-\u00e9.txt/x", content: text("") }, "belowFile", "latin-\u00e9.txt/x"],
    [{ _tag: "create", path: "dir-\u00ff\u00fe", content: text("") }, "isDirectory", "dir-\u00ff\u00fe"],
    [{ _tag: "move", previousPath: "foo.txt", path: "latin-\u00e9.txt" }, "exists", "latin-\u00e9.txt"]
  ])("make no second entry that is shown as one of another encoding: %j", async (action, reason, path) => {
    expect(await refusal(standard().ids.odd, [action])).toMatchObject({ _tag: "ActionRefused", reason, path })
  })

  it("see what those before them did", async () => {
    const { git, ids } = standard()
    const id = await commit(ids.first, [
      { _tag: "delete", path: "LICENSE" },
      { _tag: "create", path: "LICENSE/text", content: text("1") },
      { _tag: "update", path: "LICENSE/text", content: text("2") },
      { _tag: "move", previousPath: "README.md", path: "README.md/inside" },
      { _tag: "create", path: "a/b/c", content: text("x") },
      { _tag: "delete", path: "a/b/c" },
      { _tag: "create", path: "a", content: text("a file now") }
    ])
    expect(git(["ls-tree", "-r", "--name-only", id]).split("\n")).toEqual([
      "LICENSE/text",
      "README.md/inside",
      "a",
      "src/lib/deep/er/file.txt",
      "src/main.ts"
    ])
    expect(git(["show", `${id}:LICENSE/text`])).toBe("2")
  })

  it("may change nothing", async () => {
    const { git, ids } = standard()
    const id = await commit(ids.head, [
      { _tag: "update", path: "README.md", content: text(git(["show", `${ids.head}:README.md`])) }
    ])
    expect(git(["rev-parse", `${id}^`])).toBe(ids.head)
    expect(git(["rev-parse", `${await commit(ids.head, [])}^{tree}`])).toBe(git(["rev-parse", `${ids.head}^{tree}`]))
  })

  it("keep links, and leave their mode alone", async () => {
    const { git, ids } = standard()
    const id = await commit(ids.head, [
      { _tag: "update", path: "link-to-readme", content: text("COPYING") },
      { _tag: "chmod", path: "link-to-readme", isExecutable: true },
      { _tag: "move", previousPath: "sub", path: "vendor/sub" }
    ])
    expect(
      git(["ls-tree", "-r", id, "link-to-readme", "vendor/sub"])
        .split("\n")
        .map((line) => line.slice(0, 6))
    ).toEqual(["120000", "160000"])
  })

  it.each<readonly [FileAction, string, string]>([
    [{ _tag: "create", path: "README.md", content: text("") }, "exists", "README.md"],
    [{ _tag: "create", path: "src", content: text("") }, "isDirectory", "src"],
    [{ _tag: "create", path: "README.md/x", content: text("") }, "belowFile", "README.md/x"],
    [{ _tag: "create", path: "sub/x", content: text("") }, "belowFile", "sub/x"],
    [{ _tag: "create", path: "../x", content: text("") }, "badPath", "../x"],
    [{ _tag: "create", path: ".git/config", content: text("") }, "badPath", ".git/config"],
    [{ _tag: "update", path: "none", content: text("") }, "missing", "none"],
    [{ _tag: "update", path: "src", content: text("") }, "missing", "src"],
    [{ _tag: "update", path: "sub", content: text("x") }, "isSubmodule", "sub"],
    [{ _tag: "move", previousPath: "sub", path: "x", content: text("x") }, "isSubmodule", "sub"],
    [{ _tag: "delete", path: "src/none/x" }, "missing", "src/none/x"],
    [{ _tag: "delete", path: "README.md/x" }, "missing", "README.md/x"],
    [{ _tag: "chmod", path: "none", isExecutable: true }, "missing", "none"],
    [{ _tag: "move", previousPath: "none", path: "x" }, "missing", "none"],
    [{ _tag: "move", previousPath: "README.md", path: "COPYING" }, "exists", "COPYING"],
    [{ _tag: "move", previousPath: "README.md", path: "docs" }, "isDirectory", "docs"],
    [{ _tag: "move", previousPath: "/etc/passwd", path: "x" }, "badPath", "/etc/passwd"]
  ])("are refused: %j", async (action, reason, path) => {
    expect(await refusal(standard().ids.head, [action])).toMatchObject({ _tag: "ActionRefused", reason, path })
  })

  it("write nothing when one is refused", async () => {
    const { git, ids } = standard()
    const content = text("never written\n")
    await refusal(ids.head, [
      { _tag: "create", path: "x", content },
      { _tag: "delete", path: "none" }
    ])
    expect(() => git(["cat-file", "-e", git(["hash-object", "--stdin"], content)])).toThrow()
  })
})

/** The same action in a folder of files. */
const applyToFolder = (folder: string, action: FileAction): void => {
  const path = join(folder, action.path)
  const old = action._tag === "move" ? join(folder, action.previousPath) : path
  const content = "content" in action && action.content !== undefined ? action.content : readFileSync(old)
  rmSync(old, { force: true })
  // git keeps no empty directories.
  execFileSync("find", [folder, "-mindepth", "1", "-type", "d", "-empty", "-delete"])
  if (action._tag === "delete") return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name).slice(folder.length + 1))
    .sort()

it("any actions that are not refused result in the same files as in a folder", async () => {
  const { git, repository } = empty()
  const path = fc.constantFrom("a", "b", "a/b", "a/c", "b/c/d", "b/c/e", "z")
  const content = fc.constantFrom("1", "2").map(text)
  const action: fc.Arbitrary<FileAction> = fc.oneof(
    fc.record({ _tag: fc.constantFrom("create" as const, "update" as const), path, content }),
    fc.record({ _tag: fc.constant("move" as const), path, previousPath: path }),
    fc.record({ _tag: fc.constant("delete" as const), path })
  )
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 14 }), async (actions) => {
      const folder = await mkdtemp(join(tmpdir(), "chronoforge-actions-"))
      const done: Array<FileAction> = []
      let tree = ""
      for (const next of actions) {
        const result = await withObjects(Effect.option(applyActions(repository, undefined, [...done, next])))
        if (result._tag === "None") continue
        tree = result.value
        done.push(next)
        applyToFolder(folder, next)
      }
      const listed = tree === "" ? "" : git(["ls-tree", "-r", "--name-only", tree])
      expect(
        listed
          .split("\n")
          .filter((name) => name !== "")
          .sort()
      ).toEqual(filesOf(folder))
      for (const name of filesOf(folder)) expect(git(["show", `${tree}:${name}`])).toBe(readFileSync(join(folder, name), "utf8"))
      await rm(folder, { recursive: true })
    }),
    { numRuns: 12 }
  )
})

it("starts the history of an empty repository", () =>
  withObjects(
    Effect.gen(function* () {
      const { git, repository } = empty()
      const actions = [{ _tag: "create" as const, path: "README.md", content: text("Hello\n") }]
      const id = yield* commitFiles(repository, { ...who, message: "First", parent: undefined, actions })
      expect(git(["log", "--format=%H %P %s", id])).toBe(`${id}  First`)
      expect((yield* entryAt(repository, id, "README.md"))?.type).toBe("blob")
    })
  ))
