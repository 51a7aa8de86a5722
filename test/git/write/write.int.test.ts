import { readdirSync, rmSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readCommit } from "#src/git/objects/commit.ts"
import { Objects } from "#src/git/objects/Objects.ts"
import { cherryPick } from "#src/git/write/cherryPick.ts"
import { commitFiles } from "#src/git/write/commitFiles.ts"
import { isFilePath } from "#src/git/write/filePaths.ts"
import { writeCommit, writeTag } from "#src/git/write/writeCommit.ts"
import { writeObject } from "#src/git/write/writeObject.ts"
import { bigFile } from "#test/support/git/gitStandard.ts"
import { useEmptyRepository, useStandardRepository, withObjects } from "../useRepository.ts"

const standard = useStandardRepository()
const empty = useEmptyRepository()
const damaged = useEmptyRepository()
const person = { name: "Wendy Writer", email: "wendy@example.com", seconds: 1_700_000_000, offset: "+0100" }

describe("an object", () => {
  it("has the id and content that git gives it, and is found at once", () =>
    withObjects(
      Effect.gen(function* () {
        const { git, gitBytes, repository } = standard()
        const objects = yield* Objects
        yield* objects.info(repository, "HEAD")
        for (const content of ["", "written\n", "\0\xff", bigFile.subarray(0, 300_000)].map((it) => Buffer.from(it))) {
          const id = yield* writeObject(repository, "blob", content)
          expect(id).toBe(git(["hash-object", "--stdin"], content))
          expect((yield* objects.read(repository, id))?.content.equals(content)).toBe(true)
          expect(gitBytes(["cat-file", "blob", id]).equals(content)).toBe(true)
          expect(yield* writeObject(repository, "blob", content)).toBe(id)
        }
        expect(git(["fsck", "--no-dangling"])).toBe("")
      })
    ))

  it("is written once by many at the same time, and leaves no drafts", async () => {
    const { repository } = standard()
    const content = Buffer.from("many at once\n")
    const all = Array.from({ length: 20 }, () => writeObject(repository, "blob", content))
    const written = await Effect.runPromise(Effect.all(all, { concurrency: "unbounded" }))
    const [id = ""] = written
    expect(new Set(written).size).toBe(1)
    const folder = join(repository.path, "objects")
    expect(readdirSync(folder).filter((name) => name.startsWith("tmp"))).toEqual([])
    expect(statSync(join(folder, id.slice(0, 2), id.slice(2))).mode & 0o777).toBe(0o444)
  })
})

describe("a repository in which something is missing", () => {
  const action = { _tag: "create", path: "src/new.txt", content: Buffer.from("new") } as const

  it("is not written to as if it had been empty", async () => {
    const { commits, git, repository } = damaged()
    const made = commits([
      { mark: "root", files: { "src/kept.txt": "kept\n" } },
      { mark: "tip", files: { "src/also.txt": "also\n" } }
    ])
    const [root = "", tip = ""] = [made.root, made.tip]
    const people = { author: person, committer: person, message: "m" }
    const write = () => Effect.flip(commitFiles(repository, { ...people, parent: tip, actions: [action] }))
    const remove = (id: string) => rmSync(join(repository.path, "objects", id.slice(0, 2), id.slice(2)))
    const folder = git(["rev-parse", `${tip}:src`])
    remove(folder)
    expect(await withObjects(write())).toMatchObject({ command: `cat-file tree ${folder}`, stderr: "missing" })
    const commit = (await withObjects(readCommit(repository, tip))) ?? expect.unreachable()
    remove(root)
    const pick = { commit, onto: tip, committer: person, message: "m" }
    expect(await withObjects(Effect.flip(cherryPick(repository, pick)))).toMatchObject({ command: `cat-file commit ${root}` })
    remove(tip)
    expect(await withObjects(write())).toMatchObject({ command: `cat-file commit ${tip}`, stderr: "missing" })
  })
})

it("makes an old object young, so that it is not pruned before something names it", async () => {
  const { git, repository } = standard()
  const content = Buffer.from("old\n")
  const id = await Effect.runPromise(writeObject(repository, "blob", content))
  const file = join(repository.path, "objects", id.slice(0, 2), id.slice(2))
  utimesSync(file, 1000, 1000)
  await Effect.runPromise(writeObject(repository, "blob", content))
  git(["prune", "--expire=1.day.ago"])
  expect(git(["cat-file", "-t", id])).toBe("blob")
})

