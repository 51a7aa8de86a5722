import { Effect } from "effect"
import { forbidden } from "../http/answer/errors.ts"
import { ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { createsNumbered } from "../platform/repeats.ts"
import { discussionAggregate } from "./aggregate.ts"
import { mayReadInternal, maySetTime, mayWrite, type NoteableKind } from "./noteable.ts"
import { type NoteInput, orderedOnly, parseNote } from "./noteInput.ts"
import { type OpenPlace, requireNote } from "./place.ts"
import { presentNote } from "./present.ts"
import { refuse } from "./refuse.ts"
import { keyOf, startDiscussion } from "./writes.ts"

interface Creation extends NoteInput {
  readonly parameters: NoteInput["parameters"] & {
    readonly internal?: boolean | null
    readonly confidential?: boolean | null
    readonly created_at?: number | null
  }
}

/** Writes a note that stands alone, and does what it orders; one that only orders is none. */
export const createdNote = Effect.fnUntraced(function* <R>(
  place: OpenPlace,
  kind: Pick<NoteableKind<R>, "ordersIn">,
  creation: Creation
) {
  const { found, noteable } = place
  const { caller, parameters } = creation
  const { isOrdering, executed, onlyOrders, text } = yield* parseNote(place, kind, creation)
  const isInternal = (parameters.internal ?? parameters.confidential) === true
  const judge = Effect.gen(function* () {
    if (!mayWrite(place) || (isInternal && !mayReadInternal(found))) return yield* forbidden
  })
  if (onlyOrders) return yield* orderedOnly(Effect.andThen(judge, executed))
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
  const changes = isOrdering ? (yield* executed).changes : {}
  return ok(presentNote(yield* requireNote(place, created.number), place, changes))
})
