import { rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import type { Repository } from "../Repository.ts"
import { isRefName } from "./refNames.ts"

/** The age in milliseconds at which a lock counts as stale: git holds locks only for moments. */
export const lockAge = 15 * 60_000

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

const removeIfStale = (path: string): Promise<boolean> =>
  ageOf(path).then((age) => age !== undefined && age >= lockAge && rm(path, { force: true }).then(() => true))

/**
 * Removes the locks that a killed process left on these refs and on what moves with any ref, so that they block nobody. For whoever holds
 * the lock of pushes: no other process of the service moves refs then. A young lock stays: somebody else may be at work.
 */
export const removeStaleLocks = Effect.fnUntraced(function* ({ path }: Repository, refs: ReadonlyArray<string>) {
  const locks = [...shared, ...refs.filter(isRefName)].map((name) => `${name}.lock`)
  const stale = yield* Effect.filter(locks, (lock) => Effect.promise(() => removeIfStale(join(path, lock))), { concurrency })
  if (stale.length > 0) yield* Effect.logWarning(`Removed locks in ${path} that a killed process left: ${stale.join(", ")}`)
}, spanned("git.removeStaleLocks"))
