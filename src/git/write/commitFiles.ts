import { Effect } from "effect"
import { spanned } from "../../platform/logging/tracing.ts"
import { Objects } from "../objects/Objects.ts"
import { type GitFailed, missingObject, type Repository } from "../Repository.ts"
import type { TreeLimits } from "../trees/TreeLimits.ts"
import type { TreesRefused } from "../trees/TreesRefused.ts"
import { type ActionRefused, applyActions, type FileAction } from "./fileActions.ts"
import { type CommitDraft, writeCommit } from "./writeCommit.ts"

export interface FilesToCommit extends Pick<CommitDraft, "author" | "committer" | "message"> {
  /** The id of the parent; undefined for the first commit of a history. */
  readonly parent: string | undefined
  readonly actions: ReadonlyArray<FileAction>
}

/** Writes a commit of actions on files and answers its id. It may change nothing. No ref moves. */
export const commitFiles = Effect.fnUntraced(function* (
  repository: Repository,
  { actions, author, committer, message, parent }: FilesToCommit
): Effect.fn.Return<string, ActionRefused | TreesRefused | GitFailed, Objects | TreeLimits> {
  const objects = yield* Objects
  const base = parent === undefined ? undefined : yield* objects.info(repository, `${parent}^{tree}`)
  if (parent !== undefined && base === undefined) return yield* missingObject("commit", parent)
  const tree = yield* applyActions(repository, base?.id, actions)
  return yield* writeCommit(repository, { tree, parents: parent === undefined ? [] : [parent], author, committer, message })
}, spanned("git.commitFiles"))
