import { Context, Effect, Layer } from "effect"
import { type Divergence, divergence } from "../diff/compare.ts"
import { type Version, type VersionRequest, versionOf } from "../diff/versions.ts"
import { broughtIn } from "../history/broughtIn.ts"
import type { CommitGraphs } from "../history/CommitGraphs.ts"
import { isAncestor, mergeBase } from "../history/mergeBase.ts"
import type { Objects } from "../objects/Objects.ts"
import { singleFlight } from "../process/singleFlight.ts"
import type { GitFailed, Repository } from "../Repository.ts"
import type { PushLocks } from "../refs/pushLocks.ts"
import type { RefMoved, RefNameTaken } from "../refs/updateRefs.ts"
import type { TreeLimits } from "../trees/TreeLimits.ts"
import type { TreesRefused } from "../trees/TreesRefused.ts"
import { fetchHead, type NewHead } from "./fetchHead.ts"
import { type MergeRefOrder, mergeRef } from "./mergeRef.ts"
import type { MergeRefusal, NothingInCommon } from "./mergeRefusals.ts"
import { removeRequestRefs } from "./mergeRequestRefs.ts"
import { type MergeOrder, type MergePlan, planMerge, writePlan } from "./planMerge.ts"
import { type RebaseConflicts, type RebaseOrder, rebase, type TooManyCommits } from "./rebase.ts"
import { type Heads, type Trial, trialMerge } from "./trialMerge.ts"

type RefFailure = RefMoved | RefNameTaken | GitFailed

/**
 * What merge requests need of git. All ids are full ones of commits that the repository has, the source's too once `fetchHead` has brought
 * them. The same question or order has the same answer every time, with the same ids. Branches never move here.
 */
export class Merges extends Context.Service<
  Merges,
  {
    /** What a merge would result in; nothing is written. Who asks the same at the same time shares an answer. */
    readonly trial: (repository: Repository, heads: Heads) => Effect.Effect<Trial, TreesRefused | GitFailed>
    /**
     * Brings the head of a source branch and makes `refs/merge-requests/<iid>/head` name it; nothing happens when it does. Not for who holds
     * the lock of pushes.
     */
    readonly fetchHead: (repository: Repository, head: NewHead) => Effect.Effect<void, RefFailure>
    /** Removes the refs of a request that is deleted. Not for who holds the lock of pushes. */
    readonly removeRefs: (repository: Repository, iid: number) => Effect.Effect<void, RefFailure>
    /** What a merge is going to make, to be told to the log before it is done. */
    readonly plan: (
      repository: Repository,
      order: MergeOrder
    ) => Effect.Effect<MergePlan, MergeRefusal | TreesRefused | GitFailed>
    /** Writes the commits of a plan, any number of times, and answers where the target branch goes. */
    readonly write: (repository: Repository, plan: Pick<MergePlan, "commits" | "head">) => Effect.Effect<string, GitFailed>
    /** Replays the source onto the target and answers the head to which the source branch goes. */
    readonly rebase: (
      repository: Repository,
      order: RebaseOrder
    ) => Effect.Effect<string, RebaseConflicts | TooManyCommits | NothingInCommon | TreesRefused | GitFailed>
    /** The commit of `refs/merge-requests/<iid>/merge`, made anew where its heads have moved. Not for who holds the lock of pushes. */
    readonly mergeRef: (
      repository: Repository,
      order: MergeRefOrder
    ) => Effect.Effect<string, MergeRefusal | TreesRefused | RefFailure>
    /** What the change is: entries, commits and patch id. */
    readonly version: (repository: Repository, request: VersionRequest) => Effect.Effect<Version, GitFailed>
    /** The first merge base; null when the histories have nothing in common. */
    readonly base: (repository: Repository, heads: Heads) => Effect.Effect<string | null, GitFailed>
    /** Whether a commit reaches another; every commit reaches itself. */
    readonly reaches: (
      repository: Repository,
      question: { readonly commit: string; readonly tip: string }
    ) => Effect.Effect<boolean, GitFailed>
    /** The commit by which the branch at `tip` got another; undefined when it did not. */
    readonly broughtIn: (
      repository: Repository,
      question: { readonly commit: string; readonly tip: string }
    ) => Effect.Effect<string | undefined, GitFailed>
    /** How many commits the target has that the source has not (`behind`), and the other way round. */
    readonly divergence: (repository: Repository, heads: Heads) => Effect.Effect<Divergence, GitFailed>
  }
>()("chronoforge/git/Merges") {
  static readonly layer: Layer.Layer<Merges, never, Services> = Layer.effect(
    Merges,
    Effect.map(Effect.context<Services>(), (services) => makeMerges(services))
  )
}

type Services = CommitGraphs | Objects | PushLocks | TreeLimits

const makeMerges = (services: Context.Context<Services>): Merges["Service"] => {
  const provided = <A, E>(effect: Effect.Effect<A, E, Services>): Effect.Effect<A, E> => Effect.provideContext(effect, services)
  const trials = singleFlight<Trial, TreesRefused | GitFailed>()
  return {
    trial: (repository, heads) =>
      trials([repository.path, heads.target, heads.source].join(" "), provided(trialMerge(repository, heads))),
    fetchHead: (repository, head) => provided(fetchHead(repository, head)),
    removeRefs: (repository, iid) => provided(removeRequestRefs(repository, iid)),
    plan: (repository, order) => provided(planMerge(repository, order)),
    write: (repository, plan) => provided(writePlan(repository, plan)),
    rebase: (repository, order) => provided(rebase(repository, order)),
    mergeRef: (repository, order) => provided(mergeRef(repository, order)),
    version: (repository, request) => provided(versionOf(repository, request)),
    base: (repository, { source, target }) => provided(mergeBase(repository, [target, source])),
    reaches: (repository, { commit, tip }) => provided(isAncestor(repository, commit, tip)),
    broughtIn: (repository, question) => provided(broughtIn(repository, question)),
    divergence: (repository, { source, target }) => divergence(repository, { from: target, to: source })
  }
}
