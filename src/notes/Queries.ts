import { Context, type Effect } from "effect"
import type { MayLackText, ReadText } from "../http/answer/longLists.ts"
import type { Listed, Slice } from "../http/answer/pagination.ts"
import type { UserReferenceRow } from "../http/answer/shapes.ts"
import type { Position } from "./events.ts"
import type { Noteable } from "./ids.ts"

/** Who or what came and went, by their ids. */
export interface NamedChange {
  readonly kind: "assignee" | "reviewer" | "label" | "milestone"
  readonly added: ReadonlyArray<number>
  readonly removed: ReadonlyArray<number>
}

/** A note of the read model. Times are milliseconds since 1970. */
export interface NoteRow {
  readonly id: number
  readonly discussion_id: string
  /** The note with which its discussion began; null for what the service wrote. */
  readonly root_id: number | null
  /** Whether its discussion is a thread, which can be resolved. */
  readonly is_thread: boolean
  /** Whether the service wrote it. */
  readonly is_system: boolean
  readonly is_internal: boolean
  /** Null for what nobody wrote. */
  readonly author_id: number | null
  /** The author; null when that user is deleted. */
  readonly author: UserReferenceRow | null
  readonly body: string
  /** What the service tells instead of a text, with the names of what is there by their ids; null for others. */
  readonly named: NamedChange | null
  readonly names: Readonly<Record<string, string>> | null
  readonly position: Position | null
  readonly created_at: number
  readonly updated_at: number
  readonly resolved_at: number | null
  readonly resolved_by: UserReferenceRow | null
}

/** The same among others, of which long texts may be left out. */
export type ListedNoteRow = NoteRow & MayLackText

export interface DiscussionRow {
  readonly id: string
  /** The oldest first. */
  readonly notes: ReadonlyArray<ListedNoteRow>
}

/** What somebody sees of the notes of a thing. */
export interface NotesOf extends Noteable {
  readonly withInternal: boolean
}

export interface NoteFilter extends NotesOf {
  /** Those of people, or those of the service. */
  readonly only?: "people" | "service"
  readonly order: { readonly by: "created_at" | "updated_at"; readonly descending: boolean }
}

/** What handlers ask about notes. */
export class NoteQueries extends Context.Service<
  NoteQueries,
  {
    readonly list: (filter: NoteFilter, slice: Slice) => Effect.Effect<Listed<ListedNoteRow>>
    readonly find: (of: NotesOf, id: number) => Effect.Effect<NoteRow | undefined>
    /** The discussions in the order in which they began. */
    readonly discussions: (of: NotesOf, slice: Slice) => Effect.Effect<Listed<DiscussionRow>>
    /** The notes of a discussion, the oldest first; none where there is no such discussion. */
    readonly discussion: (of: NotesOf, id: string) => Effect.Effect<ReadonlyArray<ListedNoteRow>>
    /** The first of them. */
    readonly firstOf: (of: NotesOf, id: string) => Effect.Effect<NoteRow | undefined>
    /** The texts of notes, by their ids. Those that are gone are left out. */
    readonly bodiesOf: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<ReadText>>
    /** How many notes people have written about a thing. */
    readonly countOf: (noteable: Noteable) => Effect.Effect<number>
    /** Whether another discussion of the same thing waits to be resolved. */
    readonly isAnotherUnresolved: (noteable: Noteable, id: string) => Effect.Effect<boolean>
  }
>()("chronoforge/notes/NoteQueries") {}
