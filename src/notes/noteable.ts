import type { Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { WireError } from "../http/answer/errors.ts"
import type { JsonObject } from "../http/answer/success.ts"
import { accessLevel } from "../members/levels.ts"
import { can, type ReadableProject } from "../projects/Projects.ts"
import type { Position } from "./events.ts"
import type { Noteable } from "./ids.ts"
import type { NoteRow } from "./Queries.ts"

/** What has notes, as far as they depend on it. */
export interface NoteableRow extends Noteable {
  readonly id: number
  readonly authorId: number
  /** Whether only members write. */
  readonly isLocked: boolean
}

/** What came of what a note orders, with a sentence for each. */
export interface CommandResult {
  readonly changes: JsonObject
  readonly summary: ReadonlyArray<string>
}

/** Who orders, and of what. */
export interface Ordering {
  readonly found: ReadableProject
  readonly noteable: NoteableRow
  readonly caller: Caller
  readonly externalUrl: string
}

/** What a note orders in lines of its text. */
export interface Orders<R> {
  /** The text without these lines: the whole text where it orders nothing. */
  readonly text: string
  /** Does it, as far as the caller may. */
  readonly execute: (ordering: Ordering) => Effect.Effect<CommandResult, WireError, R>
}

/** A kind of things that have notes. */
export interface NoteableKind<R> {
  /** Finds one among those that the caller may see: 404 for none of them. */
  readonly find: (
    found: ReadableProject,
    iid: number | null,
    userId: number | undefined
  ) => Effect.Effect<NoteableRow, WireError, R>
  /** The code of this line; undefined where none of its versions has it. */
  readonly findLine: (noteable: Noteable, position: Position) => Effect.Effect<string | undefined, never, R>
  readonly ordersIn: (body: string) => Effect.Effect<Orders<R>>
}

/** A thing with notes, its project, and who asks. */
export interface Place {
  readonly found: ReadableProject
  readonly noteable: NoteableRow
  /** Undefined for whoever has no account. */
  readonly userId: number | undefined
}

const isMember = ({ principal: { isAdministrator, role } }: ReadableProject): boolean =>
  isAdministrator || role >= accessLevel.guest

export const mayReadInternal = ({ principal, project }: ReadableProject): boolean =>
  can("read_internal_notes", principal, project)

/** Whether somebody may write here; what they may do with notes that are there depends on it too. */
export const mayWrite = ({ found, noteable }: Place): boolean =>
  can("create_note", found.principal, found.project) && (!noteable.isLocked || isMember(found))

/** Whether somebody may change and delete a note: its author and Maintainers, but nobody what the service wrote. */
export const mayChange = (place: Place, { author_id, is_system }: NoteRow): boolean => {
  if (is_system || !mayWrite(place)) return false
  return author_id === place.userId || can("manage_notes", place.found.principal, place.found.project)
}

/** Whether threads about such a thing are resolved. */
export const isResolvable = ({ type }: Noteable): boolean => type === "mergeRequest"

/** Whether somebody may resolve the threads of a thing: its author and Developers. */
export const mayResolve = (place: Place): boolean => {
  if (!mayWrite(place) || !isResolvable(place.noteable)) return false
  return place.noteable.authorId === place.userId || can("resolve_notes", place.found.principal, place.found.project)
}

/** Their own notes others may resolve too. */
export const mayResolveNote = (place: Place, { author_id }: NoteRow): boolean =>
  mayResolve(place) || (mayWrite(place) && isResolvable(place.noteable) && author_id === place.userId)

/** Whether somebody may say when a note was written. */
export const maySetTime = ({ principal, project }: ReadableProject): boolean => can("backdate_notes", principal, project)
