import { Data, type Result } from "effect"
import type { DiscussionEvent, Position } from "./events.ts"

/** What somebody writes. */
export interface Written {
  readonly authorId: number
  readonly body: string
  /** In milliseconds since 1970; undefined for now. */
  readonly createdAt: number | undefined
}

/** Begins a discussion with a note, which stands alone unless it is a thread. */
export interface Start extends Written {
  readonly _tag: "Start"
  readonly noteId: number
  readonly isThread: boolean
  readonly isInternal: boolean
  readonly position: Position | null
}

/** Adds a note; one that stood alone becomes the first of a thread. */
export interface Reply extends Written {
  readonly _tag: "Reply"
  readonly id: number
}

/** Resolves a note, or all of them, or takes that back. `isLast`: no other discussion of the same thing waits to be resolved. */
export interface Resolve {
  readonly _tag: "Resolve"
  readonly id: number | undefined
  readonly by: number
  readonly isResolved: boolean
  readonly isLast: boolean
}

export type Command =
  | Start
  | Reply
  | { readonly _tag: "ChangeNote"; readonly id: number; readonly by: number; readonly body: string }
  | { readonly _tag: "DeleteNote"; readonly id: number; readonly by: number }
  | Resolve

/** There is a discussion in this stream, or was one. */
export class DiscussionExists extends Data.TaggedError("DiscussionExists") {}

/** The discussion was never there, or all its notes are deleted. */
export class DiscussionMissing extends Data.TaggedError("DiscussionMissing") {}

/** The note was never there, or is deleted. */
export class NoteMissing extends Data.TaggedError("NoteMissing") {}

/** The text of the note is wrong. */
export class NoteInvalid extends Data.TaggedError("NoteInvalid")<{ readonly text: string }> {}

/** As many notes as may be are written about the thing. */
export class TooManyNotes extends Data.TaggedError("TooManyNotes") {}

/** Notes that stand alone are not resolved. */
export class NotResolvable extends Data.TaggedError("NotResolvable") {}

export type Refusal = DiscussionExists | DiscussionMissing | NoteInvalid | NoteMissing | NotResolvable

export type Decision = Result.Result<ReadonlyArray<DiscussionEvent>, Refusal>
