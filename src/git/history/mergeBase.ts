import { Effect } from "effect"
import { requireFullIds } from "../objects/fullIds.ts"
import type { Objects } from "../objects/Objects.ts"
import { alternates } from "../process/alternates.ts"
import { type Output, run } from "../process/run.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import type { CommitGraphs } from "./CommitGraphs.ts"
import { commonAncestors, LimitExceeded, reaches } from "./commonAncestors.ts"
import { type KnownHistory, knownHistory } from "./knownHistory.ts"

interface ObjectSources {
  /** Other repositories in which commits may lie, such as that of a fork. */
  readonly alsoFrom?: ReadonlyArray<Repository>
}

/** Two or more full ids of commits. */
export type Commits = readonly [string, string, ...ReadonlyArray<string>]

/** A question about commits, as the history in memory answers it, and as `git merge-base` does. */
interface Question<A> {
  readonly fromHistory: (history: KnownHistory) => A
  readonly options: ReadonlyArray<string>
  readonly fromOutput: (output: Output) => A
}

/** A search in memory takes at most this many steps, which is some milliseconds; beyond, git is asked in a process of its own. */
const maxSteps = 10_000

const ask = Effect.fnUntraced(function* <A>(
  { fromHistory, fromOutput, options }: Question<A>,
  repository: Repository,
  commits: ReadonlyArray<string>,
  { alsoFrom = [] }: ObjectSources
): Effect.fn.Return<A, GitFailed, CommitGraphs | Objects> {
  yield* requireFullIds(commits)
  const history = alsoFrom.length > 0 ? undefined : yield* knownHistory(repository, commits)
  if (history !== undefined) {
    try {
      return fromHistory(history)
    } catch (error) {
      if (!(error instanceof LimitExceeded)) throw error
    }
  }
  const output = run(repository, ["merge-base", ...options, ...commits], { statuses: [0, 1], env: alternates(alsoFrom) })
  return fromOutput(yield* output)
})

const all: Question<ReadonlyArray<string>> = {
  fromHistory: (history) => {
    const [one = 0, ...others] = history.commits
    return commonAncestors(history, one, others, maxSteps).map(history.id)
  },
  options: ["--all"],
  fromOutput: ({ stdout }) => stdout.toString("latin1").split("\n").filter(Boolean)
}

const ancestry: Question<boolean> = {
  fromHistory: (history) => {
    const [ancestor = 0, descendant = 0] = history.commits
    return reaches(history, ancestor, descendant, maxSteps)
  },
  options: ["--is-ancestor"],
  fromOutput: ({ status }) => status === 0
}

/** All best common ancestors of the first commit and a merge of the others, as `git merge-base --all`: not those that all share. */
export const mergeBases = (repository: Repository, commits: Commits, sources: ObjectSources = {}) =>
  ask(all, repository, commits, sources)

/** The first merge base; null when the histories have nothing in common. */
export const mergeBase = (repository: Repository, commits: Commits, sources: ObjectSources = {}) =>
  Effect.map(mergeBases(repository, commits, sources), ([first = null]) => first)

/** Whether the second commit reaches the first; every commit reaches itself. */
export const isAncestor = (repository: Repository, ancestor: string, descendant: string, sources: ObjectSources = {}) =>
  ask(ancestry, repository, [ancestor, descendant], sources)
