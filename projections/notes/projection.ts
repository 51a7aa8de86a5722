import { readFileSync } from "node:fs"
import { mergeRequestCodec } from "#src/mergeRequests/events.ts"
import { mergeRequestKeyOf } from "#src/mergeRequests/ids.ts"
import { systemNotes } from "#src/mergeRequests/text/systemNotes.ts"
import { discussionIdOf, systemDiscussionIdOf } from "#src/notes/discussionIds.ts"
import { DiscussionEvent, discussionCodec, maxSystemNotes, systemNoteCodec } from "#src/notes/events.ts"
import { type DiscussionKey, discussionKeyOf, type Noteable, systemNoteableOf } from "#src/notes/ids.ts"
import { isImported, type Position, type RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { userOf } from "#src/platform/Origin.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, type Row, remove } from "../ReadModel.ts"
import { type SystemNote, systemNotesOf } from "./systemNotes.ts"

const [notes, counts] = ["notes", "counts"]

const keyOf = ({ iid, projectId, type }: Noteable): Row => ({ project_id: projectId, noteable_type: type, iid })

type Written = Pick<
  Extract<DiscussionEvent, { readonly _tag: "NoteAdded" }>,
  "authorId" | "body" | "createdAt" | "id" | "isInternal" | "position"
>

/** A note of somebody. What is told of a time before that of the event is believed. */
const written = (key: DiscussionKey, note: Written, at: number, place: Row): ReadonlyArray<Change> => [
  idTaken("note", note.id),
  put(notes, {
    id: note.id,
    ...keyOf(key),
    discussion_id: discussionIdOf(key.rootId),
    root_id: key.rootId,
    is_system: false,
    named: null,
    is_internal: note.isInternal,
    author_id: note.authorId,
    body: note.body,
    position: note.position && { ...note.position },
    created_at: note.createdAt ?? at,
    updated_at: note.createdAt ?? at,
    ...place
  })
]

/** Notes of people have odd ids. */
const idOf = (position: Position, index: number): number => 2 * (maxSystemNotes * position + index)

/** A note that the service writes, which stands alone. Its id follows from the place of the event in the log. */
const systemNote = (noteable: Noteable, { body, named }: SystemNote, index: number, cause: Cause): Change => {
  const { at, by, position, updatedAt = at } = cause
  const id = idOf(position, index)
  return put(notes, {
    id,
    ...keyOf(noteable),
    discussion_id: systemDiscussionIdOf(id),
    root_id: null,
    starts: true,
    is_thread: false,
    is_system: true,
    is_internal: false,
    author_id: by,
    body,
    named: named && { ...named },
    position: null,
    created_at: at,
    updated_at: updatedAt,
    resolved_at: null,
    resolved_by_id: null
  })
}

/** When, where in the log, and by whom; null for nobody. */
interface Cause extends Pick<RecordedEvent, "at" | "position"> {
  readonly by: number | null
  /** The time of the last change, where there was one. */
  readonly updatedAt?: number
}

const causeOf = (event: object, { at, metadata, position }: RecordedEvent): Cause => {
  const by = "by" in event && typeof event.by === "number" ? event.by : (userOf(metadata.actor) ?? null)
  return { at, position, by }
}

const changes = (key: DiscussionKey, event: DiscussionEvent, at: number): ReadonlyArray<Change> => {
  const change = (id: number, columns: Row) => patch(notes, { id }, columns)
  return DiscussionEvent.match(event, {
    DiscussionStarted: ({ isThread, noteId, ...note }) => {
      const place = { starts: true, is_thread: isThread, resolved_at: null, resolved_by_id: null }
      return written(key, { ...note, id: noteId }, at, place)
    },
    NoteAdded: ({ isResolved, ...note }) => {
      const resolution = isResolved
        ? { resolved_at: at, resolved_by_id: note.authorId }
        : { resolved_at: null, resolved_by_id: null }
      return written(key, note, at, { starts: false, is_thread: true, ...resolution })
    },
    NoteBecameThread: ({ id }) => [change(id, { is_thread: true })],
    NoteChanged: ({ body, id }) => [change(id, { body, updated_at: at })],
    NoteDeleted: ({ id, successorId }) => [
      remove(notes, { id }),
      ...(successorId === undefined ? [] : [change(successorId, { starts: true })])
    ],
    NotesResolved: ({ by, ids }) => ids.map((id) => change(id, { resolved_at: at, resolved_by_id: by, updated_at: at })),
    NotesReopened: ({ ids }) => ids.map((id) => change(id, { resolved_at: null, resolved_by_id: null, updated_at: at }))
  })
}

const allResolved: SystemNote = { body: systemNotes.resolvedAllThreads, named: null }

/** Notes with their discussions: those that people write, and those that follow from what happens to a thing. */
export const notesReadModel: ReadModel = {
  name: "notes",
  version: 7,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [notes]: ["id"], [counts]: ["project_id", "noteable_type", "iid"] },
  projections: [
    on(discussionCodec, (event, recorded) => {
      const key = discussionKeyOf(recorded.stream)
      if (key === undefined) return []
      const isLast = event._tag === "NotesResolved" && event.isLast
      const told = isLast ? [systemNote(key, allResolved, 0, causeOf(event, recorded))] : []
      return [...changes(key, event, recorded.at), ...told]
    }),
    on(systemNoteCodec, ({ notes: written }, { position, stream }) => {
      const noteable = systemNoteableOf(stream)
      if (noteable === undefined) return []
      return written.map(({ body, by, createdAt, updatedAt }, index) =>
        systemNote(noteable, { body, named: null }, index, { at: createdAt, by, position, updatedAt })
      )
    }),
    on(mergeRequestCodec, (event, recorded) => {
      const key = mergeRequestKeyOf(recorded.stream)
      // What follows from what was imported came with it.
      if (key === undefined || isImported(recorded)) return []
      const noteable: Noteable = { type: "mergeRequest", ...key }
      const cause = causeOf(event, recorded)
      return systemNotesOf(event).map((note, index) => systemNote(noteable, note, index, cause))
    })
  ]
}
