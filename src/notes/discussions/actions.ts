import { Effect } from "effect"
import { badRequest, forbidden, notFound, type WireError } from "../../http/answer/errors.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { changesNumbered } from "../../platform/repeats.ts"
import { discussionAggregate } from "../aggregate.ts"
import type { Written } from "../commands.ts"
import { discussionIdOf } from "../discussionIds.ts"
import { mayResolve, mayResolveNote, mayWrite } from "../noteable.ts"
import { type OpenPlace, requireFirst } from "../place.ts"
import { NoteQueries, type NoteRow } from "../Queries.ts"
import { refuse } from "../refuse.ts"
import { changeNotes, keyOf, reply } from "../writes.ts"

const notReplied = badRequest("400 Bad request - Discussion can not be replied to.")

/** A discussion to which the caller may reply. */
export const repliable = Effect.fnUntraced(function* (place: OpenPlace, id: string | null) {
  const first = yield* requireFirst(place, id)
  if (first.root_id === null) return yield* notReplied
  if (!mayWrite(place)) return yield* forbidden
  return { number: first.root_id }
})

/** Replies, and answers the id of the note; as `createdNote` where the note orders something. */
export const replied = Effect.fnUntraced(function* (
  place: OpenPlace,
  id: string | null,
  { isOrdering, written }: { readonly isOrdering: boolean; readonly written: Written }
) {
  const discussionOf = (rootId: number) => keyOf(place.noteable, rootId)
  const finding = repliable(place, id)
  const make = ({ number }: { readonly number: number }) => reply(discussionOf(number), written)
  const { events, ...added } = yield* refuse(
    isOrdering ? Effect.flatMap(finding, make) : changesNumbered(discussionAggregate, discussionOf, finding, make)
  )
  yield* awaitReadModels(added)
  const note = events.find((event) => event._tag === "NoteAdded")
  return note?.id ?? (yield* notFound)
})

interface Resolution {
  /** The note that is resolved; undefined for all of them. */
  readonly noteId?: number
  readonly isResolved: boolean
}

const resolved = Effect.fnUntraced(function* (
  place: OpenPlace,
  finding: Effect.Effect<{ readonly number: number }, WireError, NoteQueries>,
  { isResolved, noteId }: Resolution
) {
  const { noteable } = place
  const discussionOf = (rootId: number) => keyOf(noteable, rootId)
  const changed = changesNumbered(
    discussionAggregate,
    discussionOf,
    finding,
    Effect.fnUntraced(function* ({ number }) {
      const { isAnotherUnresolved } = yield* NoteQueries
      const isLast = isResolved && !(yield* isAnotherUnresolved(noteable, discussionIdOf(number)))
      const resolution = { id: noteId, by: place.userId ?? 0, isResolved, isLast }
      return yield* changeNotes(discussionOf(number), { _tag: "Resolve", ...resolution })
    })
  )
  yield* awaitReadModels(yield* refuse(changed))
})

const numberOf = ({ root_id }: NoteRow): Effect.Effect<{ readonly number: number }, WireError> =>
  root_id === null ? Effect.fail(forbidden) : Effect.succeed({ number: root_id })

/** Resolves all notes of a thread, or takes that back. One that is none cannot be resolved by anybody. */
export const resolvedDiscussion = (place: OpenPlace, id: string | null, isResolved: boolean) => {
  const finding = Effect.gen(function* () {
    const first = yield* requireFirst(place, id)
    return first.is_thread && mayResolve(place) ? yield* numberOf(first) : yield* forbidden
  })
  return resolved(place, finding, { isResolved })
}

/** Resolves one note of a thread, or takes that back. */
export const resolvedNote = (
  place: OpenPlace,
  noteFinding: Effect.Effect<NoteRow, WireError, NoteQueries>,
  resolution: Required<Resolution>
) => {
  const finding = Effect.gen(function* () {
    const note = yield* noteFinding
    return mayResolveNote(place, note) ? yield* numberOf(note) : yield* forbidden
  })
  return resolved(place, finding, resolution)
}
