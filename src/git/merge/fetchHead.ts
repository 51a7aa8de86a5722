import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { inClass } from "../../platform/work/CurrentWork.ts"
import type { CommitGraphs } from "../history/CommitGraphs.ts"
import { isAncestor } from "../history/mergeBase.ts"
import { requireFullIds } from "../objects/fullIds.ts"
import { Objects } from "../objects/Objects.ts"
import { packBytes } from "../objects/packBytes.ts"
import { alternates } from "../process/alternates.ts"
import { spareBytes } from "../process/diskSpace.ts"
import { run, runText } from "../process/run.ts"
import { GitFailed, missingObject, type Repository } from "../Repository.ts"
import type { PushLocks } from "../refs/pushLocks.ts"
import type { RefChange } from "../refs/RefChange.ts"
import { readRef } from "../refs/refs.ts"
import { RefMoved, type RefNameTaken } from "../refs/updateRefs.ts"
import { headRef, keptRef, moveRequestRefs } from "./mergeRequestRefs.ts"

/** The head that a merge request gets. */
export interface NewHead {
  readonly iid: number
  /** The full id of the head of the source branch. */
  readonly commit: string
  /** The id that `refs/merge-requests/<iid>/head` has so far; null when there is no such ref. */
  readonly from: string | null
  /** The repository of the source branch, where that is another one. */
  readonly source?: Repository | undefined
  /** Full ids of commits that the repository has whole, such as the head of the target branch: what they reach is not copied. */
  readonly known: ReadonlyArray<string>
}

type Failure = RefMoved | RefNameTaken | GitFailed

const pack = ["pack-objects", "--revs", "--non-empty", "--delta-base-offset", "--threads=1", "-q"]

const noSpace = new GitFailed({ command: pack.join(" "), status: null, stderr: "no space for the pack", exceeded: "space" })

/** So many branches tell what a repository has whole: of more those that come later by name do not. */
const maxHaves = 1_000

/** Full ids of commits that a repository has whole. */
const havesOf = Effect.fnUntraced(function* (repository: Repository, known: ReadonlyArray<string>) {
  const heads = yield* runText(repository, ["for-each-ref", `--count=${maxHaves}`, "--format=%(objectname)", "refs/heads"])
  return [...new Set([...known, ...heads.split("\n").filter(Boolean)])]
})

/**
 * Brings a commit of another repository, by its full id, with all that it needs and that `known` commits and branches do not reach, as one pack, which is
 * there whole or not at all. One process does it, where `git fetch` takes five. What is in repositories of the service was checked when it
 * was pushed.
 */
export const copyMissing = Effect.fnUntraced(function* (
  repository: Repository,
  source: Repository,
  { commit, known }: Pick<NewHead, "commit" | "known">
): Effect.fn.Return<void, GitFailed> {
  yield* requireFullIds([commit, ...known])
  // At the most it is all that is there.
  const hasSpace = yield* Effect.promise(async () => (await spareBytes(repository.path)) >= (await packBytes(source)))
  if (!hasSpace) return yield* noSpace
  const haves = yield* havesOf(repository, known)
  yield* run(repository, [...pack, `${repository.path}/objects/pack/pack`], {
    env: alternates([source]),
    input: [commit, ...haves.map((id) => `^${id}`), ""].join("\n"),
    timeLimit: 600_000
  })
}, spanned("git.copyMissing"))

/** Whether the repository has a commit with all that it needs: it names it, or what was copied names it. */
const isReachable = (repository: Repository, commit: string, known: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const objects = yield* Objects
    // Asked first, because the history of a commit that is not there ends in a failure.
    if ((yield* objects.info(repository, commit)) === undefined) return false
    for (const id of known) if (yield* isAncestor(repository, commit, id)) return true
    return false
  })

/** A head that the new one does not reach is kept, for versions of the change show it. */
const changesOf = Effect.fnUntraced(function* (repository: Repository, { commit, from, iid }: NewHead) {
  const head: RefChange = { name: headRef(iid), from, to: commit }
  if (from === null || (yield* isAncestor(repository, from, commit))) return [head]
  const name = keptRef(iid, from)
  const kept = yield* readRef(repository, name)
  return kept === undefined ? [head, { name, from: null, to: from }] : [head]
})

/**
 * Makes `refs/merge-requests/<iid>/head` name a commit, which is copied from the source's repository first; nothing happens where it does
 * already. Fails with `RefMoved` when the ref is not where the caller saw it. A kill in between leaves a pack that nothing names, and the
 * repeat begins anew.
 */
export const fetchHead = Effect.fnUntraced(function* (
  repository: Repository,
  head: NewHead
): Effect.fn.Return<void, Failure, CommitGraphs | Objects | PushLocks> {
  const { commit, from, iid, known, source } = head
  yield* requireFullIds([commit])
  const name = headRef(iid)
  const at = (yield* readRef(repository, name))?.id ?? null
  if (at === commit) return
  if (at !== from) return yield* new RefMoved({ name, at })
  const all = from === null ? known : [...known, from]
  const isElsewhere = source !== undefined && source.path !== repository.path
  if (isElsewhere && !(yield* isReachable(repository, commit, all))) {
    yield* inClass("transfer")(copyMissing(repository, source, { commit, known: all }))
  }
  if ((yield* Objects.use(({ info }) => info(repository, commit)))?.type !== "commit")
    return yield* missingObject("commit", commit)
  yield* moveRequestRefs(repository, yield* changesOf(repository, head))
}, spanned("git.fetchHead"))
