import { Effect } from "effect"
import { forbidden, notFound } from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { createsNumbered } from "../../platform/repeats.ts"
import { changedNote, removedNote } from "../actions.ts"
import { discussionAggregate } from "../aggregate.ts"
import { allNotes, discussionOf, pageOfDiscussions } from "../answers.ts"
import { discussionIdOf } from "../discussionIds.ts"
import { maySetTime, mayWrite, type NoteableKind } from "../noteable.ts"
import { orderedOnly, parseNote } from "../noteInput.ts"
import { type OpenPlace, openPlace, requireDiscussion, requireNote, requireNoteIn } from "../place.ts"
import { presentNote } from "../present.ts"
import { NoteQueries } from "../Queries.ts"
import { refuse } from "../refuse.ts"
import { keyOf, requireBody, startDiscussion } from "../writes.ts"
import { repliable, replied, resolvedDiscussion, resolvedNote } from "./actions.ts"
import type { discussionEndpoints, resolvingEndpoint } from "./contract.ts"
import { requirePosition } from "./position.ts"

const shown = Effect.fnUntraced(function* (place: OpenPlace, id: string | null) {
  return yield* discussionOf({ id: id ?? "", notes: yield* requireDiscussion(place, id) }, place)
})

interface Writing {
  readonly caller: { readonly user: { readonly id: number } }
  readonly parameters: { readonly created_at?: number | null }
}

/** What somebody writes, as far as they may say it. */
const writtenIn = ({ caller, parameters: { created_at } }: Writing, { found }: OpenPlace, body: string) => ({
  authorId: caller.user.id,
  body,
  createdAt: maySetTime(found) ? (created_at ?? undefined) : undefined
})

/** The routes of the discussions of a kind of things. */
export const discussionRoutesOf = <R>(endpoints: ReturnType<typeof discussionEndpoints>, kind: NoteableKind<R>) => [
  route(
    endpoints.list,
    Effect.fnUntraced(function* (input) {
      const place = yield* openPlace(input, kind)
      const slice = pageOf(input.parameters)
      return yield* pageOfDiscussions(yield* NoteQueries.use((notes) => notes.discussions(place.seen, slice)), place)
    })
  ),
  route(
    endpoints.read,
    Effect.fnUntraced(function* (input) {
      return yield* shown(yield* openPlace(input, kind), input.parameters.discussion_id)
    })
  ),
  route(
    endpoints.create,
    Effect.fnUntraced(function* (input) {
      const place = yield* openPlace(input, kind)
      const { noteable } = place
      const { isOrdering, executed, onlyOrders, text } = yield* parseNote(place, kind, input)
      const judge = mayWrite(place) ? Effect.void : Effect.fail(forbidden)
      if (onlyOrders) return yield* orderedOnly(Effect.andThen(judge, executed))
      const make = Effect.gen(function* () {
        yield* judge
        yield* requireBody(text)
        const position = yield* requirePosition(place, input.parameters.position, kind)
        const thread = { isThread: true, isInternal: false, position }
        return yield* startDiscussion(noteable, { ...writtenIn(input, place, text), ...thread })
      })
      const created = yield* isOrdering
        ? refuse(make)
        : createsNumbered(discussionAggregate, (id) => keyOf(noteable, id), refuse(make))
      yield* awaitReadModels(created)
      if (isOrdering) yield* executed
      return yield* shown(place, discussionIdOf(created.number))
    })
  ),
  route(
    endpoints.listNotes,
    Effect.fnUntraced(function* (input) {
      const place = yield* openPlace(input, kind)
      return yield* allNotes(yield* requireDiscussion(place, input.parameters.discussion_id), place)
    })
  ),
  route(
    endpoints.readNote,
    Effect.fnUntraced(function* (input) {
      const { discussion_id, note_id } = input.parameters
      const place = yield* openPlace(input, kind)
      return ok(presentNote(yield* requireNoteIn(place, discussion_id, note_id), place))
    })
  ),
  route(
    endpoints.reply,
    Effect.fnUntraced(function* (input) {
      const place = yield* openPlace(input, kind)
      const discussionId = input.parameters.discussion_id
      const { isOrdering, executed, onlyOrders, text } = yield* parseNote(place, kind, input)
      if (onlyOrders) return yield* orderedOnly(Effect.andThen(repliable(place, discussionId), executed))
      const id = yield* replied(place, discussionId, { isOrdering, written: writtenIn(input, place, text) })
      const changes = isOrdering ? (yield* executed).changes : {}
      return ok(presentNote(yield* requireNote(place, id), place, changes))
    })
  ),
  route(
    endpoints.changeNote,
    Effect.fnUntraced(function* (input) {
      const { body, discussion_id, note_id, resolved } = input.parameters
      const place = yield* openPlace(input, kind)
      const id = note_id ?? (yield* notFound)
      const finding = requireNoteIn(place, discussion_id, id)
      if (body === undefined) yield* resolvedNote(place, finding, { noteId: id, isResolved: resolved === true })
      else yield* changedNote(place, finding, { id, body: body ?? "" })
      return ok(presentNote(yield* requireNote(place, id), place))
    })
  ),
  route(
    endpoints.removeNote,
    Effect.fnUntraced(function* (input) {
      const { discussion_id, note_id } = input.parameters
      const place = yield* openPlace(input, kind)
      const id = note_id ?? (yield* notFound)
      return yield* removedNote(place, requireNoteIn(place, discussion_id, id), id)
    })
  )
]

/** The route that resolves discussions of a kind of things. */
export const resolvingRouteOf = <R>(declared: ReturnType<typeof resolvingEndpoint>, kind: NoteableKind<R>) =>
  route(
    declared,
    Effect.fnUntraced(function* (input) {
      const { discussion_id, resolved } = input.parameters
      const place = yield* openPlace(input, kind)
      yield* resolvedDiscussion(place, discussion_id, resolved === true)
      return yield* shown(place, discussion_id)
    })
  )
