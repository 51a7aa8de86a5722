import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { WireError } from "../http/answer/errors.ts"
import type { OtherReply } from "../http/answer/Reply.ts"
import type { CommandResult, NoteableKind } from "./noteable.ts"
import type { OpenPlace } from "./place.ts"
import { invalidNote } from "./refuse.ts"

/** A note that somebody wants to write. */
export interface NoteInput {
  readonly caller: Caller
  readonly parameters: { readonly body: string | null }
}

/** What the text of a note says, and what it orders. */
export const parseNote = Effect.fnUntraced(function* <R>(
  { externalUrl, found, noteable }: OpenPlace,
  { ordersIn }: Pick<NoteableKind<R>, "ordersIn">,
  { caller, parameters }: NoteInput
) {
  const given = parameters.body ?? ""
  const { execute, text } = yield* ordersIn(given)
  const isOrdering = text !== given
  return { text, isOrdering, onlyOrders: isOrdering && text === "", executed: execute({ found, noteable, caller, externalUrl }) }
})

/** Gap: what is told of a note that orders only what cannot be done is not shown. */
const nothingExecuted = invalidNote([{ attribute: "commands", text: "Failed to apply commands." }])

/** The answer to a note that orders, and says nothing. */
export const orderedOnly = Effect.fnUntraced(function* <R>(executed: Effect.Effect<CommandResult, WireError, R>) {
  const { changes, summary } = yield* executed
  if (summary.length === 0) return yield* nothingExecuted
  const body = { commands_changes: changes, summary: [summary.join(" ")] }
  const reply: OtherReply<202, typeof body> = { status: 202, body }
  return reply
})
