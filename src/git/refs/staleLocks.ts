import type { Stats } from "node:fs"
import { rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import type { Repository } from "../Repository.ts"
import { isRefName } from "./refNames.ts"

/** The age in milliseconds at which a lock counts as stale: git holds locks only for moments. */
export const lockAge = 15 * 60_000

/**
 * The mode of locks that this service makes itself. Git makes none that can be executed, so that they are told from each other from the first
 * moment on. A ref keeps it, which nothing looks at.
 */
export const ownLockMode = 0o700

/** The age of a file in milliseconds; undefined when it was removed. */
export const ageOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => undefined
  )

/** What git may lock whatever ref it moves. */
const shared = ["HEAD", "packed-refs", "shallow"]

/** Files that are looked at at a time. */
const concurrency = 16

const isExecutable = 0o100

/** One of this service was left, as only who holds the lock of pushes makes any; one of git may be that of an operator. */
const isStale = ({ mode, mtimeMs }: Stats): boolean => (mode & isExecutable) !== 0 || Date.now() - mtimeMs >= lockAge

const removeIfStale = async (path: string): Promise<boolean> => {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || !isStale(found)) return false
  await rm(path, { force: true })
  return true
}

/**
 * Removes the locks that a killed process left on these refs and on what moves with any ref, so that they block nobody. For whoever holds
 * the lock of pushes: no other process of the service moves refs then. A young lock of git stays: somebody else may be at work.
 */
export const removeStaleLocks = Effect.fnUntraced(function* ({ path }: Repository, refs: ReadonlyArray<string>) {
  const locks = [...shared, ...refs.filter(isRefName)].map((name) => `${name}.lock`)
  const stale = yield* Effect.filter(locks, (lock) => Effect.promise(() => removeIfStale(join(path, lock))), { concurrency })
  if (stale.length > 0) yield* Effect.logWarning(`Removed locks in ${path} that a killed process left: ${stale.join(", ")}`)
}, spanned("git.removeStaleLocks"))
