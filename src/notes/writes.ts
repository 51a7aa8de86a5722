import { Effect } from "effect"
import { handle } from "../platform/Commands.ts"
import { nextId } from "../platform/Ids.ts"
import { spanned } from "../platform/logging/tracing.ts"
import { discussionAggregate } from "./aggregate.ts"
import { type Command, NoteInvalid, type Start, TooManyNotes, type Written } from "./commands.ts"
import { bodyFault } from "./faults.ts"
import type { DiscussionKey, Noteable } from "./ids.ts"
import { NoteQueries } from "./Queries.ts"

/** No id is used up for what is refused. */
export const requireBody = (body: string) => {
  const text = bodyFault(body)
  return text === undefined ? Effect.void : Effect.fail(new NoteInvalid({ text }))
}

/** People write at most so many notes about one thing. */
const maxNotes = 5_000

const requireCapacity = Effect.fnUntraced(function* (noteable: Noteable) {
  const count = yield* NoteQueries.use((notes) => notes.countOf(noteable))
  if (count >= maxNotes) return yield* new TooManyNotes()
})

export const keyOf = ({ iid, projectId, type }: Noteable, rootId: number): DiscussionKey => ({ type, projectId, iid, rootId })

/** Begins a discussion; the number is the id of its first note. */
export const startDiscussion = Effect.fnUntraced(function* (noteable: Noteable, start: Omit<Start, "_tag" | "noteId">) {
  yield* requireBody(start.body)
  yield* requireCapacity(noteable)
  const noteId = yield* nextId("note")
  const handled = yield* handle(discussionAggregate, keyOf(noteable, noteId), { _tag: "Start", noteId, ...start })
  return { ...handled, number: noteId }
}, spanned("notes.startDiscussion"))

/** Adds a note to a discussion. */
export const reply = Effect.fnUntraced(function* (key: DiscussionKey, written: Written) {
  yield* requireBody(written.body)
  yield* requireCapacity(key)
  const id = yield* nextId("note")
  return yield* handle(discussionAggregate, key, { _tag: "Reply", id, ...written })
}, spanned("notes.reply"))

/** Changes, deletes or resolves notes of a discussion. */
export const changeNotes = (key: DiscussionKey, command: Exclude<Command, { readonly _tag: "Start" | "Reply" }>) =>
  spanned("notes.change")(handle(discussionAggregate, key, command))
