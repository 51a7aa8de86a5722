import { Effect } from "effect"
import { requireUnmodified } from "../http/answer/conditional.ts"
import { forbidden, type WireError } from "../http/answer/errors.ts"
import { noContent } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { changesNumbered } from "../platform/repeats.ts"
import { discussionAggregate } from "./aggregate.ts"
import { discussionStream } from "./ids.ts"
import { mayChange } from "./noteable.ts"
import type { OpenPlace } from "./place.ts"
import type { NoteQueries, NoteRow } from "./Queries.ts"
import { refuse } from "./refuse.ts"
import { changeNotes, keyOf } from "./writes.ts"

type Finding = Effect.Effect<NoteRow, WireError, NoteQueries>

/** A note that the caller may change, with the number of its discussion. What the service wrote has none, and nobody changes it. */
export const changeable = Effect.fnUntraced(function* (place: OpenPlace, finding: Finding) {
  const note = yield* finding
  if (note.root_id === null || !mayChange(place, note)) return yield* forbidden
  return { note, number: note.root_id }
})

/** Changes a note, unless it says so already. */
export const changedNote = Effect.fnUntraced(function* (
  place: OpenPlace,
  finding: Finding,
  { body, id }: { readonly id: number; readonly body: string | undefined }
) {
  const by = place.userId ?? 0
  const discussionOf = (rootId: number) => keyOf(place.noteable, rootId)
  const changed = changesNumbered(discussionAggregate, discussionOf, changeable(place, finding), ({ note, number }) => {
    const key = discussionOf(number)
    if (body === undefined || body === note.body) return Effect.succeed({ stream: discussionStream(key), position: 0 })
    return changeNotes(key, { _tag: "ChangeNote", id, by, body })
  })
  yield* awaitReadModels(yield* refuse(changed, "Failed to save note"))
})

/** Deletes a note, unless it was changed after the time that the request names. */
export const removedNote = Effect.fnUntraced(function* (place: OpenPlace, finding: Finding, id: number) {
  const discussionOf = (rootId: number) => keyOf(place.noteable, rootId)
  const judged = Effect.tap(changeable(place, finding), ({ note }) => requireUnmodified(note.updated_at, place.request))
  const removed = changesNumbered(discussionAggregate, discussionOf, judged, ({ number }) =>
    changeNotes(discussionOf(number), { _tag: "DeleteNote", id, by: place.userId ?? 0 })
  )
  yield* awaitReadModels(yield* refuse(removed))
  return noContent
})
