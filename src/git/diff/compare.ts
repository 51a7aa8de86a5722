import { Effect } from "effect"
import type { CommitGraphs } from "../history/CommitGraphs.ts"
import { mergeBase } from "../history/mergeBase.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import type { Objects } from "../objects/Objects.ts"
import { alternates } from "../process/alternates.ts"
import { runText } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"

export interface CompareRequest {
  /** The full id of the commit where the comparison begins. */
  readonly from: string
  readonly to: string
  /** Whether `from` itself is the base, rather than the common ancestor. */
  readonly isStraight: boolean
  /** The repository of `from`, when it is not that of `to`. */
  readonly fromRepository?: Repository
  /** The highest number of commits; the default is 10,000. */
  readonly limit?: number
}

export interface Comparison {
  /**
   * The full ids, oldest first, of the commits that `to` reaches and `from` does not; the last one is `to`. Beyond the limit, only the
   * newest ones are in it.
   */
  readonly commits: ReadonlyArray<string>
  /** Whether there are more commits than the limit. */
  readonly isCutShort: boolean
  /** The commit at which the diff begins. */
  readonly base: string
  readonly hasMergeBase: boolean
  /** Whether both are the same commit. */
  readonly isSameRef: boolean
}

const others = ({ fromRepository }: Pick<CompareRequest, "fromRepository">) =>
  fromRepository === undefined ? [] : [fromRepository]

/** What `to` has that `from` has not. For the changed files, ask `diff` from the base to `to`, with `fromRepository` in `alsoFrom`. */
export const compare = (
  repository: Repository,
  request: CompareRequest
): Effect.Effect<Comparison, GitFailed, CommitGraphs | Objects> => {
  const { from, isStraight, limit = 10_000, to } = request
  const alsoFrom = others(request)
  if (from === to) {
    const same: Comparison = { commits: [], isCutShort: false, base: from, hasMergeBase: true, isSameRef: true }
    return Effect.as(requireFullIds([from]), same)
  }
  const list = ["rev-list", "--reverse", `--max-count=${limit + 1}`, to, `^${from}`, "--"]
  return Effect.andThen(
    requireFullIds([from, to]),
    Effect.map(
      Effect.all([runText(repository, list, { env: alternates(alsoFrom) }), mergeBase(repository, [from, to], { alsoFrom })], {
        concurrency: 2
      }),
      ([listed, common]) => {
        const commits = listed.split("\n").filter(Boolean)
        return {
          commits: commits.slice(-limit),
          isCutShort: commits.length > limit,
          // Gap: without anything in common the answer is not shown; the difference between both trees is what is left to tell.
          base: isStraight ? from : (common ?? from),
          hasMergeBase: common !== null,
          isSameRef: false
        }
      }
    )
  )
}

export interface Divergence {
  /** The number of commits that only `from` reaches. */
  readonly behind: number
  /** The number of commits that only `to` reaches. */
  readonly ahead: number
}

/** How far two commits have gone apart. */
export const divergence = (
  repository: Repository,
  request: Pick<CompareRequest, "from" | "to" | "fromRepository">
): Effect.Effect<Divergence, GitFailed> => {
  const { from, to } = request
  const args = ["rev-list", "--left-right", "--count", `${from}...${to}`, "--"]
  return Effect.andThen(
    requireFullIds([from, to]),
    Effect.map(runText(repository, args, { env: alternates(others(request)) }), (text) => {
      const [behind = 0, ahead = 0] = text.split("\t").map(Number)
      return { behind, ahead }
    })
  )
}
