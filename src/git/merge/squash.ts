import { Effect } from "effect"
import { stripEnd } from "../../kernel/stripEnds.ts"
import type { CommitGraphs } from "../history/CommitGraphs.ts"
import { isAncestor } from "../history/mergeBase.ts"
import { type Commit, readCommit } from "../objects/commit.ts"
import type { Objects } from "../objects/Objects.ts"
import type { Signature } from "../objects/signature.ts"
import { type GitFailed, missingObject, type Repository } from "../Repository.ts"
import type { CommitDraft } from "../write/writeCommit.ts"
import type { Heads } from "./trialMerge.ts"

/** The people and the message of a commit to be, with their times. */
export type Authorship = Pick<CommitDraft, "message"> & { readonly author: Signature; readonly committer: Signature }

const withoutEnd = (message: string): string => stripEnd(message, (character) => character === "\n")

/**
 * Whether a change has to be squashed. A single commit that has the message already is left as it is; the line end behind the message
 * does not count.
 * Source: merge requests › Squash of a single commit.
 */
export const needsSquash = (change: { readonly isSingle: boolean; readonly message: string }, message: string): boolean =>
  !change.isSingle || withoutEnd(change.message) !== withoutEnd(message)

/** Whether the head is the only commit that the target does not reach. */
const isSingle = Effect.fnUntraced(function* (repository: Repository, target: string, head: Commit) {
  for (const parent of head.parents) if (!(yield* isAncestor(repository, parent, target))) return false
  return true
})

/**
 * The commit of a whole change, on top of the commit where it began; undefined when the change is such a commit already. It has the tree of the
 * source's head. Nothing is written.
 */
export const planSquash = Effect.fnUntraced(function* (
  repository: Repository,
  { base, source, target }: Heads & { readonly base: string },
  authorship: Authorship
): Effect.fn.Return<CommitDraft | undefined, GitFailed, CommitGraphs | Objects> {
  const head = yield* readCommit(repository, source)
  if (head === undefined) return yield* missingObject("commit", source)
  const change = { isSingle: yield* isSingle(repository, target, head), message: head.message }
  if (!needsSquash(change, authorship.message)) return
  const { author, committer, message } = authorship
  return { tree: head.tree, parents: [base], author, committer, message }
})
