import { Data, Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { emptyTreeId } from "../objectId.ts"
import { type Commit, readCommit } from "../objects/commit.ts"
import type { Objects } from "../objects/Objects.ts"
import type { Signature } from "../objects/signature.ts"
import { type GitFailed, missingObject, type Repository } from "../Repository.ts"
import { TreeLimits } from "../trees/TreeLimits.ts"
import type { TreesRefused } from "../trees/TreesRefused.ts"
import { mergeTrees } from "./mergeTrees.ts"
import { writeCommit } from "./writeCommit.ts"

/** The change does not fit: both sides changed these files. */
export class ChangeConflicts extends Data.TaggedError("ChangeConflicts")<{ readonly paths: ReadonlyArray<string> }> {}

/** The result would be what is there already. */
export class ChangeIsEmpty extends Data.TaggedError("ChangeIsEmpty")<{ readonly commit: string }> {}

export interface Pick {
  /** The commit whose change against its first parent is taken. */
  readonly commit: Commit
  /** The id of the commit that gets the change. */
  readonly onto: string
  readonly committer: Signature
  readonly message: string
}

type Failure = ChangeConflicts | ChangeIsEmpty | TreesRefused | GitFailed

/** The tree of a commit that must exist; the empty tree without an id. */
const treeOf = Effect.fnUntraced(function* (repository: Repository, id: string | undefined) {
  if (id === undefined) return emptyTreeId
  const commit = yield* readCommit(repository, id)
  return commit === undefined ? yield* missingObject("commit", id) : commit.tree
})

/** The id of the tree of `onto` with the change, or with the change undone. */
const changedTree = Effect.fnUntraced(function* (
  repository: Repository,
  { commit, onto }: Pick,
  direction: "do" | "undo"
): Effect.fn.Return<string, Failure, Objects | TreeLimits> {
  const before = yield* treeOf(repository, commit.parents[0])
  const ours = yield* treeOf(repository, onto)
  const [base, theirs] = direction === "do" ? [before, commit.tree] : [commit.tree, before]
  const { conflicts, isClean, tree } = yield* mergeTrees(repository, { base, ours, theirs })
  if (!isClean) return yield* new ChangeConflicts({ paths: conflicts })
  if (tree === ours) return yield* new ChangeIsEmpty({ commit: commit.id })
  yield* TreeLimits.use((limits) => limits.checkTree(repository, tree))
  return tree
})

/** Makes a commit with the change of another, whose author it keeps, and answers its id. No ref moves. */
export const cherryPick = Effect.fnUntraced(function* (
  repository: Repository,
  pick: Pick
): Effect.fn.Return<string, Failure, Objects | TreeLimits> {
  const { commit, committer, message, onto } = pick
  const tree = yield* changedTree(repository, pick, "do")
  return yield* writeCommit(repository, { tree, parents: [onto], author: commit.author, keepsAuthor: true, committer, message })
}, spanned("git.cherryPick"))

/** Makes a commit that undoes the change of another and answers its id. No ref moves. */
export const revert = Effect.fnUntraced(function* (
  repository: Repository,
  pick: Pick
): Effect.fn.Return<string, Failure, Objects | TreeLimits> {
  const { committer, message, onto } = pick
  const tree = yield* changedTree(repository, pick, "undo")
  return yield* writeCommit(repository, { tree, parents: [onto], author: committer, committer, message })
}, spanned("git.revert"))
