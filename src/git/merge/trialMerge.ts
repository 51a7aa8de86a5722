import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { inPlace } from "../../platform/work/WorkPlaces.ts"
import type { CommitGraphs } from "../history/CommitGraphs.ts"
import { mergeBases } from "../history/mergeBase.ts"
import { readKeptCommit } from "../objects/commit.ts"
import type { Objects } from "../objects/Objects.ts"
import { type GitFailed, missingObject, type Repository } from "../Repository.ts"
import { TreeLimits } from "../trees/TreeLimits.ts"
import type { TreesRefused } from "../trees/TreesRefused.ts"
import { mergeCommits } from "../write/mergeTrees.ts"
import { inQuarantine, keepObjects, type Quarantine } from "../write/quarantine.ts"

/** The full ids of the two commits of a merge, both in the same repository. */
export interface Heads {
  /** The head of the branch that is merged into. */
  readonly target: string
  /** The head of the branch that is merged. */
  readonly source: string
}

/** What becomes of a merge. */
export type Trial =
  | {
      readonly _tag: "Clean"
      /** The id of the tree that the merge commit has. */
      readonly tree: string
      /** The target reaches no commit that the source has not: no merge commit is needed. */
      readonly isFastForward: boolean
      /** The full ids of all merge bases, at least one. */
      readonly bases: ReadonlyArray<string>
    }
  | {
      readonly _tag: "Conflict"
      /** Paths of the files with conflicts; there may be none, where it is not clear into which directory files belong. */
      readonly files: ReadonlyArray<string>
    }
  /** The target reaches the source. */
  | { readonly _tag: "AlreadyMerged" }
  | { readonly _tag: "NothingInCommon" }

type Services = CommitGraphs | Objects | TreeLimits

/** The tree of a commit that must exist. */
export const treeOf = Effect.fnUntraced(function* (
  repository: Repository,
  id: string
): Effect.fn.Return<string, GitFailed, Objects> {
  const commit = yield* readKeptCommit(repository, id)
  return commit === undefined ? yield* missingObject("commit", id) : commit.tree
})

/** Refuses trees of a quarantine that expand too far: two branches that each may come in can make one that may not. */
export const checkQuarantine = (repository: Repository, { folder }: Quarantine, tree: string) =>
  Effect.flatMap(TreeLimits, (limits) =>
    Effect.catchTag(inPlace(repository.path, limits.check(repository, folder, Effect.succeed([tree]))), "TooBusy", Effect.die)
  )

interface Merging {
  readonly bases: ReadonlyArray<string>
  /** Whether the repository gets the tree of a clean merge. */
  readonly isKept: boolean
}

const mergeInQuarantine = (repository: Repository, { source, target }: Heads, { bases, isKept }: Merging) =>
  inQuarantine(
    repository,
    Effect.fnUntraced(function* (quarantine): Effect.fn.Return<Trial, TreesRefused | GitFailed, TreeLimits> {
      const { conflicts, isClean, tree } = yield* mergeCommits(repository, [target, source], quarantine)
      if (!isClean) return { _tag: "Conflict", files: conflicts }
      yield* checkQuarantine(repository, quarantine, tree)
      if (isKept) yield* keepObjects(quarantine, repository)
      return { _tag: "Clean", tree, isFastForward: false, bases }
    })
  )

/** Merges two heads whose merge bases are known. */
const mergeFrom = Effect.fnUntraced(function* (
  repository: Repository,
  heads: Heads,
  merging: Merging
): Effect.fn.Return<Trial, TreesRefused | GitFailed, Objects | TreeLimits> {
  const { source, target } = heads
  const { bases } = merging
  if (bases.length === 0) return { _tag: "NothingInCommon" }
  if (bases.includes(source)) return { _tag: "AlreadyMerged" }
  // What only one side has changed is what the merge changes.
  if (bases.includes(target)) return { _tag: "Clean", tree: yield* treeOf(repository, source), isFastForward: true, bases }
  return yield* mergeInQuarantine(repository, heads, merging)
})

/**
 * What a merge of two heads would result in. The repository stays as it is: files with conflicts may be large and are needed by nobody.
 * Fails with `TreesRefused` where the result would expand beyond what may come in.
 */
export const trialMerge = Effect.fnUntraced(function* (
  repository: Repository,
  heads: Heads
): Effect.fn.Return<Trial, TreesRefused | GitFailed, Services> {
  const bases = yield* mergeBases(repository, [heads.target, heads.source])
  return yield* mergeFrom(repository, heads, { bases, isKept: false })
}, spanned("git.trialMerge"))

/**
 * Does the same, and writes the tree of a clean merge, with all below it, which nothing names yet. Where `mayDiverge` is false, a merge for
 * which no fast-forward would do is not tried: it is `Diverged`.
 */
export const writeMergedTree = Effect.fnUntraced(function* (
  repository: Repository,
  heads: Heads,
  { mayDiverge = true }: { readonly mayDiverge?: boolean } = {}
): Effect.fn.Return<Trial | { readonly _tag: "Diverged" }, TreesRefused | GitFailed, Services> {
  const bases = yield* mergeBases(repository, [heads.target, heads.source])
  const isDiverged = bases.length > 0 && !bases.includes(heads.source) && !bases.includes(heads.target)
  if (!mayDiverge && isDiverged) return { _tag: "Diverged" }
  return yield* mergeFrom(repository, heads, { bases, isKept: true })
}, spanned("git.writeMergedTree"))
