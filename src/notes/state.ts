import { HashMap, Option } from "effect"
import { DiscussionEvent, type Position } from "./events.ts"

interface Note {
  readonly authorId: number
  readonly isResolved: boolean
}

/** What decisions need: neither texts nor times, so that a long discussion stays small, and a reply costs the same in any. */
export interface Discussion {
  readonly firstId: number
  readonly isThread: boolean
  readonly isInternal: boolean
  readonly position: Position | null
  readonly notes: HashMap.HashMap<number, Note>
  /** How many notes are not resolved. */
  readonly unresolved: number
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly discussion: Discussion }
  /** All its notes are deleted. */
  | { readonly _tag: "Ended" }

export const initial: State = { _tag: "Absent" }

export const noteIn = ({ notes }: Discussion, id: number): Note | undefined => Option.getOrUndefined(HashMap.get(notes, id))

/** The ids of notes that are resolved, or are not. */
export const idsOf = ({ notes }: Discussion, isResolved: boolean): ReadonlyArray<number> =>
  [...HashMap.entries(notes)].flatMap(([id, note]) => (note.isResolved === isResolved ? [id] : [])).toSorted((a, b) => a - b)

type Started = Extract<DiscussionEvent, { readonly _tag: "DiscussionStarted" }>

const started = ({ authorId, isInternal, isThread, noteId, position }: Started): Discussion => ({
  firstId: noteId,
  isThread,
  isInternal,
  position,
  notes: HashMap.make([noteId, { authorId, isResolved: false }]),
  unresolved: 1
})

const without = (discussion: Discussion, id: number, successorId: number | undefined): Discussion => ({
  ...discussion,
  firstId: successorId ?? discussion.firstId,
  notes: HashMap.remove(discussion.notes, id),
  unresolved: discussion.unresolved - (noteIn(discussion, id)?.isResolved === false ? 1 : 0)
})

const marked = (discussion: Discussion, ids: ReadonlyArray<number>, isResolved: boolean): Discussion => {
  const changing = ids.filter((id) => noteIn(discussion, id)?.isResolved === !isResolved)
  const notes = changing.reduce((all, id) => HashMap.modify(all, id, (note) => ({ ...note, isResolved })), discussion.notes)
  return { ...discussion, notes, unresolved: discussion.unresolved + (isResolved ? -changing.length : changing.length) }
}

/** Events of a discussion that is not there change nothing, and one that has ended stays so. */
export const evolve = (state: State, event: DiscussionEvent): State => {
  if (event._tag === "DiscussionStarted") return state._tag === "Absent" ? { _tag: "Present", discussion: started(event) } : state
  if (state._tag !== "Present") return state
  const { discussion } = state
  const present = (changes: Partial<Discussion>): State => ({ _tag: "Present", discussion: { ...discussion, ...changes } })
  return DiscussionEvent.match(event, {
    DiscussionStarted: (): State => state,
    NoteAdded: ({ authorId, id, isResolved }) =>
      noteIn(discussion, id) === undefined
        ? present({
            notes: HashMap.set(discussion.notes, id, { authorId, isResolved }),
            unresolved: discussion.unresolved + (isResolved ? 0 : 1)
          })
        : state,
    NoteBecameThread: () => present({ isThread: true }),
    NoteChanged: (): State => state,
    NoteDeleted: ({ id, successorId }): State => {
      const left = without(discussion, id, successorId)
      return HashMap.size(left.notes) === 0 ? { _tag: "Ended" } : { _tag: "Present", discussion: left }
    },
    NotesResolved: ({ ids }) => present(marked(discussion, ids, true)),
    NotesReopened: ({ ids }) => present(marked(discussion, ids, false))
  })
}
