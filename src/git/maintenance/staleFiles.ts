import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { contributorFolder } from "../contributors/cache.ts"
import type { Repository } from "../Repository.ts"
import { ageOf, lockAge } from "../refs/staleLocks.ts"

/** The age in milliseconds at which a temporary file counts as stale: a running push may take hours. */
const temporaryAge = 24 * 3_600_000

/** Folders, apart from that of the refs, in which git makes locks. */
const lockFolders = [".", "objects/info", "objects/info/commit-graphs", "objects/pack"]
const temporaryFolders = ["objects", "objects/pack", contributorFolder]

const names = (folder: string, recursive = false): Promise<ReadonlyArray<string>> =>
  readdir(folder, { recursive }).catch(() => [])

/** A lock or temporary file, of a process that runs or was killed. */
interface LeftFile {
  readonly path: string
  /** The number of milliseconds until the file counts as stale; not positive when it is. */
  readonly wait: number
}

const withWait = async (paths: ReadonlyArray<string>, age: number): Promise<ReadonlyArray<LeftFile>> => {
  const found: Array<LeftFile> = []
  for (const path of paths) {
    const present = await ageOf(path)
    if (present !== undefined) found.push({ path, wait: age - present })
  }
  return found
}

/** Finds the lock and temporary files of processes that run or were killed. */
export const staleFiles = async ({ path }: Repository): Promise<ReadonlyArray<LeftFile>> => {
  const locks: Array<string> = []
  for (const folder of lockFolders)
    for (const name of await names(join(path, folder)))
      if (name.endsWith(".lock") || name === "gc.pid") locks.push(join(path, folder, name))
  for (const name of await names(join(path, "refs"), true)) if (name.endsWith(".lock")) locks.push(join(path, "refs", name))
  const temporary: Array<string> = []
  for (const folder of temporaryFolders)
    for (const name of await names(join(path, folder))) if (/^\.?tmp[_-]/.test(name)) temporary.push(join(path, folder, name))
  return [...(await withWait(locks, lockAge)), ...(await withWait(temporary, temporaryAge))]
}

/**
 * Removes stale locks and temporary files. Answers the removed paths, and the milliseconds until the next file may become stale;
 * undefined when there is none.
 */
export const removeStaleFiles = (repository: Repository) =>
  Effect.promise(async () => {
    const found = await staleFiles(repository)
    const removed = found.filter(({ wait }) => wait <= 0).map(({ path }) => path)
    await Promise.all(removed.map((path) => rm(path, { recursive: true, force: true })))
    const young = found.map(({ wait }) => wait).filter((wait) => wait > 0)
    return { removed, nextCheckMillis: young.length === 0 ? undefined : Math.min(...young) }
  })
