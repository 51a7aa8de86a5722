import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { readKeptCommit } from "../objects/commit.ts"
import type { Objects } from "../objects/Objects.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import type { CommitGraphs } from "./CommitGraphs.ts"
import { logIds } from "./log.ts"
import { isAncestor } from "./mergeBase.ts"

/** So many of the newest commits of the branch are read one by one, which takes about as long as a process. */
const maxNear = 32
/** The line of commits that is searched has at most this many. */
const maxLine = 100_000

/** Where the last commit of a line lies that reaches another: the one at `reaches` does, the one at `beyond` does not. */
interface Bounds {
  readonly reaches: number
  readonly beyond: number
}

/** Narrows the bounds until they are neighbours: where a commit of the line does not reach it, neither do those behind it. */
const narrow = Effect.fnUntraced(function* (
  repository: Repository,
  commit: string,
  { beyond, line, reaches }: Bounds & { readonly line: ReadonlyArray<string> }
) {
  let [low, high] = [reaches, beyond]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (yield* isAncestor(repository, commit, line[middle] ?? commit)) low = middle
    else high = middle
  }
  return line[low]
})

/** Looks among the newest commits, in ever larger steps, because it is mostly the tip. Undefined when it lies further back. */
const near = Effect.fnUntraced(function* (repository: Repository, commit: string, tip: string) {
  const line = [tip]
  let reaches = 0
  for (let next = 1; next < maxNear; next *= 2) {
    while (line.length <= next) {
      const parent = (yield* readKeptCommit(repository, line.at(-1) ?? tip))?.parents[0]
      if (parent === commit) return commit
      if (parent === undefined) return yield* narrow(repository, commit, { line, reaches, beyond: line.length })
      line.push(parent)
    }
    if (!(yield* isAncestor(repository, commit, line[next] ?? tip)))
      return yield* narrow(repository, commit, { line, reaches, beyond: next })
    reaches = next
  }
  return
})

/** Lists the line, without what lies behind the commit: it ends with what brought that in, or just above it. */
const far = Effect.fnUntraced(function* (repository: Repository, commit: string, tip: string) {
  const line = yield* logIds(repository, { from: [tip], without: [commit], firstParent: true, limit: maxLine })
  if (line.length >= maxLine) return
  const last = yield* readKeptCommit(repository, line.at(-1) ?? tip)
  if (last?.parents[0] === commit) return commit
  return yield* narrow(repository, commit, { line, reaches: 0, beyond: line.length })
})

/**
 * The commit by which a branch got another commit: the oldest one on its line of first parents that reaches it, which is the merge, or
 * the commit itself where it lies on that line. Undefined when the tip does not reach it, or the line is too long.
 */
export const introducingCommit = Effect.fnUntraced(function* (
  repository: Repository,
  { commit, tip }: { readonly commit: string; readonly tip: string }
): Effect.fn.Return<string | undefined, GitFailed, CommitGraphs | Objects> {
  if (commit === tip) return commit
  if (!(yield* isAncestor(repository, commit, tip))) return
  return (yield* near(repository, commit, tip)) ?? (yield* far(repository, commit, tip))
}, spanned("git.introducingCommit"))
