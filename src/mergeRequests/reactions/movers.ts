import { Effect } from "effect"
import { isAncestor } from "../../git/history/mergeBase.ts"
import { Repositories } from "../../git/Repositories.ts"
import { branchRef } from "../../git/refs/refNames.ts"
import { defined } from "../../kernel/defined.ts"
import { EventStore, type Position } from "../../platform/eventStore/EventStore.ts"
import { findMove } from "../../pushes/Pushes.ts"
import type { MergeRequestEvent, Source } from "../events.ts"
import { type MergeRequestKey, mergeRequestStream } from "../ids.ts"

const reopened = "MergeRequestReopened" satisfies MergeRequestEvent["_tag"]

/** How a source branch was deleted: by whom, and where it led before. Undefined where nobody did, or too long ago. */
export const deletionOf = Effect.fnUntraced(function* ({ branch, projectId }: Source) {
  const last = yield* findMove(projectId, branchRef(branch), () => Effect.succeed(true))
  return last?.after === null ? last : undefined
})

/** So many events are read at a time. */
const piece = 100

/** Whether a merge request was opened again behind a position of the log. */
export const wasReopenedAfter = Effect.fnUntraced(function* (key: MergeRequestKey, position: Position) {
  const { read } = yield* EventStore
  const stream = mergeRequestStream(key)
  for (let from: number | undefined; from === undefined || from >= 0; ) {
    const events = yield* read(stream, defined({ direction: "backwards", limit: piece, from } as const))
    const later = events.filter((event) => event.position > position)
    if (later.some(({ type }) => type === reopened)) return true
    if (later.length < events.length) return false
    from = (events.at(-1)?.revision ?? 0) - 1
  }
  return false
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
