import { Effect } from "effect"
import { alternates } from "./alternates.ts"
import { requireFullIds } from "./fullIds.ts"
import type { GitFailed, Repository } from "./Repository.ts"
import { run } from "./run.ts"

interface Elsewhere {
  /** Where commits may lie as well, such as the repository of a fork. */
  readonly alsoFrom?: ReadonlyArray<Repository>
}

/** Two or more full ids of commits. */
export type Commits = readonly [string, string, ...ReadonlyArray<string>]

const ask = (repository: Repository, options: ReadonlyArray<string>, commits: ReadonlyArray<string>, elsewhere: Elsewhere) =>
  Effect.andThen(
    requireFullIds(commits),
    run(repository, ["merge-base", ...options, ...commits], { statuses: [0, 1], env: alternates(elsewhere.alsoFrom ?? []) })
  )

/** All best common ancestors of the first commit and a merge of the others, as `git merge-base --all`: not those that all share. */
export const mergeBases = (
  repository: Repository,
  commits: Commits,
  elsewhere: Elsewhere = {}
): Effect.Effect<ReadonlyArray<string>, GitFailed> =>
  Effect.map(ask(repository, ["--all"], commits, elsewhere), ({ stdout }) =>
    stdout.toString("latin1").split("\n").filter(Boolean)
  )

/** The first of them, or null: the histories have nothing in common. */
export const mergeBase = (
  repository: Repository,
  commits: Commits,
  elsewhere: Elsewhere = {}
): Effect.Effect<string | null, GitFailed> =>
  Effect.map(ask(repository, [], commits, elsewhere), ({ stdout }) => stdout.toString("latin1").trim() || null)

/** Whether the second commit reaches the first; every commit reaches itself. */
export const isAncestor = (
  repository: Repository,
  ancestor: string,
  descendant: string,
  elsewhere: Elsewhere = {}
): Effect.Effect<boolean, GitFailed> =>
  Effect.map(ask(repository, ["--is-ancestor"], [ancestor, descendant], elsewhere), ({ status }) => status === 0)
