import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { WireError } from "../http/answer/errors.ts"
import type { OtherReply } from "../http/answer/Reply.ts"
import type { NoteableKind, Obeyed } from "./noteable.ts"
import type { OpenPlace } from "./place.ts"
import { invalidNote } from "./refuse.ts"

/** A note that somebody wants to write. */
export interface Saying {
  readonly caller: Caller
  readonly parameters: { readonly body: string | null }
}

/** What the text of a note says, and what it orders. */
export const saidIn = Effect.fnUntraced(function* <R>(
  { externalUrl, found, noteable }: OpenPlace,
  { ordersIn }: Pick<NoteableKind<R>, "ordersIn">,
  { caller, parameters }: Saying
) {
  const given = parameters.body ?? ""
  const { obey, text } = yield* ordersIn(given)
  const isOrdering = text !== given
  return { text, isOrdering, onlyOrders: isOrdering && text === "", obeyed: obey({ found, noteable, caller, externalUrl }) }
})

/** Gap: what is told of a note that orders only what cannot be done is not shown. */
const notObeyed = invalidNote([{ attribute: "commands", text: "Failed to apply commands." }])

/** The answer to a note that orders, and says nothing. */
export const orderedOnly = Effect.fnUntraced(function* <R>(obeyed: Effect.Effect<Obeyed, WireError, R>) {
  const { changes, summary } = yield* obeyed
  if (summary.length === 0) return yield* notObeyed
  const body = { commands_changes: changes, summary: [summary.join(" ")] }
  const reply: OtherReply<202, typeof body> = { status: 202, body }
  return reply
})
