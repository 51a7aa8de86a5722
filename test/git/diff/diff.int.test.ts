import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { diff, diffTotals } from "#src/git/diff/diff.ts"
import { type DiffEntry, unidiff } from "#src/git/diff/entry.ts"
import { noLimits } from "#src/git/diff/limits.ts"
import { rawDiff } from "#src/git/diff/rawDiff.ts"
import { emptyTreeId } from "#src/git/objectId.ts"
import { emptyRepository, type GitFixture } from "#test/support/git/gitFixtures.ts"
import type { FileChange } from "#test/support/git/gitImport.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
let fixture: GitFixture
beforeAll(() => {
  fixture = emptyRepository(`${folder()}/diff.git`)
})

const between = (from: string, to: string) => Effect.runPromise(diff(fixture.repository, { from, to }))

type Files = Readonly<Record<string, FileChange>> | ReadonlyArray<readonly [path: string | Uint8Array, change: FileChange]>

/** The difference that changes make to a tree. */
const changed = async (before: Files, changes: Files) => {
  const { after, first } = fixture.commits([
    { mark: "first", parents: [], files: before },
    { mark: "after", files: changes }
  ])
  return (await between(first, after)).entries
}

const shape = ({ aMode, bMode, diff: text, isDeleted, isNew, isRenamed, newPath, oldPath }: DiffEntry) => ({
  text,
  oldPath,
  newPath,
  modes: `${aMode} ${bMode}`,
  flags: [...(isNew ? ["new"] : []), ...(isRenamed ? ["renamed"] : []), ...(isDeleted ? ["deleted"] : [])].join(" ")
})

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`).join("")
const bytes = (text: string) => Buffer.from(text, "latin1")
const commit = "0123456789abcdef0123456789abcdef01234567"
const link = (content: string): FileChange => ({ mode: "120000", content })
const noEnd = "\\ No newline at end of file\n"
const at = (path: string) => ({ oldPath: path, newPath: path })
const edited = { modes: "100644 100644", flags: "" }
const added = { modes: "0 100644", flags: "new" }
const removed = { modes: "100644 0", flags: "deleted" }

type Expected = ReturnType<typeof shape>
/** Source: diff format, the table of changes. */
const rows: ReadonlyArray<readonly [name: string, before: Files, changes: Files, expected: ReadonlyArray<Expected>]> = [
  ["edit", { x: "a\n" }, { x: "b\n" }, [{ ...at("x"), ...edited, text: "@@ -1 +1 @@\n-a\n+b\n" }]],
  ["new file", {}, { x: "a\n" }, [{ ...at("x"), ...added, text: "@@ -0,0 +1 @@\n+a\n" }]],
  ["new empty file", {}, { x: "" }, [{ ...at("x"), ...added, text: "" }]],
  ["delete", { x: "a\n" }, { x: null }, [{ ...at("x"), ...removed, text: "@@ -1 +0,0 @@\n-a\n" }]],
  [
    "pure rename",
    { x: numbered(20) },
    { x: null, y: numbered(20) },
    [{ oldPath: "x", newPath: "y", modes: "100644 100644", flags: "renamed", text: "" }]
  ],
  [
    "rename and edit",
    { x: numbered(20) },
    { x: null, y: `${numbered(20)}more\n` },
    [
      {
        oldPath: "x",
        newPath: "y",
        modes: "100644 100644",
        flags: "renamed",
        text: "@@ -18,3 +18,4 @@ line 16\n line 17\n line 18\n line 19\n+more\n"
      }
    ]
  ],
  [
    "mode",
    { x: "a\n" },
    { x: { mode: "100755", content: "a\n" } },
    [{ ...at("x"), modes: "100644 100755", flags: "", text: "" }]
  ],
  [
    "binary edit",
    { "b.bin": bytes("\0a") },
    { "b.bin": bytes("\0b") },
    [{ ...at("b.bin"), ...edited, text: "Binary files a/b.bin and b/b.bin differ\n" }]
  ],
  ["binary add", {}, { x: bytes("\0a") }, [{ ...at("x"), ...added, text: "Binary files /dev/null and b/x differ\n" }]],
  [
    "binary delete",
    { x: bytes("\0a") },
    { x: null },
    [{ ...at("x"), ...removed, text: "Binary files a/x and /dev/null differ\n" }]
  ],
  [
    "binary behind what git looks at",
    { x: `${"a".repeat(9000)}\n\0` },
    { x: `${"a".repeat(9000)}\n\0b` },
    [{ ...at("x"), ...edited, text: "Binary files x and x differ\n" }]
  ],
  [
    "submodule",
    {},
    { sub: { commit } },
    [{ ...at("sub"), modes: "0 160000", flags: "new", text: `@@ -0,0 +1 @@\n+Subproject commit ${commit}\n` }]
  ],
  [
    "symbolic link",
    { x: link("a") },
    { x: link("b") },
    [{ ...at("x"), modes: "120000 120000", flags: "", text: `@@ -1 +1 @@\n-a\n${noEnd}+b\n${noEnd}` }]
  ],
  [
    "file to link",
    { x: "a\n" },
    { x: link("t") },
    [
      { ...at("x"), ...removed, text: "@@ -1 +0,0 @@\n-a\n" },
      { ...at("x"), modes: "0 120000", flags: "new", text: `@@ -0,0 +1 @@\n+t\n${noEnd}` }
    ]
  ],
  [
    "file to submodule, between others",
    { a: "1\n", x: "", z: "1\n" },
    { a: "2\n", x: { commit }, z: "2\n" },
    [
      { ...at("a"), ...edited, text: "@@ -1 +1 @@\n-1\n+2\n" },
      { ...at("x"), ...removed, text: "" },
      { ...at("x"), modes: "0 160000", flags: "new", text: `@@ -0,0 +1 @@\n+Subproject commit ${commit}\n` },
      { ...at("z"), ...edited, text: "@@ -1 +1 @@\n-1\n+2\n" }
    ]
  ],
  ["Latin-1", { x: "a\n" }, { x: bytes("caf\xe9\n") }, [{ ...at("x"), ...edited, text: "@@ -1 +1 @@\n-a\n+café\n" }]],
  [
    "Latin-1 to UTF-8",
    { x: bytes("caf\xe9\n") },
    { x: "café\n" },
    [{ ...at("x"), ...edited, text: "@@ -1 +1 @@\n-café\n+café\n" }]
  ],
  [
    "UTF-8 with an invalid byte",
    { x: "" },
    { x: Buffer.concat([Buffer.from("café"), bytes("\xff\n")]) },
    [{ ...at("x"), ...edited, text: "@@ -0,0 +1 @@\n+café\ufffd\n" }]
  ],
  [
    "carriage returns, no newline",
    { x: "a\r\nb" },
    { x: "a\r\nc" },
    [{ ...at("x"), ...edited, text: `@@ -1,2 +1,2 @@\n a\r\n-b\n${noEnd}+c\n${noEnd}` }]
  ],
  [
    "lines like headers",
    { x: "-- a/x\ndiff --git a/x b/x\n" },
    { x: "++ b/x\n@@ -1 +1 @@\nBinary files a and b differ\n" },
    [
      {
        ...at("x"),
        ...edited,
        text: "@@ -1,2 +1,3 @@\n--- a/x\n-diff --git a/x b/x\n+++ b/x\n+@@ -1 +1 @@\n+Binary files a and b differ\n"
      }
    ]
  ],
  [
    "function behind the numbers",
    { x: `int f(void)\n{\n${numbered(9).replaceAll("line", " ")}}\n` },
    { x: `int f(void)\n{\n${numbered(8).replaceAll("line", " ")} changed\n}\n` },
    [
      {
        ...at("x"),
        ...edited,
        text: "@@ -8,5 +8,5 @@ int f(void)\n   5\n   6\n   7\n-  8\n+ changed\n }\n"
      }
    ]
  ]
]

describe("diff", () => {
  it.each(rows)("%s", async (_name, before, changes, expected) => {
    expect((await changed(before, changes)).map(shape)).toEqual(expected)
  })

  it.each([
    "two\nlines",
    'quo"te\ttab',
    "back\\slash",
    "a b/b/x b/c",
    "--output=x",
    " spaces ",
    "ünï/😀",
    ":(top)x",
    "R100",
    "a\r"
  ])("keeps the name %j", async (path) => {
    const entries = await changed({}, { [path]: "a\n" })
    expect(entries.map(shape)).toEqual([{ ...at(path), ...added, text: "@@ -0,0 +1 @@\n+a\n" }])
  })

  it("shows names that are not UTF-8 as text, each part for itself, as trees do", async () => {
    const mixed = Buffer.concat([bytes("th\xe9/"), Buffer.from("ü/"), bytes("\xfc")])
    const entries = await changed({}, [
      [bytes("caf\xe9"), "a\n"],
      [mixed, "b\n"]
    ])
    expect(entries.map(({ newPath }) => newPath)).toEqual(["café", "thé/ü/ü"])
  })

  it("takes nothing from attributes", async () => {
    const attributes = "* -diff\nx diff=python\n"
    const entries = await changed({ ".gitattributes": attributes, x: "a\n" }, { x: "b\n" })
    expect(entries.map(shape)).toEqual([{ ...at("x"), ...edited, text: "@@ -1 +1 @@\n-a\n+b\n" }])
  })

  it("finds renames from 30 percent of similarity on", async () => {
    const alike = (same: number) => `${numbered(same)}${Array.from({ length: 50 - same }, (_, i) => `other ${i * 7}\n`).join("")}`
    const [renamed] = await changed({ x: numbered(50) }, { x: null, y: alike(20) })
    expect(renamed?.isRenamed).toBe(true)
    const apart = await changed({ x: numbered(50) }, { x: null, y: alike(5) })
    expect(apart.map(({ isRenamed }) => isRenamed)).toEqual([false, false])
  })

  it("has nothing between equal trees, and all of a first commit", async () => {
    const { first } = fixture.commits([{ mark: "first", parents: [], files: { "a/b": "x\n", c: "y\n" } }])
    expect(await between(first, first)).toEqual({ entries: [], isOverflow: false })
    const { entries } = await between(emptyTreeId, first)
    expect(entries.map(shape)).toEqual([
      { ...at("a/b"), ...added, text: "@@ -0,0 +1 @@\n+x\n" },
      { ...at("c"), ...added, text: "@@ -0,0 +1 @@\n+y\n" }
    ])
    expect((await between(first, emptyTreeId)).entries.map(({ isDeleted }) => isDeleted)).toEqual([true, true])
  })

  it("counts as git counts", async () => {
    const { after, first } = fixture.commits([
      { mark: "first", parents: [], files: { a: numbered(30), b: numbered(5), c: bytes("\0") } },
      { mark: "after", files: { a: null, d: `${numbered(28)}x\n`, b: "y\n", c: bytes("\0\0"), "e\n": "z" } }
    ])
    const numstat = fixture.git(["diff", "--numstat", "-M30%", first, after]).split("\n")
    const counted = numstat.map((line) => line.split("\t").slice(0, 2).map(Number)).map(([plus = 0, minus = 0]) => [plus, minus])
    const { entries } = await between(first, after)
    expect(entries.map(({ additions, deletions }) => [additions, deletions])).toEqual(
      counted.map((pair) => pair.map((count) => count || 0))
    )
    expect(await Effect.runPromise(diffTotals(fixture.repository, { from: first, to: after }))).toEqual({
      files: entries.length,
      additions: entries.reduce((sum, { additions }) => sum + additions, 0),
      deletions: entries.reduce((sum, { deletions }) => sum + deletions, 0)
    })
  })

  it("is what git prints, with its headers taken away", async () => {
    const { after, first } = fixture.commits([
      { mark: "first", parents: [], files: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, numbered(i * 9)])) },
      {
        mark: "after",
        files: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}`, numbered(i * 9).replaceAll("3", "x")]))
      }
    ])
    const printed = fixture.git(["diff", first, after])
    const texts = `${printed}\n`.split(/^diff --git .*\nindex .*\n--- .*\n\+\+\+ .*\n/m).slice(1)
    const { entries } = await Effect.runPromise(diff(fixture.repository, { from: first, to: after, limits: noLimits }))
    expect(entries.map((entry) => entry.diff)).toEqual(texts)
  })

  it("fails for what is not there, and never takes a name for an option", async () => {
    const missing = "f".repeat(40)
    const result = await Effect.runPromise(Effect.flip(diff(fixture.repository, { from: missing, to: emptyTreeId })))
    expect(result._tag).toBe("GitFailed")
    await expect(between("--output=/tmp/x", emptyTreeId)).rejects.toThrow("Not a full object id")
    const whole = Effect.scoped(rawDiff(fixture.repository, { from: "--output=/tmp/x", to: emptyTreeId }))
    await expect(Effect.runPromise(whole)).rejects.toThrow("Not a full object id")
  })
})

describe("unidiff", () => {
  it.each([
    ["edit", { "a b": "1\n" }, { "a b": "2\n" }, "--- a/a b\n+++ b/a b\n@@ -1 +1 @@\n-1\n+2\n"],
    ["new", {}, { x: "2\n" }, "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+2\n"],
    ["deleted", { x: "2\n" }, { x: null }, "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-2\n"],
    ["quoted by git", { 'a"\n': "1\n" }, { 'a"\n': "2\n" }, '--- a/a"\n\n+++ b/a"\n\n@@ -1 +1 @@\n-1\n+2\n'],
    ["binary", {}, { x: "\0" }, "Binary files /dev/null and b/x differ\n"],
    ["empty", {}, { x: "" }, ""]
  ])("of a file: %s", async (_name, before, changes, expected) => {
    const [entry] = await changed(before, changes)
    expect(entry === undefined ? undefined : unidiff(entry)).toBe(expected)
  })
})
