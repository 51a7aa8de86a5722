import { Effect } from "effect"
import { notFound } from "../http/answer/errors.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { ok } from "../http/answer/Reply.ts"
import { route } from "../http/Endpoint.ts"
import { changedNote, removedNote } from "./actions.ts"
import { pageOfNotes } from "./answers.ts"
import { noteAwardEndpoints, noteAwardRoutesOf } from "./awardEmoji/handlers.ts"
import { issueNotes, mergeRequestNotes, noteEndpoints } from "./contract.ts"
import { createdNote } from "./creation.ts"
import { discussionEndpoints, resolvingEndpoint } from "./discussions/contract.ts"
import { discussionRoutesOf, resolvingRouteOf } from "./discussions/handlers.ts"
import { issueKind } from "./kinds/issues.ts"
import { mergeRequestKind } from "./kinds/mergeRequests.ts"
import type { NoteableKind } from "./noteable.ts"
import { openPlace, requireNote } from "./place.ts"
import { presentNote } from "./present.ts"
import { NoteQueries } from "./Queries.ts"

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
      return yield* createdNote(yield* openPlace(input, kind), kind, input)
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
  ...discussionRoutesOf(discussionEndpoints(mergeRequestNotes), mergeRequestKind),
  resolvingRouteOf(resolvingEndpoint(mergeRequestNotes), mergeRequestKind),
  ...noteAwardRoutesOf(noteAwardEndpoints(mergeRequestNotes), mergeRequestKind),
  ...noteRoutesOf(noteEndpoints(issueNotes), issueKind),
  ...discussionRoutesOf(discussionEndpoints(issueNotes), issueKind),
  ...noteAwardRoutesOf(noteAwardEndpoints(issueNotes), issueKind)
]
