import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import fc from "fast-check"
import { expect, it } from "vitest"
import { stablePatchId } from "#src/git/diff/stablePatchId.ts"
import { runProgram } from "#test/support/processes/runProgram.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"

const folder = temporaryFolder()
const git = (args: ReadonlyArray<string>, input: Buffer | string = "") =>
  runProgram("git", args, { cwd: folder(), input, env: { PATH: process.env.PATH, HOME: folder() } })

/** What git says; null where it says nothing. */
const idByGit = (text: Buffer): string | null =>
  /^[0-9a-f]{40}\b/.exec(git(["patch-id", "--stable"], text).toString())?.[0] ?? null

const line = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(
      "one",
      "two",
      " indented\twith  space ",
      "",
      "--- a/x",
      "+++ b/x",
      "@@ -1 +1 @@",
      "diff --git a/x b/x",
      "carriage\r"
    )
  },
  fc.string({ maxLength: 20, unit: "binary" }).map((text) => text.replace(/[\0\n]/g, ""))
)
const content = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
      .map(([lines, ends]) => lines.join("\n") + (ends ? "\n" : ""))
  },
  // A file is text where its beginning is.
  fc.array(line, { maxLength: 4 }).map((lines) => `${"text\n".repeat(2000)}be\0hind\n${lines.join("\n")}`),
  fc.string({ maxLength: 10 }).map((text) => `\0binary ${text}`)
)
const name = fc.constantFrom("a", "b", "folder/c", "with space", "ünicode", 'quo"te', "tab\there")
const file = fc.record({ content, isExecutable: fc.boolean() })
const tree = fc.dictionary(name, file, { maxKeys: 5 })

const write = (files: Readonly<Record<string, { readonly content: string; readonly isExecutable: boolean }>>): string => {
  rmSync(join(folder(), "work"), { recursive: true, force: true })
  mkdirSync(join(folder(), "work"))
  for (const [path, { content: text, isExecutable }] of Object.entries(files)) {
    const at = join(folder(), "work", path)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, text)
    if (isExecutable) chmodSync(at, 0o755)
  }
  git(["-C", "work", "--git-dir=../.git", "--work-tree=.", "add", "--all"])
  return git(["write-tree"]).toString().trim()
}

it("is that of git for what changes between any two trees", () => {
  git(["init", "--quiet"])
  fc.assert(
    fc.property(tree, tree, (before, after) => {
      const [from, to] = [write(before), write(after)]
      const text = git(["diff-tree", "-r", "-p", "--full-index", "--find-renames", from, to])
      expect(stablePatchId(text)).toBe(idByGit(text))
    }),
    { numRuns: 60 }
  )
})

it("is that of git for any lines that patches have", () => {
  const piece = fc.constantFrom(
    "diff --git a/x b/x\n",
    "diff --git a/y b/y\n",
    "index 1234567..89abcde 100644\n",
    "index 1234567..89abcde\n",
    "new file mode 100644\n",
    "similarity index 90%\n",
    // Without the ids of both, git takes what happens to be in its memory.
    "index 1234567..89abcde 100644\nBinary files a/x and b/x differ\n",
    "index 0000000..89abcde\nGIT binary patch\n",
    "--- a/x\n",
    "+++ b/x\n",
    "@@ -1 +1 @@\n",
    "@@ -1,2 +1,3 @@ function\n",
    "@@ -0,0 +1 @@\n",
    "-old line\n",
    "+new line\n",
    " same line\n",
    "\\ No newline at end of file\n",
    "\n"
  )
  git(["init", "--quiet"])
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (lines) => {
      const text = Buffer.from(lines.join(""))
      expect(stablePatchId(text)).toBe(idByGit(text))
    }),
    { numRuns: 200 }
  )
})
