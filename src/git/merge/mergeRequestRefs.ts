import { Effect } from "effect"
import type { Objects } from "../objects/Objects.ts"
import { runText } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { PushLocks } from "../refs/pushLocks.ts"
import type { RefChange } from "../refs/RefChange.ts"
import { hiddenRefs } from "../refs/refNames.ts"
import { type RefMoved, type RefNameTaken, updateRefs } from "../refs/updateRefs.ts"

/** What only the service moves: the log does not tell of it. */
const folderOf = (iid: number): string => `refs/merge-requests/${iid}/`
const keptFolderOf = (iid: number): string => `${hiddenRefs}merge-requests/${iid}/`

/** The ref of the head of the source branch, which clients may fetch. */
export const headRef = (iid: number): string => `${folderOf(iid)}head`
/** The ref of the merge commit that shows what the merge would make. */
export const mergeRefName = (iid: number): string => `${folderOf(iid)}merge`
/** The ref that keeps a former head, which versions of the change still show, from being pruned. */
export const keptRef = (iid: number, commit: string): string => `${keptFolderOf(iid)}${commit}`

/** Moves refs of merge requests, all or none. Whoever calls must not hold the lock of pushes already, which it takes. */
export const moveRequestRefs = Effect.fnUntraced(function* (
  repository: Repository,
  changes: ReadonlyArray<RefChange>
): Effect.fn.Return<void, RefMoved | RefNameTaken | GitFailed, Objects | PushLocks> {
  const locks = yield* PushLocks
  // A process that is killed in the middle leaves locks.
  yield* locks.withPushLock(repository, Effect.uninterruptible(updateRefs(repository, changes)))
})

/**
 * Removes all refs of a merge request that is deleted; nothing happens when there are none. Its objects stay until maintenance finds that
 * nothing names them.
 */
export const removeRequestRefs = Effect.fnUntraced(function* (
  repository: Repository,
  iid: number
): Effect.fn.Return<void, RefMoved | RefNameTaken | GitFailed, Objects | PushLocks> {
  const args = ["for-each-ref", "--format=%(refname) %(objectname)", folderOf(iid), keptFolderOf(iid)]
  const lines = (yield* runText(repository, args)).split("\n").filter(Boolean)
  const changes = lines.map((line): RefChange => {
    const [name = "", from = null] = line.split(" ")
    return { name, from, to: null }
  })
  yield* moveRequestRefs(repository, changes)
})
