import { Effect } from "effect"
import { forbidden, notFound } from "../http/answer/errors.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { ok } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import { createsNumbered } from "../platform/repeats/repeats.ts"
import { discussionAggregate } from "./aggregate.ts"
import { pageOfNotes } from "./answers.ts"
import { mergeRequestNotes, noteEndpoints } from "./contract.ts"
import { changedNote, removedNote } from "./deeds.ts"
import { discussionEndpoints } from "./discussions/contract.ts"
import { discussionRoutesOf } from "./discussions/handlers.ts"
import { mergeRequestKind } from "./mergeRequests.ts"
import { mayReadInternal, maySetTime, mayWrite, type NoteableKind } from "./noteable.ts"
import { openPlace, requireNote } from "./place.ts"
import { presentNote } from "./present.ts"
import { NoteQueries } from "./Queries.ts"
import { refuse } from "./refuse.ts"
import { keyOf, startDiscussion } from "./writes.ts"

const filters = { all_notes: {}, only_comments: { only: "people" }, only_activity: { only: "service" } } as const

/** The routes of the notes of a kind of things. */
const noteRoutesOf = <R>(endpoints: ReturnType<typeof noteEndpoints>, kind: NoteableKind<R>) => [
  route(
    endpoints.list,
    Effect.fnUntraced(function* (input) {
      const { parameters } = input
      const place = yield* openPlace(input, kind)
      const order = { by: parameters.order_by ?? "created_at", descending: parameters.sort !== "asc" }
      const filter = { ...place.seen, ...filters[parameters.activity_filter ?? "all_notes"], order }
      return yield* pageOfNotes(yield* NoteQueries.use((notes) => notes.list(filter, pageOf(parameters))), place)
    })
  ),
  route(
    endpoints.read,
    Effect.fnUntraced(function* (input) {
      const place = yield* openPlace(input, kind)
      return ok(presentNote(yield* requireNote(place, input.parameters.note_id), place))
    })
  ),
  route(
    endpoints.create,
    Effect.fnUntraced(function* (input) {
      const { caller, parameters } = input
      const place = yield* openPlace(input, kind)
      const { found, noteable } = place
      const make = Effect.gen(function* () {
        if (!mayWrite(place)) return yield* forbidden
        const isInternal = (parameters.internal ?? parameters.confidential) === true
        if (isInternal && !mayReadInternal(found)) return yield* forbidden
        const createdAt = maySetTime(found) ? (parameters.created_at ?? undefined) : undefined
        const written = { authorId: caller.user.id, body: parameters.body ?? "", createdAt }
        return yield* startDiscussion(noteable, { ...written, isThread: false, isInternal, position: null })
      })
      const created = yield* createsNumbered(discussionAggregate, (id) => keyOf(noteable, id), refuse(make))
      yield* awaitReadModels(created)
      return ok(presentNote(yield* requireNote(place, created.number), place))
    })
  ),
  route(
    endpoints.change,
    Effect.fnUntraced(function* (input) {
      const { body, note_id } = input.parameters
      const place = yield* openPlace(input, kind)
      const id = note_id ?? (yield* notFound)
      yield* changedNote(place, requireNote(place, id), { id, body: body ?? undefined })
      return ok(presentNote(yield* requireNote(place, id), place))
    })
  ),
  route(
    endpoints.remove,
    Effect.fnUntraced(function* (input) {
      const place = yield* openPlace(input, kind)
      const id = input.parameters.note_id ?? (yield* notFound)
      return yield* removedNote(place, requireNote(place, id), id)
    })
  )
]

export const noteRoutes = [
  ...noteRoutesOf(noteEndpoints(mergeRequestNotes), mergeRequestKind),
  ...discussionRoutesOf(discussionEndpoints(mergeRequestNotes), mergeRequestKind)
]
