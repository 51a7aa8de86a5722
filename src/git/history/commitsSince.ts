import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { readKeptCommit } from "../objects/commit.ts"
import type { Objects } from "../objects/Objects.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import { logIds } from "./log.ts"

export interface CommitRange {
  /** The full id of a merge base of `start` and `head`. */
  readonly base: string
  /** The full id of the commit whose history is left out. */
  readonly start: string
  readonly head: string
  /** The highest number of commits. */
  readonly limit: number
}

export interface CommitList {
  /** The full ids, newest first. */
  readonly ids: ReadonlyArray<string>
  /** Whether there are more than the limit. */
  readonly isCutShort: boolean
}

/** So many commits are read one by one, which takes as long as a process. */
const maxSteps = 64

/** Follows the only parents of commits down to the base; undefined where there are merges, or many commits. */
const chain = Effect.fnUntraced(function* (
  repository: Repository,
  { base, head }: CommitRange
): Effect.fn.Return<ReadonlyArray<string> | undefined, GitFailed, Objects> {
  const ids: Array<string> = []
  let id = head
  while (id !== base) {
    const commit = yield* readKeptCommit(repository, id)
    const [parent, ...others] = commit?.parents ?? []
    if (parent === undefined || others.length > 0 || ids.length >= maxSteps) return
    ids.push(id)
    id = parent
  }
  return ids
})

/**
 * The commits that `head` reaches and `start` does not. A line of commits between merge base and head has them all, because none of them
 * can be reached from `start`: it would be the merge base. So no process is needed for one.
 */
export const commitsSince = Effect.fnUntraced(function* (
  repository: Repository,
  range: CommitRange
): Effect.fn.Return<CommitList, GitFailed, Objects> {
  const { head, limit, start } = range
  const found = yield* Effect.catchTag(chain(repository, range), "GitFailed", () => Effect.undefined)
  const ids = found ?? (yield* logIds(repository, { from: [head], without: [start], limit: limit + 1 }))
  return { ids: ids.slice(0, limit), isCutShort: ids.length > limit }
}, spanned("git.commitsSince"))
