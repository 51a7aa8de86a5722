import { Schema } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"

// Storage format: add cases and optional fields, never rename.

const line = Schema.NullOr(Schema.Int)

/** A line of a file that differs between two commits: an added one has no old number, a removed one no new one. */
export const Position = Schema.Struct({
  baseSha: Schema.String,
  startSha: Schema.String,
  headSha: Schema.String,
  oldPath: Schema.String,
  newPath: Schema.String,
  oldLine: line,
  newLine: line,
  /** SHA-1 of the path, and where the line stands in the old and the new file, such as `…_4_5`. */
  lineCode: Schema.optionalKey(Schema.String)
})
export type Position = typeof Position.Type

const note = {
  authorId: Schema.Int,
  body: Schema.String,
  /** Whether it is for Reporters and above alone. */
  isInternal: Schema.Boolean,
  /** The line that it is about; null for the thing as a whole. */
  position: Schema.NullOr(Position),
  /** In milliseconds since 1970, where somebody said when it was written. */
  createdAt: Schema.optionalKey(Schema.Int)
}

export const DiscussionEvent = Schema.TaggedUnion({
  /** With its first note, which stands alone unless it is a thread: only threads are resolved. */
  DiscussionStarted: { noteId: Schema.Int, isThread: Schema.Boolean, ...note },
  /** A reply. It is resolved where the discussion was. */
  NoteAdded: { id: Schema.Int, isResolved: Schema.Boolean, ...note },
  /** Somebody replied to a note that stood alone. */
  NoteBecameThread: { id: Schema.Int },
  NoteChanged: { id: Schema.Int, by: Schema.Int, body: Schema.String },
  /** The successor begins the discussion in place of the first note. */
  NoteDeleted: { id: Schema.Int, by: Schema.Int, successorId: Schema.optionalKey(Schema.Int) },
  /** `isLast` where no other discussion of the same thing waited to be resolved. */
  NotesResolved: { ids: Schema.Array(Schema.Int), by: Schema.Int, isLast: Schema.Boolean },
  NotesReopened: { ids: Schema.Array(Schema.Int), by: Schema.Int }
})
export type DiscussionEvent = typeof DiscussionEvent.Type

export const discussionCodec = eventCodec(DiscussionEvent)

/** So many notes of services follow from one event at most. */
export const maxSystemNotes = 16

export const SystemNoteEvent = Schema.TaggedUnion({
  /** What a service elsewhere wrote about a thing: at most so many notes, each with the user who caused it; null for nobody who is known. */
  SystemNotesImported: {
    notes: Schema.Array(
      Schema.Struct({
        by: Schema.NullOr(Schema.Int),
        body: Schema.String,
        /** In milliseconds since 1970, as the other. */
        createdAt: Schema.Int,
        updatedAt: Schema.Int
      })
    )
  }
})
export type SystemNoteEvent = typeof SystemNoteEvent.Type

export const systemNoteCodec = eventCodec(SystemNoteEvent)
