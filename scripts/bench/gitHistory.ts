import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { parseArgs, promisify } from "node:util"
import { randoms } from "./random.ts"

/** What to make: the same numbers make the same commit ids. */
export interface HistoryOptions {
  /** The number of commits on `main`, the only branch, merges included. */
  readonly commits: number
  /** The number of files in the last tree. */
  readonly files: number
  readonly authors: number
  readonly seed: number
}

export const defaultHistory: HistoryOptions = { commits: 50_000, files: 20_000, authors: 300, seed: 1 }

const words = "render parse commit branch index tree value state merge reader writer stream cache token limit query".split(" ")
const startTime = 1_500_000_000
const secondsBetween = 600

/** The stream that `git fast-import` reads. One commit in 25 merges a side branch of one commit, which touches a file that main leaves alone. */
function* history({ authors, commits, files, seed }: HistoryOptions): Generator<string> {
  const random = randoms(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const line = () => `  const ${words[below(words.length)]} = ${words[below(words.length)]}(${below(10_000)})`
  const paths: Array<string> = []
  const contents: Array<Array<string>> = []
  const add = () => {
    const number = paths.length
    paths.push(`src/part${number % 40}/area${Math.floor(number / 40) % 25}/file${number}.ts`)
    contents.push(Array.from({ length: 10 + below(60) }, line))
    return number
  }
  const edit = (number: number) => {
    const lines = contents[number] ?? []
    for (let left = 1 + below(6); left > 0; left--) lines.splice(below(lines.length), below(2), line())
    return number
  }
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const change = (number: number) => `M 100644 inline ${paths[number]}\n${data(`${(contents[number] ?? []).join("\n")}\n`)}`
  const head = (mark: number) => {
    // Few people make most of the commits.
    const person = Math.floor(authors * random() ** 3)
    const signature = `Person ${person} <person${person}@example.com> ${startTime + mark * secondsBetween} +0200`
    return `commit refs/heads/main\nmark :${mark}\nauthor ${signature}\ncommitter ${signature}\n${data(`Change ${mark}: ${line().trim()}\n`)}`
  }
  let tip = 0
  for (let mark = 1; mark <= commits; mark++) {
    const from = tip === 0 ? "" : `from :${tip}\n`
    const due = Math.ceil((files * mark) / commits) - paths.length
    const touched = new Set<number>()
    if (paths.length > 0) for (let left = 1 + below(2); left > 0; left--) touched.add(edit(below(paths.length)))
    for (let left = due; left > 0; left--) touched.add(add())
    const changes = [...touched].map(change).join("")
    yield `${head(mark)}${from}${changes}\n`
    if (mark % 25 === 2 && mark + 2 <= commits) {
      // This commit has the same parent as the one before it; the merge brings its file to main.
      const aside = change(edit([...Array(paths.length).keys()].find((number) => !touched.has(number)) ?? 0))
      yield `${head(++mark)}${from}${aside}\n`
      yield `${head(++mark)}from :${mark - 2}\nmerge :${mark - 1}\n${aside}\n`
    }
    tip = mark
  }
  yield "done\n"
}

/** Makes a bare repository in a new folder, with its commits packed and in a commit graph. */
export const writeHistory = async (folder: string, options: HistoryOptions = defaultHistory): Promise<void> => {
  const git = (...args: ReadonlyArray<string>) => promisify(execFile)("git", [`--git-dir=${folder}`, ...args])
  await mkdir(folder, { recursive: true })
  await git("init", "--quiet", "--bare", "--initial-branch=main")
  const importer = spawn("git", [`--git-dir=${folder}`, "fast-import", "--quiet", "--done", "--force"], {
    stdio: ["pipe", "ignore", "inherit"]
  })
  const ended = once(importer, "close")
  await pipeline(Readable.from(history(options)), importer.stdin)
  const [status] = await ended
  if (status !== 0) throw new Error(`git fast-import ended with ${status}`)
  await git("repack", "-a", "-d", "--quiet", "--window=10")
  await git("commit-graph", "write", "--reachable")
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { commits: { type: "string" }, files: { type: "string" }, seed: { type: "string" } }
  })
  const { authors, commits, files, seed } = defaultHistory
  await writeHistory(positionals[0] ?? "history.git", {
    authors,
    commits: Number(values.commits ?? commits),
    files: Number(values.files ?? files),
    seed: Number(values.seed ?? seed)
  })
}
