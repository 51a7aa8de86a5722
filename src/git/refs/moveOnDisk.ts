import { type FileHandle, lstat, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { Objects } from "../objects/Objects.ts"
import type { Repository } from "../Repository.ts"
import type { RefChange } from "./RefChange.ts"
import { branchOf } from "./refNames.ts"
import { ownLockMode } from "./staleLocks.ts"
import { fullId, packedId, packedRefs } from "./tipOnDisk.ts"

/** A ref that is made, or moved to something else. */
interface Move extends RefChange {
  readonly to: string
}

const isMove = (change: RefChange | undefined): change is Move => change !== undefined && change.to !== null

const isMissing = (error: NodeJS.ErrnoException): boolean => error.code === "ENOENT"

/** The names that would be folders of this one: `refs/heads` and `refs/heads/a` of `refs/heads/a/b`. */
const foldersOf = (name: string): ReadonlyArray<string> => {
  const parts = name.split("/")
  return parts.slice(1, -1).map((_, index) => parts.slice(0, index + 2).join("/"))
}

/** Whether the file of packed refs has one that excludes the name, as `a` and `a/b` exclude each other. */
const isExcluded = (packed: string, name: string): boolean =>
  packed.includes(` ${Buffer.from(`${name}/`).toString("latin1")}`) ||
  foldersOf(name).some((folder) => packedId(packed, folder) !== undefined)

/** Whether a ref is where its move begins. Where that is not so, or the files do not tell, git explains it. */
const isThere = async (repository: Repository, { from, name }: Move): Promise<boolean> => {
  const loose = await readFile(join(repository.path, name), "latin1").catch((error: NodeJS.ErrnoException) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (loose !== undefined) return fullId.test(loose) && loose.slice(0, 40) === from
  const packed = await packedRefs(repository)
  if (packed === undefined || (packedId(packed, name) ?? null) !== from) return false
  return from !== null || !isExcluded(packed, name)
}

/** Git tells the log of refs what moves, where there is one. */
const hasReflogs = ({ path }: Repository): Promise<boolean> =>
  lstat(join(path, "logs")).then(
    () => true,
    (error: NodeJS.ErrnoException) => !isMissing(error)
  )

/** Writes what a ref shall name into its lock, where it is where its move begins. */
const writeLock = async (lock: FileHandle, repository: Repository, change: Move): Promise<boolean> => {
  if (!(await isThere(repository, change))) return false
  await lock.writeFile(`${change.to}\n`)
  await lock.sync()
  return true
}

/** Whether a file is the one that was opened. Of a process that stood still somebody else may have taken the lock away since, and made another. */
const isSame = async (path: string, file: FileHandle): Promise<boolean> => {
  const [there, opened] = await Promise.all([stat(path).catch(() => undefined), file.stat()])
  return there?.ino === opened.ino
}

/** Makes the folders of a ref, but no repository where there is none any more. */
const makeFolders = async ({ path }: Repository, name: string): Promise<void> => {
  for (const folder of foldersOf(name)) {
    await mkdir(join(path, folder)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error
    })
  }
}

/** Takes the lock of a ref, which git takes too, writes it, and gives it the name of the ref. */
const moveLocked = async (repository: Repository, change: Move): Promise<boolean> => {
  const file = join(repository.path, change.name)
  const lockFile = `${file}.lock`
  await makeFolders(repository, change.name)
  await using lock = await open(lockFile, "wx", ownLockMode)
  const isMoved = await writeLock(lock, repository, change)
    .then(async (isWritten) => isWritten && (await isSame(lockFile, lock)) && rename(lockFile, file).then(() => true))
    .catch(() => false)
  if (!isMoved && (await isSame(lockFile, lock))) await rm(lockFile)
  return isMoved
}

/**
 * Moves one ref as `git update-ref` does, by its lock and on the disk when this is done, without a process. Answers whether it did: where git
 * would wait, refuse, or do more than that, nothing happened, and git may. Whoever calls holds the lock of pushes.
 */
export const moveOnDisk = Effect.fnUntraced(function* (repository: Repository, changes: ReadonlyArray<RefChange>) {
  const [change] = changes
  if (changes.length > 1 || !isMove(change) || !change.name.startsWith("refs/")) return false
  const target = yield* Objects.use(({ info }) => info(repository, change.to))
  if (target === undefined || (branchOf(change.name) !== undefined && target.type !== "commit")) return false
  return yield* Effect.promise(
    async () => !(await hasReflogs(repository)) && (await moveLocked(repository, change).catch(() => false))
  )
})
