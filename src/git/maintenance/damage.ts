import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { run } from "../process/run.ts"
import type { Repository } from "../Repository.ts"
import type { Refs } from "../refs/pushedRefs.ts"
import { staleFiles } from "./staleFiles.ts"

/** A file of a repository, by its path below it, and what is wrong with it. */
export interface DamagedFile {
  readonly file: string
  readonly fault: string
}

const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})\n?$/
const symbolicRef = /^ref: refs\/\S[^\n]*\n?$/

const entries = (folder: string, recursive = false) => readdir(folder, { recursive, withFileTypes: true }).catch(() => undefined)

const textOf = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined)

/** The file where it names neither an object nor a ref. One that was removed meanwhile is in order, unless it has to be there. */
const wrongRef = async (repository: Repository, file: string, isNeeded: boolean): Promise<ReadonlyArray<DamagedFile>> => {
  const text = await textOf(join(repository.path, file))
  if (text === undefined) return isNeeded ? [{ file, fault: "is missing" }] : []
  if (text === "") return [{ file, fault: "is empty" }]
  return objectId.test(text) || symbolicRef.test(text) ? [] : [{ file, fault: "names no object and no ref" }]
}

const wrongLooseRefs = async (repository: Repository): Promise<ReadonlyArray<DamagedFile>> => {
  const found = await entries(join(repository.path, "refs"), true)
  if (found === undefined) return [{ file: "refs", fault: "is missing" }]
  const files = found.filter((entry) => entry.isFile() && !entry.name.endsWith(".lock"))
  const paths = files.map(({ name, parentPath }) => join(parentPath, name).slice(repository.path.length + 1))
  return (await Promise.all(paths.map((file) => wrongRef(repository, file, false)))).flat()
}

/** A pack and its index are of no use without each other. An index comes last, so a pack without one may be on its way. */
const lackingPacks = async (repository: Repository): Promise<ReadonlyArray<DamagedFile>> => {
  const found = await entries(join(repository.path, "objects", "pack"))
  if (found === undefined) return [{ file: "objects/pack", fault: "is missing" }]
  const names = new Set(found.map(({ name }) => name))
  return [...names]
    .filter((name) => name.endsWith(".idx") && !names.has(name.replace(/idx$/, "pack")))
    .map((name) => ({ file: `objects/pack/${name.replace(/idx$/, "pack")}`, fault: "is missing" }))
}

const leftLocks = async (repository: Repository): Promise<ReadonlyArray<DamagedFile>> => {
  const stale = (await staleFiles(repository)).filter(({ path, wait }) => path.endsWith(".lock") && wait <= 0)
  return stale.map(({ path }) => ({ file: path.slice(repository.path.length + 1), fault: "was left by a killed process" }))
}

/** The files that are wrong by themselves: looked at without a process, so thousands of repositories take seconds. */
export const damagedFiles = (repository: Repository): Effect.Effect<ReadonlyArray<DamagedFile>> =>
  Effect.promise(async () => {
    const checks = [wrongRef(repository, "HEAD", true), wrongLooseRefs(repository), lackingPacks(repository)]
    return (await Promise.all([...checks, leftLocks(repository)])).flat()
  })

const missing = /^missing (?:blob|tree|commit|tag) ([0-9a-f]+)$/gm
const objectFile = (id: string): DamagedFile => ({ file: `objects/${id.slice(0, 2)}/${id.slice(2)}`, fault: "is missing" })

/** The objects of these ids that are not there. */
const absent = Effect.fnUntraced(function* (repository: Repository, ids: ReadonlyArray<string>) {
  const input = Buffer.from(ids.map((id) => `${id}\n`).join(""))
  const { stdout } = yield* run(repository, ["cat-file", "--batch-check=%(objecttype)"], { input })
  return [...stdout.toString("utf8").matchAll(/^([0-9a-f]+) missing$/gm)].map(([, id = ""]) => id)
})

/** What fsck may end with, a sum of what it found. */
const fsckStatuses = Array.from({ length: 32 }, (_, status) => status)

/**
 * The objects that the refs, or what they lead to, lack, as the files in which git looks for them first. Walks the whole history, which
 * may take `timeLimit` milliseconds.
 */
export const missingObjects = Effect.fnUntraced(function* (repository: Repository, refs: Refs, timeLimit: number) {
  const tips = yield* absent(repository, [...new Set(refs.values())])
  const fsck = ["fsck", "--connectivity-only", "--no-dangling", "--no-progress"]
  const { stdout } = yield* run(repository, fsck, { statuses: fsckStatuses, timeLimit })
  const inner = [...stdout.toString("utf8").matchAll(missing)].map(([, id = ""]) => id)
  return [...new Set([...tips, ...inner])].map(objectFile)
})
