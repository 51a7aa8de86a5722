import { Data, Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import type { CommitGraphs } from "../history/CommitGraphs.ts"
import { mergeBases } from "../history/mergeBase.ts"
import { emptyTreeId } from "../objectId.ts"
import { type Commit, readCommits } from "../objects/commit.ts"
import type { Objects } from "../objects/Objects.ts"
import type { Signature } from "../objects/signature.ts"
import { run } from "../process/run.ts"
import { GitFailed, type Repository } from "../Repository.ts"
import type { TreeLimits } from "../trees/TreeLimits.ts"
import type { TreesRefused } from "../trees/TreesRefused.ts"
import { mergeTrees } from "../write/mergeTrees.ts"
import { inQuarantine, keepObjects, type Quarantine } from "../write/quarantine.ts"
import { type CommitDraft, formatCommit, writeCommit } from "../write/writeCommit.ts"
import { idOf } from "../write/writeObject.ts"
import { NothingInCommon } from "./mergeRefusals.ts"
import { checkQuarantine, type Heads, treeOf } from "./trialMerge.ts"

/** A rebase of more commits is refused: each takes a process of some milliseconds, one after the other. */
export const maxRebasedCommits = 1_000
/** All of them together may take so long. */
const timeLimit = "5 minutes"

/** A commit does not fit onto what is there by then. */
export class RebaseConflicts extends Data.TaggedError("RebaseConflicts")<{
  /** The id of the commit that was to be replayed. */
  readonly commit: string
  readonly files: ReadonlyArray<string>
}> {}

/** There are more commits to replay than `maxRebasedCommits`. */
export class TooManyCommits extends Data.TaggedError("TooManyCommits")<{ readonly limit: number }> {}

export interface RebaseOrder extends Heads {
  /** Who rebases, and when: the committer of every commit that is made. */
  readonly committer: Signature
}

type Failure = RebaseConflicts | TooManyCommits | NothingInCommon | TreesRefused | GitFailed

const outOfTime = new GitFailed({ command: "rebase", status: null, stderr: "", exceeded: "time" })

/**
 * The commits that `git rebase` would replay, oldest first: without merges, and without those whose change the target has already. One process
 * compares the changes of both sides.
 */
const commitsToReplay = Effect.fnUntraced(function* (repository: Repository, { source, target }: Heads) {
  const selection = ["--right-only", "--cherry-pick", "--no-merges", "--topo-order", `--max-count=${maxRebasedCommits + 1}`]
  const args = ["rev-list", ...selection, `${target}...${source}`, "--"]
  const { stdout } = yield* run(repository, args)
  const ids = stdout.toString("latin1").split("\n").filter(Boolean).toReversed()
  return ids.length > maxRebasedCommits ? yield* new TooManyCommits({ limit: maxRebasedCommits }) : ids
})

/** The tree of a parent; of a first commit, that of nothing. */
const treesBefore = Effect.fnUntraced(function* (repository: Repository, commits: ReadonlyArray<Commit>) {
  const known = new Map(commits.map(({ id, tree }) => [id, tree]))
  const unknown = new Set(commits.flatMap(({ parents }) => parents.slice(0, 1)).filter((id) => !known.has(id)))
  for (const { id, tree } of yield* readCommits(repository, [...unknown])) known.set(id, tree)
  return ({ parents: [parent] }: Commit): string | undefined => (parent === undefined ? undefined : known.get(parent))
})

interface Replay {
  readonly repository: Repository
  readonly quarantine: Quarantine
  readonly before: (commit: Commit) => string | undefined
}

/** The tree of `onto` with the change of a commit. Where nothing else has changed, that is the tree of the commit itself. */
const replayedTree = Effect.fnUntraced(function* ({ before, quarantine, repository }: Replay, commit: Commit, ours: string) {
  const base = before(commit) ?? emptyTreeId
  if (base === ours) return commit.tree
  if (base === commit.tree) return ours
  const { conflicts, isClean, tree } = yield* mergeTrees(repository, { base, ours, theirs: commit.tree }, quarantine)
  return isClean ? tree : yield* new RebaseConflicts({ commit: commit.id, files: conflicts })
})

interface Line {
  readonly head: string
  readonly tree: string
  readonly drafts: ReadonlyArray<CommitDraft>
}

/** Replays commits, one onto the other. One whose change is there by then is left out; one that never had any is replayed, as git does. */
const replay = Effect.fnUntraced(function* (
  replaying: Replay,
  commits: ReadonlyArray<Commit>,
  { committer, onto }: { readonly committer: Signature; readonly onto: Pick<Line, "head" | "tree"> }
) {
  const drafts: Array<CommitDraft> = []
  let { head, tree } = onto
  for (const commit of commits) {
    const next = yield* replayedTree(replaying, commit, tree)
    const startsEmpty = replaying.before(commit) === commit.tree
    if (next === tree && !startsEmpty) continue
    const { author, message } = commit
    const draft: CommitDraft = { tree: next, parents: [head], author, keepsAuthor: true, committer, message }
    drafts.push(draft)
    head = idOf("commit", formatCommit(draft))
    tree = next
  }
  const line: Line = { head, tree, drafts }
  return line
})

/** Replays all in a quarantine, so that nothing is left of a rebase that ends in a conflict. */
const rebaseOnto = Effect.fnUntraced(function* (repository: Repository, order: RebaseOrder) {
  const commits = yield* readCommits(repository, yield* commitsToReplay(repository, order))
  const before = yield* treesBefore(repository, commits)
  const onto = { head: order.target, tree: yield* treeOf(repository, order.target) }
  return yield* inQuarantine(
    repository,
    Effect.fnUntraced(function* (quarantine) {
      const { drafts, head, tree } = yield* replay({ repository, quarantine, before }, commits, { ...order, onto })
      yield* checkQuarantine(repository, quarantine, tree)
      yield* keepObjects(quarantine, repository)
      yield* Effect.forEach(drafts, (draft) => writeCommit(repository, draft), { discard: true })
      return head
    })
  )
})

/**
 * Replays what the source has and the target has not onto the target's head, with authors and messages as they were, and answers the id of the
 * new head. No ref moves. The source's head is answered where it has all of the target, and the target's where that has all of the source's
 * changes. Refuses with `RebaseConflicts`, `TooManyCommits` and `NothingInCommon`.
 */
export const rebase = Effect.fnUntraced(function* (
  repository: Repository,
  order: RebaseOrder
): Effect.fn.Return<string, Failure, CommitGraphs | Objects | TreeLimits> {
  const { source, target } = order
  const bases = yield* mergeBases(repository, [target, source])
  if (bases.length === 0) return yield* new NothingInCommon({ target, source })
  if (bases.includes(target)) return source
  if (bases.includes(source)) return target
  return yield* Effect.timeoutOrElse(rebaseOnto(repository, order), { duration: timeLimit, orElse: () => outOfTime })
}, spanned("git.rebase"))
