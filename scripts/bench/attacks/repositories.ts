import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { git, gitEnvironment } from "../plainGit.ts"
import { makeRandom } from "../random.ts"
import type { Pair } from "./Attack.ts"

interface Commit {
  /** Its branch, which begins at `main`; by default `main` itself. */
  readonly branch?: string
  /** What stands in front of the files, such as `deleteall`. */
  readonly first?: string
  readonly files: Iterable<{ readonly path: string; readonly text: string }>
}

function* stream(commits: Iterable<Commit>): Generator<string> {
  let number = 0
  for (const { branch, files, first = "" } of commits) {
    const message = `Change ${++number}`
    const time = 1_700_000_000 + number
    const from = branch === undefined ? "" : "from refs/heads/main\n"
    yield `commit refs/heads/${branch ?? "main"}\ncommitter Ada <ada@example.com> ${time} +0000\ndata ${message.length}\n${message}\n${from}${first}`
    for (const { path, text } of files) yield `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
    yield "\n"
  }
  yield "done\n"
}

/** Makes a bare repository of commits. */
export const write = async (folder: string, commits: Iterable<Commit>): Promise<void> => {
  await mkdir(folder)
  await git(folder, "init", "--quiet", "--bare", "--initial-branch=main")
  const importing = promisify(execFile)("git", ["-C", folder, "fast-import", "--quiet", "--done"], { env: gitEnvironment })
  const { stdin } = importing.child
  if (stdin === null) throw new Error("git reads nothing")
  await Promise.all([pipeline(Readable.from(stream(commits)), stdin), importing])
}

/** A repository as many are: ten commits, twenty files in two directories. */
export const writeSmall = async (folder: string): Promise<string> => {
  const file = (commit: number, index: number) => ({
    path: `${index % 2 === 0 ? "src" : "docs"}/file${index}.txt`,
    text: Array.from({ length: 40 }, (_, line) => `line ${line} of file ${index} in commit ${commit}\n`).join("")
  })
  const files = (commit: number) => Array.from({ length: 20 }, (_, index) => file(commit, index))
  await write(
    folder,
    Array.from({ length: 10 }, (_, commit) => ({ files: files(commit) }))
  )
  return folder
}

const longFile = "long.txt"

/** One commit with a file of 150,000 lines, and one of 32 MiB that cannot be compressed. */
export const writeLong = async (folder: string) => {
  const text = Array.from({ length: 150_000 }, (_, line) => `line ${line}\n`).join("")
  const noise = randomBytes(24 * 1024 * 1024).toString("base64")
  const files = [
    { path: longFile, text },
    { path: "noise.txt", text: noise }
  ]
  await write(folder, [{ files }])
  return {
    folder,
    file: longFile,
    tip: await git(folder, "rev-parse", "main"),
    blob: await git(folder, "rev-parse", "main:noise.txt")
  }
}

/** Puts as many branches and tags on a commit of a bare repository, behind the service's back. */
export const plantRefs = async (folder: string, commit: string, number: number): Promise<void> => {
  const named = (kind: string) =>
    Array.from({ length: number }, (_, index) => `${commit} refs/${kind}/v${String(index).padStart(6, "0")}.1.2`)
  const lines = [...named("heads"), ...named("tags")]
  await writeFile(join(folder, "packed-refs"), `# pack-refs with: peeled fully-peeled sorted \n${lines.join("\n")}\n`)
  await git(folder, "update-ref", "refs/heads/main", commit)
}

const renamedFiles = 990
const linesOfFile = 400

/**
 * Two commits: the second removes 990 files and adds 990 others, and all have six tenths of their lines in common. So each is compared with
 * each, just below the number from which on git looks for no renames.
 */
export const writeRenames = async (folder: string): Promise<Pair & { readonly folder: string }> => {
  const random = makeRandom(1)
  const shared = Array.from({ length: linesOfFile }, (_, line) => `line ${line} is in many files: ${random.below(1e9)}`)
  const line = (text: string) => (random.isAmong(0.6) ? text : `line of one file: ${random.below(1e9)} ${random.below(1e9)}`)
  const files = function* (directory: string) {
    for (let file = 0; file < renamedFiles; file++)
      yield { path: `${directory}/${file}.txt`, text: `${shared.map(line).join("\n")}\n` }
  }
  await write(folder, [{ files: files("before") }, { first: "deleteall\n", files: files("after") }])
  return { folder, from: await git(folder, "rev-parse", "main~"), to: await git(folder, "rev-parse", "main") }
}

const depth = 10
const entries = 10

const piped = async (folder: string, input: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const running = promisify(execFile)("git", ["-C", folder, ...args], { env: gitEnvironment })
  running.child.stdin?.end(input)
  return (await running).stdout.trim()
}

/**
 * Puts a commit on `main` of a bare repository, behind the service's back: a tree of ten entries, all the same tree of ten entries, ten deep.
 * It takes a few kilobytes, and expands to ten thousand million files.
 */
export const plantBomb = async (folder: string): Promise<void> => {
  let mode = "100644 blob"
  let id = await piped(folder, "nothing but a file\n", "hash-object", "-w", "--stdin")
  for (let level = 0; level < depth; level++) {
    const lines = Array.from({ length: entries }, (_, entry) => `${mode} ${id}\tentry${entry}\n`)
    id = await piped(folder, lines.join(""), "mktree")
    mode = "040000 tree"
  }
  const who = ["-c", "user.name=Attacker", "-c", "user.email=attacker@example.com"]
  const commit = await git(folder, ...who, "commit-tree", "-m", "Add little", "-p", "main", id)
  await git(folder, "update-ref", "refs/heads/main", commit)
}