describe("a commit", () => {
  it("is the same for git, and the same every time", async () => {
    const { git, ids, repository } = standard()
    const tree = git(["rev-parse", `${ids.head}^{tree}`])
    const draft = {
      tree,
      parents: [ids.head, ids.orphan],
      author: person,
      committer: { ...person, offset: "-0330" },
      message: "Títle\n\nBody"
    }
    const id = await Effect.runPromise(writeCommit(repository, draft))
    expect(await Effect.runPromise(writeCommit(repository, draft))).toBe(id)
    expect(git(["cat-file", "commit", id])).toBe(
      `tree ${tree}\nparent ${ids.head}\nparent ${ids.orphan}\nauthor Wendy Writer <wendy@example.com> 1700000000 +0100\n` +
        "committer Wendy Writer <wendy@example.com> 1700000000 -0330\n\nTítle\n\nBody"
    )
    expect(git(["fsck", "--strict", "--no-dangling", id])).toBe("")
  })

  it("stays whole whatever names and messages are", async () => {
    const { git, ids, repository } = standard()
    const tree = git(["rev-parse", `${ids.head}^{tree}`])
    const author = { ...person, name: "A\nparent 1 <x> \0", email: "<>\n" }
    const id = await Effect.runPromise(
      writeCommit(repository, { tree, parents: [], author, committer: author, message: "a\0b\n" })
    )
    expect(git(["fsck", "--strict", "--no-dangling", id])).toBe("")
    expect(git(["log", "-1", "--format=%an|%ae|%B", id])).toBe("Aparent 1 x||ab\n")
  })
})

it("writes annotated tags that git knows", async () => {
  const { git, ids, repository } = standard()
  const id = await Effect.runPromise(writeTag(repository, { name: "v9", target: ids.head, tagger: person, message: "Nine" }))
  git(["update-ref", "refs/tags/v9", id])
  expect(git(["for-each-ref", "--format=%(objecttype) %(*objectname) %(taggername) %(contents)", "refs/tags/v9"])).toBe(
    `tag ${ids.head} Wendy Writer Nine\n`
  )
  expect(git(["fsck", "--strict", "--no-dangling", id])).toBe("")
})

describe("a path of a file", () => {
  it.each([
    "a",
    "a/b",
    "-x",
    "--output=x",
    "a b",
    "new\nline",
    "é",
    "..a",
    "a..",
    ".gitignore",
    ".github/x",
    "a/.gitmodules",
    "%2F",
    "a\\b",
    "'\"",
    ":(top)",
    "...",
    "x.lock",
    "git",
    "😀"
  ])("may be %j", (path) => expect(isFilePath(path)).toBe(true))

  it.each([
    "",
    "/",
    "/a",
    "a/",
    "a//b",
    ".",
    "..",
    "a/../b",
    "./a",
    ".git",
    ".GIT/config",
    "a/.git/b",
    ".git.",
    ".git ",
    "git~1",
    "GIT~1/x",
    ".git::$INDEX_ALLOCATION",
    ".g\u200cit",
    ".git\u200d",
    "a\\.git\\b",
    "a\0b",
    "\ud800",
    "x".repeat(5000)
  ])("is never %j", (path) => expect(isFilePath(path)).toBe(false))

  it("leads to trees that git calls sound", async () => {
    const { git, object } = empty()
    const blob = object("blob", "x\n")
    const piece = fc.constantFrom(
      ".git",
      "git~1",
      ".",
      "..",
      "a",
      " ",
      "GIT",
      "~1",
      "\u200c",
      "\ufeff",
      ".g",
      "it",
      "\\",
      ":",
      "x",
      "-",
      "\n"
    )
    const names = fc.sample(
      fc.array(piece, { minLength: 1, maxLength: 4 }).map((it) => it.join("")),
      400
    )
    const good = names.filter((name) => isFilePath(name))
    expect(good.length).toBeGreaterThan(50)
    for (const name of good) object("tree", Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, "hex")]))
    expect(git(["fsck", "--strict", "--no-dangling"])).toBe("")
  })
})
