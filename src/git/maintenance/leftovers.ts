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

const ageOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0
  )

const names = (folder: string, recursive = false): Promise<ReadonlyArray<string>> =>
  readdir(folder, { recursive }).catch(() => [])

const olderThan = async (paths: ReadonlyArray<string>, age: number): Promise<ReadonlyArray<string>> => {
  const old: Array<string> = []
  for (const path of paths) if ((await ageOf(path)) >= age) old.push(path)
  return old
}

/** Locks and temporary files of processes that were killed. */
export const findLeftovers = ({ path }: Repository): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const locks: Array<string> = []
    for (const folder of lockFolders)
      for (const name of await names(join(path, folder)))
        if (name.endsWith(".lock") || name === "gc.pid") locks.push(join(path, folder, name))
    for (const name of await names(join(path, "refs"), true)) if (name.endsWith(".lock")) locks.push(join(path, "refs", name))
    const temporary: Array<string> = []
    for (const folder of temporaryFolders)
      for (const name of await names(join(path, folder))) if (/^\.?tmp[_-]/.test(name)) temporary.push(join(path, folder, name))
    return [...(await olderThan(locks, lockAge)), ...(await olderThan(temporary, temporaryAge))]
  })

/** Removes what would keep a ref or a task locked for ever, and what only takes space. Answers what it removed. */
export const removeLeftovers = (repository: Repository): Effect.Effect<ReadonlyArray<string>> =>
  Effect.tap(findLeftovers(repository), (paths) =>
    Effect.promise(() => Promise.all(paths.map((path) => rm(path, { recursive: true, force: true }))))
  )
