import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { forbidden } from "../http/answer/errors.ts"
import { type OtherReply, ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { createsNumbered } from "../platform/repeats/repeats.ts"
import { discussionAggregate } from "./aggregate.ts"
import { mayReadInternal, maySetTime, mayWrite, type NoteableKind, type Obeyed } from "./noteable.ts"
import { type OpenPlace, requireNote } from "./place.ts"
import { presentNote } from "./present.ts"
import { invalidNote, refuse } from "./refuse.ts"
import { keyOf, startDiscussion } from "./writes.ts"

interface Creation {
  readonly caller: Caller
  readonly parameters: {
    readonly body: string | null
    readonly internal?: boolean | null
    readonly confidential?: boolean | null
    readonly created_at?: number | null
  }
}

/** Gap: what is told of a note that orders only what cannot be done is not shown. */
const notObeyed = invalidNote([{ attribute: "commands", text: "Failed to apply commands." }])

/** The answer to a note that orders, and says nothing. */
const orderedOnly = Effect.fnUntraced(function* ({ changes, summary }: Obeyed) {
  if (summary.length === 0) return yield* notObeyed
  const body = { commands_changes: changes, summary: [summary.join(" ")] }
  const reply: OtherReply<202, typeof body> = { status: 202, body }
  return reply
})

/** Writes a note that stands alone, and does what it orders; one that only orders is none. */
export const createdNote = Effect.fnUntraced(function* <R>(
  place: OpenPlace,
  { ordersIn }: Pick<NoteableKind<R>, "ordersIn">,
  { caller, parameters }: Creation
) {
  const { externalUrl, found, noteable } = place
  const given = parameters.body ?? ""
  const { obey, text } = yield* ordersIn(given)
  const obeyed = obey({ found, noteable, caller, externalUrl })
  const isOrdering = text !== given
  const isInternal = (parameters.internal ?? parameters.confidential) === true
  const judge = Effect.gen(function* () {
    if (!mayWrite(place) || (isInternal && !mayReadInternal(found))) return yield* forbidden
  })
  if (isOrdering && text === "") return yield* orderedOnly(yield* Effect.andThen(judge, obeyed))
  const make = Effect.gen(function* () {
    yield* judge
    const createdAt = maySetTime(found) ? (parameters.created_at ?? undefined) : undefined
    const written = { authorId: caller.user.id, body: text, createdAt }
    return yield* startDiscussion(noteable, { ...written, isThread: false, isInternal, position: null })
  })
  // Where something is ordered the note is made in each run, so that what is ordered takes the ids that it took first.
  const created = yield* isOrdering
    ? refuse(make)
    : createsNumbered(discussionAggregate, (id) => keyOf(noteable, id), refuse(make))
  yield* awaitReadModels(created)
  const changes = isOrdering ? (yield* obeyed).changes : {}
  return ok(presentNote(yield* requireNote(place, created.number), place, changes))
})
