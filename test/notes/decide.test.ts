import { describe, expect, it } from "vitest"
import { discussionAggregate } from "#src/notes/aggregate.ts"
import type { Command, Refusal } from "#src/notes/commands.ts"
import { DiscussionEvent } from "#src/notes/events.ts"
import type { State } from "#src/notes/state.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"
import { behind, position, reply, resolve, start, startThread } from "./samples.ts"

const { cases } = DiscussionEvent
const outcome = outcomeOf(discussionAggregate)

const commands: { readonly [Tag in Command["_tag"]]: Command } = {
  Start: start,
  Reply: reply,
  ChangeNote: { _tag: "ChangeNote", id: 11, by: 7, body: "Looks better." },
  DeleteNote: { _tag: "DeleteNote", id: 11, by: 7 },
  Resolve: resolve
}

type Expected = ReadonlyArray<DiscussionEvent> | Refusal["_tag"]

const missing = {
  Reply: "DiscussionMissing",
  ChangeNote: "DiscussionMissing",
  DeleteNote: "DiscussionMissing",
  Resolve: "DiscussionMissing"
} as const
const note = { authorId: 7, body: "Looks good.", isInternal: false }
const written = { id: 13, authorId: 8, body: "Thanks.", isInternal: false }

const table: Record<State["_tag"], Record<Command["_tag"], Expected>> = {
  Absent: {
    ...missing,
    Start: [cases.DiscussionStarted.make({ noteId: 11, isThread: false, position: null, ...note })]
  },
  Present: {
    Start: "DiscussionExists",
    Reply: [cases.NoteAdded.make({ ...written, position, isResolved: false })],
    ChangeNote: [cases.NoteChanged.make({ id: 11, by: 7, body: "Looks better." })],
    DeleteNote: [cases.NoteDeleted.make({ id: 11, by: 7 })],
    Resolve: [cases.NotesResolved.make({ ids: [11], by: 9, isLast: true })]
  },
  Ended: { ...missing, Start: "DiscussionExists" }
}

describe("a discussion decides", () => {
  itDecides(outcome, {
    commands,
    table,
    states: { Absent: { _tag: "Absent" }, Present: behind(startThread), Ended: behind(start, commands.DeleteNote) }
  })
})

const deleting = (id: number): Command => ({ _tag: "DeleteNote", id, by: 7 })
const resolving = (more: object): Command => ({ ...resolve, ...more }) as Command

describe("within a discussion", () => {
  it("a note that stood alone becomes the first of a thread, which alone can be resolved", () => {
    expect(outcome(reply, behind(start))).toEqual([
      cases.NoteBecameThread.make({ id: 11 }),
      cases.NoteAdded.make({ ...written, position: null, isResolved: false })
    ])
    expect(outcome(resolve, behind(start))).toBe("NotResolvable")
    expect(outcome(resolve, behind(start, reply))).toEqual([cases.NotesResolved.make({ ids: [11, 13], by: 9, isLast: true })])
  })

  it("a reply to what is resolved is resolved", () => {
    expect(outcome(reply, behind(startThread, resolve))).toEqual([
      cases.NoteAdded.make({ ...written, position, isResolved: true })
    ])
  })

  it("replies are internal where the discussion is", () => {
    const internal = cases.NoteAdded.make({ ...written, isInternal: true, position, isResolved: false })
    expect(outcome(reply, behind({ ...startThread, isInternal: true }))).toEqual([internal])
  })

  it("the oldest note that is left begins it", () => {
    const state = behind(startThread, reply, { ...reply, id: 15 } as Command)
    expect(outcome(deleting(11), state)).toEqual([cases.NoteDeleted.make({ id: 11, by: 7, successorId: 13 })])
    expect(outcome(deleting(13), state)).toEqual([cases.NoteDeleted.make({ id: 13, by: 7 })])
    expect(outcome(deleting(15), behind(startThread))).toBe("NoteMissing")
  })

  it("what is so already stays", () => {
    expect(outcome(resolve, behind(startThread, resolve))).toEqual([])
    expect(outcome(resolving({ isResolved: false }), behind(startThread))).toEqual([])
    expect(outcome(resolving({ isResolved: false }), behind(startThread, resolve))).toEqual([
      cases.NotesReopened.make({ ids: [11], by: 9 })
    ])
  })

  it("all is resolved only by what resolves the last note", () => {
    const state = behind(startThread, reply)
    expect(outcome(resolving({ id: 13 }), state)).toEqual([cases.NotesResolved.make({ ids: [13], by: 9, isLast: false })])
    expect(outcome(resolving({ isLast: false }), state)).toEqual([
      cases.NotesResolved.make({ ids: [11, 13], by: 9, isLast: false })
    ])
  })

  it.each([[" \n"], ["x".repeat(1_000_001)]])("no text is blank or too long: %#", (body) => {
    expect(outcome({ ...start, body }, behind())).toBe("NoteInvalid")
    expect(outcome({ ...reply, body } as Command, behind(start))).toBe("NoteInvalid")
    expect(outcome({ _tag: "ChangeNote", id: 11, by: 7, body }, behind(start))).toBe("NoteInvalid")
  })

  it("a text may be long", () => {
    expect(outcome({ ...start, body: "😀".repeat(1_000_000) }, behind())).toHaveLength(1)
  })
})
