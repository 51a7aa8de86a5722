import { Effect, Schema } from "effect"
import { AwardEvent, awardCodec } from "../../awardEmoji/events.ts"
import { type Awardable, awardsStream } from "../../awardEmoji/ids.ts"
import { DiscussionEvent, discussionCodec, maxSystemNotes, SystemNoteEvent, systemNoteCodec } from "../../notes/events.ts"
import { discussionStream, type Noteable, systemNotesStream } from "../../notes/ids.ts"
import { nextIds } from "../../platform/Ids.ts"
import { type Past, recordPast } from "../../platform/recordPast.ts"
import { each, type Import, inOrder } from "./Import.ts"
import { type Award, type Note, Position } from "./shapes/issuables.ts"
import { millis } from "./shapes/values.ts"

/** Brings what was awarded to a thing; of one name by one user once. */
export const importAwards = Effect.fnUntraced(function* (to: Import, of: Awardable, awards: ReadonlyArray<Award>) {
  if (awards.length === 0) return
  const ids = yield* nextIds("award_emoji", awards.length)
  const totals = new Map<string, number>()
  const seen = new Set<string>()
  const happened = awards.flatMap(({ created_at, name, user_id }, index): ReadonlyArray<Past<AwardEvent>> => {
    const by = to.people.of(user_id)
    if (seen.has(`${by} ${name}`)) return []
    seen.add(`${by} ${name}`)
    const total = (totals.get(name) ?? 0) + 1
    totals.set(name, total)
    return [{ event: AwardEvent.cases.EmojiAwarded.make({ id: ids[index] ?? 0, by, name, total }), at: millis(created_at), by }]
  })
  yield* recordPast(awardCodec, awardsStream(of), happened)
})

const decodePosition = Schema.decodeUnknownOption(Position)
const isLineCode = (value: unknown): value is string =>
  typeof value === "string" && /^[0-9a-f]{40}_\d{1,10}_\d{1,10}$/.test(value)

/** The line that a note is about; null where it is about the whole thing, a file, or an image, and where there is no such line. */
const positionOf = ({ line_code: lineCode, position }: Note) => {
  const found = decodePosition(position)
  if (found._tag === "None") return null
  const { base_sha, head_sha, new_line, new_path, old_line, old_path, start_sha } = found.value
  return {
    baseSha: base_sha,
    startSha: start_sha,
    headSha: head_sha,
    oldPath: old_path,
    newPath: new_path,
    oldLine: old_line,
    newLine: new_line,
    ...(isLineCode(lineCode) && { lineCode })
  }
}

interface Numbered {
  readonly id: number
  readonly note: Note
}

const { cases } = DiscussionEvent

/** That a note was resolved, and changed last later than what is told of it here. */
const later = (to: Import, { id, note }: Numbered): ReadonlyArray<Past<DiscussionEvent>> => {
  const { author_id, created_at, note: body, resolved_at, resolved_by_id, updated_at } = note
  const resolver = to.people.of(resolved_by_id)
  const resolved = cases.NotesResolved.make({ ids: [id], by: resolver, isLast: false })
  const author = to.people.of(author_id)
  const changed = cases.NoteChanged.make({ id, by: author, body })
  const told = resolved_at === null ? [] : [{ event: resolved, at: millis(resolved_at), by: resolver }]
  const known = told.at(-1)?.at ?? millis(created_at)
  return known === millis(updated_at) ? told : [...told, { event: changed, at: millis(updated_at), by: author }]
}

const discussionEvents = (to: Import, [root, ...replies]: readonly [Numbered, ...ReadonlyArray<Numbered>]) => {
  const of = ({ note }: Numbered) => ({
    authorId: to.people.of(note.author_id),
    body: note.note,
    isInternal: note.confidential || note.internal,
    position: positionOf(note)
  })
  const isThread = replies.length > 0 || root.note.type !== null
  const started = cases.DiscussionStarted.make({ noteId: root.id, isThread, ...of(root) })
  const writtenBy = (numbered: Numbered, event: DiscussionEvent): Past<DiscussionEvent> => ({
    event,
    at: millis(numbered.note.created_at),
    by: to.people.of(numbered.note.author_id)
  })
  return inOrder([
    writtenBy(root, started),
    ...replies.map((reply) => writtenBy(reply, cases.NoteAdded.make({ id: reply.id, isResolved: false, ...of(reply) }))),
    ...[root, ...replies].flatMap((numbered) => later(to, numbered))
  ])
}

/** The notes of one event have so many characters together, but for one that is longer. */
const maxTold = 128 * 1024

/** Notes in their order, as many together as one event may have. */
const togetherTold = (notes: ReadonlyArray<Note>): ReadonlyArray<ReadonlyArray<Note>> => {
  const groups: Array<Array<Note>> = []
  let room = 0
  for (const note of notes) {
    if (note.note.length > room || groups.at(-1)?.length === maxSystemNotes) {
      groups.push([])
      room = maxTold
    }
    room -= note.note.length
    groups.at(-1)?.push(note)
  }
  return groups
}

const importSystemNotes = Effect.fnUntraced(function* (to: Import, of: Noteable, notes: ReadonlyArray<Note>) {
  const happened = togetherTold(notes).map((group): Past<SystemNoteEvent> => {
    const written = group.map(({ author_id, created_at, note, updated_at }) => ({
      by: author_id === null ? null : to.people.of(author_id),
      body: note,
      createdAt: millis(created_at),
      updatedAt: millis(updated_at)
    }))
    const event = SystemNoteEvent.cases.SystemNotesImported.make({ notes: written })
    return { event, at: written[0]?.createdAt ?? 0, by: to.people.of(null) }
  })
  if (happened.length > 0) yield* recordPast(systemNoteCodec, systemNotesStream(of), happened)
})

/** Brings the notes of a thing, those of services and of people, with what was awarded to them. */
export const importNotes = Effect.fnUntraced(function* (to: Import, of: Noteable, notes: ReadonlyArray<Note>) {
  if (notes.length === 0) return
  yield* importSystemNotes(
    to,
    of,
    notes.filter(({ system }) => system)
  )
  const written = notes.filter(({ system }) => !system)
  const ids = yield* nextIds("note", written.length)
  const numbered = written.map((note, index): Numbered => ({ id: ids[index] ?? 0, note }))
  const discussions = Map.groupBy(numbered, ({ id, note }) => note.discussion_id ?? String(id))
  yield* each(discussions.values(), ([root, ...replies]) => {
    if (root === undefined) return Effect.void
    const stream = discussionStream({ ...of, rootId: root.id })
    return recordPast(discussionCodec, stream, discussionEvents(to, [root, ...replies]))
  })
  yield* each(numbered, ({ id, note }) => importAwards(to, { type: "Note", id }, note.award_emoji))
})
