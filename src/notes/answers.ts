import { Effect } from "effect"
import { bracketed, jsonOf, longItems, pageOfTexts, reader, type Texts } from "../http/answer/longLists.ts"
import type { Listed } from "../http/answer/pagination.ts"
import { ok, page, revalidate } from "../http/answer/Reply.ts"
import { mapInSlices } from "../kernel/inSlices.ts"
import { presentDiscussion, presentNote, type View } from "./present.ts"
import { type DiscussionRow, type ListedNoteRow, NoteQueries } from "./Queries.ts"
import type { Discussion, Note } from "./shapes.ts"

// Notes as answers show them: long texts come piece by piece, see `http/answer/longLists.ts`.

type Notes = ReadonlyArray<ListedNoteRow>

const isLong = (notes: Notes): boolean => notes.some((row) => row.text_is_left_out)

const bodies = Effect.gen(function* () {
  const [run, { bodiesOf }] = [yield* reader, yield* NoteQueries]
  const texts: Texts<ListedNoteRow> = {
    of: ({ body }) => body,
    withText: (row, body) => ({ ...row, body }),
    read: (rows) => run(bodiesOf(rows.map(({ id }) => id)))
  }
  return texts
})

/** The notes of a page. */
export const pageOfNotes = Effect.fnUntraced(function* (listed: Listed<ListedNoteRow>, view: View) {
  return yield* pageOfTexts(listed, (row) => presentNote(row, view), yield* bodies)
})

const presented = (notes: Notes, view: View) => mapInSlices(notes, (row) => presentNote(row, view))

/** All notes of a discussion. */
export const allNotes = Effect.fnUntraced(function* (rows: Notes, view: View) {
  if (!isLong(rows)) return ok(yield* presented(rows, view))
  const items = longItems({ rows, present: (row) => presentNote(row, view), texts: yield* bodies })
  return { body: jsonOf<ReadonlyArray<typeof Note.Encoded>>(bracketed(items)), headers: revalidate }
})

async function* discussionTexts({ id, notes }: DiscussionRow, view: View, texts: Texts<ListedNoteRow>): AsyncGenerator<string> {
  const [first] = notes
  const frame = JSON.stringify({
    ...presentDiscussion(id, first === undefined ? [] : [presentNote(texts.withText(first, ""), view)]),
    notes: []
  })
  yield frame.slice(0, -"]}".length)
  yield* longItems({ rows: notes, present: (row) => presentNote(row, view), texts })
  yield "]}"
}

const whole = ({ id, notes }: DiscussionRow, view: View) =>
  Effect.map(presented(notes, view), (all) => presentDiscussion(id, all))

/** A discussion. */
export const discussionOf = Effect.fnUntraced(function* (row: DiscussionRow, view: View) {
  if (!isLong(row.notes)) return ok(yield* whole(row, view))
  const texts = yield* bodies
  return { body: jsonOf<typeof Discussion.Encoded>(discussionTexts(row, view, texts)), headers: revalidate }
})

/** The discussions of a page. */
export const pageOfDiscussions = Effect.fnUntraced(function* ({ extent, rows }: Listed<DiscussionRow>, view: View) {
  if (!rows.some(({ notes }) => isLong(notes))) return page(yield* Effect.forEach(rows, (row) => whole(row, view)), extent)
  const texts = yield* bodies
  async function* items(): AsyncGenerator<string> {
    for (const [index, row] of rows.entries()) {
      if (index > 0) yield ","
      yield* discussionTexts(row, view, texts)
    }
  }
  return { body: jsonOf<ReadonlyArray<typeof Discussion.Encoded>>(bracketed(items())), extent, headers: revalidate }
})
