import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { contributorFolder } from "../contributors/cache.ts"
import type { Repository } from "../Repository.ts"

/** git holds a lock for moments; one this old belongs to a process that was killed. Milliseconds. */
const lockAge = 15 * 60_000
/** What a killed push or repack has left; a running push may take hours. Milliseconds. */
const temporaryAge = 24 * 3_600_000

/** Folders, apart from that of the refs, in which git makes locks. */
const lockFolders = [".", "objects/info", "objects/info/commit-graphs", "objects/pack"]
const temporaryFolders = ["objects", "objects/pack", contributorFolder]

const names = (folder: string, recursive = false): Promise<ReadonlyArray<string>> =>
  readdir(folder, { recursive }).catch(() => [])

/** Undefined when it is gone. */
const ageOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => undefined
  )

interface Found {
  readonly path: string
  /** Milliseconds until it is taken for that of a killed process; not positive when it is. */
  readonly wait: number
}

const waits = async (paths: ReadonlyArray<string>, age: number): Promise<ReadonlyArray<Found>> => {
  const found: Array<Found> = []
  for (const path of paths) {
    const present = await ageOf(path)
    if (present !== undefined) found.push({ path, wait: age - present })
  }
  return found
}

/** Locks and temporary files, of processes that run or were killed. */
const find = async ({ path }: Repository): Promise<ReadonlyArray<Found>> => {
  const locks: Array<string> = []
  for (const folder of lockFolders)
    for (const name of await names(join(path, folder)))
      if (name.endsWith(".lock") || name === "gc.pid") locks.push(join(path, folder, name))
  for (const name of await names(join(path, "refs"), true)) if (name.endsWith(".lock")) locks.push(join(path, "refs", name))
  const temporary: Array<string> = []
  for (const folder of temporaryFolders)
    for (const name of await names(join(path, folder))) if (/^\.?tmp[_-]/.test(name)) temporary.push(join(path, folder, name))
  return [...(await waits(locks, lockAge)), ...(await waits(temporary, temporaryAge))]
}

/**
 * Removes what would keep a ref or a task locked for ever, and what only takes space. Answers what it removed, and the milliseconds
 * until it may have to remove what is too young by now; undefined where there is nothing.
 */
export const removeLeftovers = (repository: Repository) =>
  Effect.promise(async () => {
    const found = await find(repository)
    const removed = found.filter(({ wait }) => wait <= 0).map(({ path }) => path)
    await Promise.all(removed.map((path) => rm(path, { recursive: true, force: true })))
    const young = found.map(({ wait }) => wait).filter((wait) => wait > 0)
    return { removed, again: young.length === 0 ? undefined : Math.min(...young) }
  })
