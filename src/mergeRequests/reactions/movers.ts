import { Effect } from "effect"
import { isAncestor } from "../../git/history/mergeBase.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { findMove } from "../../pushes/Pushes.ts"
import type { Source } from "../events.ts"
import type { MergeRequestKey } from "../ids.ts"

/** How a source branch was deleted: by whom, and where it led before. Undefined where nobody did, or too long ago. */
export const deletionOf = Effect.fnUntraced(function* ({ branch, projectId }: Source) {
  const last = yield* findMove(projectId, branchRef(branch), () => Effect.succeed(true))
  return last?.after === null ? last : undefined
})

/** The user who pushed a commit to a branch that has it now. Undefined where nobody did, or too long ago. */
export const pusherOf = Effect.fnUntraced(function* ({ projectId }: MergeRequestKey, branch: string, commit: string) {
  const repository = (yield* Repositories).of(projectId)
  const hadIt = (before: string) => isAncestor(repository, commit, before)
  const move = yield* findMove(projectId, branchRef(branch), ({ before }) =>
    before === null ? Effect.succeed(true) : Effect.map(hadIt(before), (had) => !had)
  )
  return move?.by
})
