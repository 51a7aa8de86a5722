import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import type { CommitGraphs } from "../history/CommitGraphs.ts"
import { Objects } from "../objects/Objects.ts"
import { type GitFailed, missingObject, type Repository } from "../Repository.ts"
import type { TreeLimits } from "../trees/TreeLimits.ts"
import type { TreesRefused } from "../trees/TreesRefused.ts"
import { type CommitDraft, formatCommit, writeCommit } from "../write/writeCommit.ts"
import { idOf } from "../write/writeObject.ts"
import { AlreadyMerged, MergeConflicts, type MergeRefusal, NothingInCommon, RebaseNeeded } from "./mergeRefusals.ts"
import { type Authorship, planSquash } from "./squash.ts"
import { type Heads, type Trial, writeMergedTree } from "./trialMerge.ts"

/**
 * How a project merges: always by a merge commit; by one only where the source has all of the target; or by moving the target to the
 * source, which must have all of it.
 */
export type MergeMethod = "merge" | "rebase_merge" | "ff"

export interface MergeOrder extends Heads {
  readonly method: MergeMethod
  /** Who makes the merge commit, and with which message. */
  readonly merge: Authorship
  /** The same of the commit that the whole change becomes; undefined where it is not squashed. */
  readonly squash?: Authorship | undefined
}

/** What a merge is going to make. The same order has the same plan every time. */
export interface MergePlan {
  /** The commits to write, in this order. */
  readonly commits: ReadonlyArray<CommitDraft>
  /** The full id to which the target branch goes, from `target` of the order. */
  readonly head: string
  /** Null where no merge commit is made. */
  readonly mergeCommit: string | null
  /** The commit that the change became, or its only one that was so already; null where it is not squashed. */
  readonly squashCommit: string | null
}

type Services = CommitGraphs | Objects | TreeLimits
type Failure = MergeRefusal | TreesRefused | GitFailed
type Clean = Extract<Trial, { readonly _tag: "Clean" }>

const idOfDraft = (draft: CommitDraft): string => idOf("commit", formatCommit(draft))

/** Merges two heads and writes the tree, or refuses. */
export const mergeCleanly = Effect.fnUntraced(function* (
  repository: Repository,
  heads: Heads,
  options?: { readonly mayDiverge: boolean }
): Effect.fn.Return<Clean, Failure, Services> {
  const { source, target } = heads
  const merged = yield* writeMergedTree(repository, heads, options)
  switch (merged._tag) {
    case "Clean":
      return merged
    case "Conflict":
      return yield* new MergeConflicts({ files: merged.files })
    case "AlreadyMerged":
      return yield* new AlreadyMerged({ source })
    case "NothingInCommon":
      return yield* new NothingInCommon({ target, source })
    case "Diverged":
      return yield* new RebaseNeeded({ target, source })
  }
})

/** The tree of the merge commit. Of several merge bases the squashed change has only one, so it is merged anew. */
const mergedTree = Effect.fnUntraced(function* (
  repository: Repository,
  target: string,
  clean: Clean,
  squashed: CommitDraft | undefined
) {
  if (squashed === undefined || clean.bases.length === 1) return clean.tree
  const source = yield* writeCommit(repository, squashed)
  return (yield* mergeCleanly(repository, { target, source })).tree
})

/**
 * Plans a merge: no ref moves, and no commit is written that anything names. What the commits lead to is written, and stays for two weeks.
 * Refuses with `MergeConflicts`, `AlreadyMerged`, `NothingInCommon`, or, where the method wants all of the target in the source, with
 * `RebaseNeeded`.
 */
export const planMerge = Effect.fnUntraced(function* (
  repository: Repository,
  order: MergeOrder
): Effect.fn.Return<MergePlan, Failure, Services> {
  const { merge, method, source, squash, target } = order
  const clean = yield* mergeCleanly(repository, { target, source }, { mayDiverge: method === "merge" })
  const [base = target] = clean.bases
  const squashed = squash && (yield* planSquash(repository, { base, source, target }, squash))
  const squashes = squashed === undefined ? [] : [squashed]
  const merged = squashed === undefined ? source : idOfDraft(squashed)
  const squashCommit = squash === undefined ? null : merged
  if (method === "ff") return { commits: squashes, head: merged, mergeCommit: null, squashCommit }
  const tree = yield* mergedTree(repository, target, clean, squashed)
  const { author, committer, message } = merge
  const commit: CommitDraft = { tree, parents: [target, merged], author, committer, message }
  const id = idOfDraft(commit)
  return { commits: [...squashes, commit], head: id, mergeCommit: id, squashCommit }
}, spanned("git.planMerge"))

/**
 * Writes the commits of a plan, durably, and answers the id to which the target branch goes. However often it is done, the repository is
 * the same; no ref moves. Fails when what they lead to was pruned since, which planning again writes anew.
 */
export const writePlan = Effect.fnUntraced(function* (
  repository: Repository,
  plan: Pick<MergePlan, "commits" | "head">
): Effect.fn.Return<string, GitFailed, Objects> {
  const objects = yield* Objects
  for (const commit of plan.commits) {
    if ((yield* objects.info(repository, commit.tree)) === undefined) return yield* missingObject("tree", commit.tree)
    yield* writeCommit(repository, commit)
  }
  return plan.head
}, spanned("git.writePlan"))
