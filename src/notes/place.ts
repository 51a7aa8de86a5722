import { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { notFound, thingNotFound } from "../http/answer/errors.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { requireProject } from "../projects/Projects.ts"
import { mayReadInternal, type NoteableKind, type Place } from "./noteable.ts"
import { NoteQueries, type NoteRow, type NotesOf } from "./Queries.ts"

interface PlaceInput {
  readonly caller: Caller | undefined
  readonly parameters: { readonly id: string | null; readonly noteable_id: number | null }
  readonly request: RequestInfo
}

/** What a request is about, as its caller sees it. */
export interface OpenPlace extends Place {
  readonly seen: NotesOf
  readonly externalUrl: string
  readonly request: RequestInfo
}

export const openPlace = Effect.fnUntraced(function* <R>(input: PlaceInput, { find }: Pick<NoteableKind<R>, "find">) {
  const { caller, parameters, request } = input
  const found = yield* requireProject(input)
  const noteable = yield* find(found, parameters.noteable_id, caller?.user.id)
  const seen = { type: noteable.type, projectId: noteable.projectId, iid: noteable.iid, withInternal: mayReadInternal(found) }
  const place: OpenPlace = { found, noteable, userId: caller?.user.id, seen, externalUrl: request.externalUrl, request }
  return place
})

/** A note that the caller sees. */
export const requireNote = Effect.fnUntraced(function* ({ seen }: OpenPlace, id: number | null) {
  const row = id === null ? undefined : yield* NoteQueries.use((notes) => notes.find(seen, id))
  return row ?? (yield* notFound)
})

/** The notes of a discussion of which the caller sees one at least. */
export const requireDiscussion = Effect.fnUntraced(function* ({ seen }: OpenPlace, id: string | null) {
  const notes = yield* NoteQueries.use((queries) => queries.discussion(seen, id ?? ""))
  return notes.length === 0 ? yield* thingNotFound("Discussion") : notes
})

/** The first note of a discussion that the caller sees. */
export const requireFirst = Effect.fnUntraced(function* ({ seen }: OpenPlace, id: string | null) {
  const first = yield* NoteQueries.use((queries) => queries.firstOf(seen, id ?? ""))
  return first ?? (yield* thingNotFound("Discussion"))
})

/** A note of a discussion. */
export const requireNoteIn = Effect.fnUntraced(function* (place: OpenPlace, discussionId: string | null, id: number | null) {
  const row: NoteRow = yield* requireNote(place, id)
  return row.discussion_id === discussionId ? row : yield* notFound
})
