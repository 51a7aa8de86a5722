import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import type { CommitGraphs } from "../history/CommitGraphs.ts"
import { readCommit } from "../objects/commit.ts"
import type { Objects } from "../objects/Objects.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { PushLocks } from "../refs/pushLocks.ts"
import { readRef } from "../refs/refs.ts"
import { type RefMoved, type RefNameTaken, updateRefs } from "../refs/updateRefs.ts"
import type { TreeLimits } from "../trees/TreeLimits.ts"
import type { TreesRefused } from "../trees/TreesRefused.ts"
import { writeCommit } from "../write/writeCommit.ts"
import type { MergeRefusal } from "./mergeRefusals.ts"
import { mergeRefName } from "./mergeRequestRefs.ts"
import { mergeCleanly } from "./planMerge.ts"
import type { Authorship } from "./squash.ts"
import type { Heads } from "./trialMerge.ts"

export interface MergeRefOrder extends Heads {
  readonly iid: number
  /** Who makes the commit, and with which message, if one has to be made. */
  readonly merge: Authorship
}

type Failure = MergeRefusal | TreesRefused | RefMoved | RefNameTaken | GitFailed

/** The id that the ref has, if any, and whether that is a merge of just these heads. */
const currentRef = Effect.fnUntraced(function* (repository: Repository, { iid, source, target }: MergeRefOrder) {
  const at = (yield* readRef(repository, mergeRefName(iid)))?.id
  const commit = at === undefined ? undefined : yield* readCommit(repository, at)
  const [first, second, ...more] = commit?.parents ?? []
  return { at: at ?? null, isCurrent: first === target && second === source && more.length === 0 }
})

/** Moves the ref to a commit unless somebody else was faster, whose commit then stays. For whoever holds the lock of pushes. */
const moveRef = Effect.fnUntraced(function* (repository: Repository, order: MergeRefOrder, commit: string) {
  const { at, isCurrent } = yield* currentRef(repository, order)
  if (at !== null && isCurrent) return at
  // A process that is killed in the middle leaves locks.
  yield* Effect.uninterruptible(updateRefs(repository, [{ name: mergeRefName(order.iid), from: at, to: commit }]))
  return commit
})

/**
 * The id of the commit that `refs/merge-requests/<iid>/merge` names: a merge of the source's head into the target's, always a merge commit. One that
 * is there for just these heads stays, whoever made it; otherwise it is made, and the ref moves. Many callers at once move it once. Whoever calls
 * must not hold the lock of pushes already, which it takes for the move.
 */
export const mergeRef = Effect.fnUntraced(function* (
  repository: Repository,
  order: MergeRefOrder
): Effect.fn.Return<string, Failure, CommitGraphs | Objects | PushLocks | TreeLimits> {
  const { merge, source, target } = order
  const { at, isCurrent } = yield* currentRef(repository, order)
  if (at !== null && isCurrent) return at
  const { tree } = yield* mergeCleanly(repository, { target, source })
  const { author, committer, message } = merge
  const commit = yield* writeCommit(repository, { tree, parents: [target, source], author, committer, message })
  const locks = yield* PushLocks
  return yield* locks.withPushLock(repository, moveRef(repository, order, commit))
}, spanned("git.mergeRef"))
