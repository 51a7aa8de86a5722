import { Effect } from "effect"
import { isAncestor } from "../../git/history/mergeBase.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import type { Position, RecordedEvent } from "../../platform/eventStore/EventStore.ts"
import { findNewest } from "../../platform/eventStore/findNewest.ts"
import { findMove } from "../../pushes/Pushes.ts"
import type { MergeRequestEvent, Source } from "../events.ts"
import { type MergeRequestKey, mergeRequestStream } from "../ids.ts"

const opened = "MergeRequestOpened" satisfies MergeRequestEvent["_tag"]
const reopened = "MergeRequestReopened" satisfies MergeRequestEvent["_tag"]

/** How a source branch was deleted: by whom, and where it led before. Undefined where nobody did, or too long ago. */
export const deletionOf = Effect.fnUntraced(function* ({ branch, projectId }: Source) {
  const last = yield* findMove(projectId, branchRef(branch), () => Effect.succeed(true))
  return last?.after === null ? last : undefined
})

/** Whether a merge request that is open was opened again behind a position of the log; so it was where that is too long ago to tell. */
export const wasReopenedAfter = Effect.fnUntraced(function* (key: MergeRequestKey, position: Position) {
  const isReopening = (event: RecordedEvent): boolean | undefined => {
    if (event.position <= position || event.type === opened) return false
    return event.type === reopened ? true : undefined
  }
  const found = yield* findNewest(mergeRequestStream(key), (event) => Effect.succeed(isReopening(event)))
  return found ?? true
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
