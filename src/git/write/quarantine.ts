import { randomUUID } from "node:crypto"
import { mkdir, open, readdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { alternates } from "../process/alternates.ts"
import { syncFolder } from "../process/syncFolder.ts"
import type { Repository } from "../Repository.ts"

/** A folder for objects in front of a repository: what is written to it is only there for who uses it, until it is kept. */
export interface Quarantine {
  /** The path of the folder, which has the form of `objects`. */
  readonly folder: string
  /** The environment in which `git` writes there, and also finds what the repository has. */
  readonly env: Readonly<Record<string, string>>
}

/** Git need not wait for the disk when it writes to a quarantine: what is kept is brought to the disk then. */
export const quarantineSettings = ["-c", "core.fsync=none"]

/** Files that are brought to the disk at a time. */
const concurrency = 16

/** Maintenance removes a folder of such a name when it is a day old, so that what a killed process leaves does not stay. */
const make = async ({ path }: Repository): Promise<Quarantine> => {
  const folder = join(path, "objects", `tmp_merge_${randomUUID()}`)
  await mkdir(folder)
  return { folder, env: { GIT_OBJECT_DIRECTORY: folder, ...alternates([{ path }]) } }
}

/** Runs what uses a quarantine, which is removed afterwards with all that was not kept. */
export const inQuarantine = <A, E, R>(
  repository: Repository,
  use: (quarantine: Quarantine) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.promise(() => make(repository)),
    use,
    ({ folder }) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  )

const syncFile = async (path: string): Promise<void> => {
  await using file = await open(path, "r")
  await file.sync()
}

/** Makes one folder, in a repository that is there still; false where there is one. */
const makeOne = (path: string): Promise<boolean> =>
  mkdir(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => (error.code === "EEXIST" ? false : Promise.reject(error))
  )

/** Moves the objects of one of the 256 folders, which are on the disk before anybody can see them. */
const movePart = async (quarantine: Quarantine, { path }: Repository, part: string): Promise<void> => {
  const [from, to] = [join(quarantine.folder, part), join(path, "objects", part)]
  const names = await readdir(from)
  await Promise.all(names.map((name) => syncFile(join(from, name))))
  const isNew = await makeOne(to)
  // One that is there already has the same content.
  await Promise.all(names.map((name) => rename(join(from, name), join(to, name))))
  await syncFolder(to)
  if (isNew) await syncFolder(join(path, "objects"))
}

/**
 * Gives the repository all loose objects of a quarantine, durably. A kill in between leaves some of them, which nothing names. What
 * they lead to may come after them, so nothing may name them before this has ended.
 */
export const keepObjects = (quarantine: Quarantine, repository: Repository): Effect.Effect<void> =>
  Effect.flatMap(
    Effect.promise(() => readdir(quarantine.folder)),
    (names) =>
      Effect.forEach(
        names.filter((name) => /^[0-9a-f]{2}$/.test(name)),
        (part) => Effect.promise(() => movePart(quarantine, repository, part)),
        { concurrency, discard: true }
      )
  )
