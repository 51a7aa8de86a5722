import { Effect } from "effect"
import { isAncestor } from "../../git/history/mergeBase.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { lastMoves } from "../../pushes/Pushes.ts"
import type { Source } from "../events.ts"
import type { MergeRequestKey } from "../ids.ts"

/** The user who deleted a source branch. Undefined where nobody did, or too long ago. */
export const deletedBy = Effect.fnUntraced(function* ({ branch, projectId }: Source) {
  const [last] = yield* lastMoves(projectId, branchRef(branch))
  return last?.after === null ? last.by : undefined
})

/** The user who pushed a commit to a branch that has it now. Undefined where nobody did, or too long ago. */
export const broughtInBy = Effect.fnUntraced(function* ({ projectId }: MergeRequestKey, branch: string, commit: string) {
  const repository = (yield* Repositories).of(projectId)
  for (const { before, by } of yield* lastMoves(projectId, branchRef(branch))) {
    if (before === null || !(yield* isAncestor(repository, commit, before))) return by
  }
  return undefined
})
