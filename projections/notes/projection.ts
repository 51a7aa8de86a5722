import { readFileSync } from "node:fs"
import { MergeRequestEvent, mergeRequestCodec } from "#src/mergeRequests/events.ts"
import { mergeRequestKeyOf } from "#src/mergeRequests/ids.ts"
import { discussionIdOf } from "#src/notes/discussionIds.ts"
import { DiscussionEvent, discussionCodec } from "#src/notes/events.ts"
import { type DiscussionKey, discussionKeyOf, type Noteable } from "#src/notes/ids.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, type Row, remove, removeWhere } from "../ReadModel.ts"

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
    is_internal: note.isInternal,
    author_id: note.authorId,
    body: note.body,
    position: note.position && { ...note.position },
    created_at: note.createdAt ?? at,
    updated_at: note.createdAt ?? at,
    ...place
  })
]

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

/** Notes with their discussions. */
export const notesReadModel: ReadModel = {
  name: "notes",
  version: 1,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [notes]: ["id"], [counts]: ["project_id", "noteable_type", "iid"] },
  projections: [
    on(discussionCodec, (event, { at, stream }) => {
      const key = discussionKeyOf(stream)
      return key === undefined ? [] : changes(key, event, at)
    }),
    on(mergeRequestCodec, (event, { stream }) => {
      const key = mergeRequestKeyOf(stream)
      if (key === undefined || !MergeRequestEvent.guards.MergeRequestDeleted(event)) return []
      return [removeWhere(notes, keyOf({ type: "mergeRequest", ...key }))]
    }),
    on(projectCodec, (event, { stream }) => {
      const projectId = projectIdOf(stream)
      return event._tag === "ProjectDeleted" && projectId !== undefined ? [removeWhere(notes, { project_id: projectId })] : []
    })
  ]
}
