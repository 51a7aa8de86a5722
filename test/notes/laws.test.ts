import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { discussionAggregate } from "#src/notes/aggregate.ts"
import type { Command } from "#src/notes/commands.ts"
import { DiscussionEvent, discussionCodec } from "#src/notes/events.ts"
import { discussionKeyOf, discussionStream } from "#src/notes/ids.ts"
import { idsOf, type State } from "#src/notes/state.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { position, start, startThread } from "./samples.ts"

const id = fc.constantFrom(11, 13, 15, 17)
const ids = fc.uniqueArray(id, { maxLength: 3 })
const note = fc.record(
  { authorId: id, body: fc.string(), isInternal: fc.boolean(), position: fc.constantFrom(null, position), createdAt: fc.nat() },
  { requiredKeys: ["authorId", "body", "isInternal", "position"] }
)

const { cases } = DiscussionEvent
const event: fc.Arbitrary<DiscussionEvent> = fc.oneof(
  fc.tuple(id, fc.boolean(), note).map(([noteId, isThread, some]) => cases.DiscussionStarted.make({ noteId, isThread, ...some })),
  fc.tuple(id, fc.boolean(), note).map(([each, isResolved, some]) => cases.NoteAdded.make({ id: each, isResolved, ...some })),
  id.map((each) => cases.NoteBecameThread.make({ id: each })),
  fc.record({ id, by: id, body: fc.string() }).map((data) => cases.NoteChanged.make(data)),
  fc.record({ id, by: id, successorId: id }, { requiredKeys: ["id", "by"] }).map((data) => cases.NoteDeleted.make(data)),
  fc.record({ ids, by: id, isLast: fc.boolean() }).map((data) => cases.NotesResolved.make(data)),
  fc.record({ ids, by: id }).map((data) => cases.NotesReopened.make(data))
)

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.constantFrom<Command>(start, startThread),
  id.map((each): Command => ({ _tag: "Reply", id: each, authorId: 8, body: "Thanks.", createdAt: undefined })),
  id.map((each): Command => ({ _tag: "ChangeNote", id: each, by: 7, body: "Looks better." })),
  id.map((each): Command => ({ _tag: "DeleteNote", id: each, by: 7 })),
  fc
    .record({ id: fc.option(id, { nil: undefined }), isResolved: fc.boolean(), isLast: fc.boolean() })
    .map((data): Command => ({ _tag: "Resolve", by: 9, ...data }))
)

const fold = foldOf(discussionAggregate)
const step = stepOf(discussionAggregate)
const behind = (commands: ReadonlyArray<Command>): State => commands.reduce(step, discussionAggregate.initial)

itFoldsInParts(fold, event)
itIsStored(discussionCodec, event)

describe("whatever is commanded", () => {
  const histories = fc.array(command, { maxLength: 12 })

  it("what waits to be resolved is counted", () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const state = behind(commands)
        if (state._tag === "Present") expect(state.discussion.unresolved).toBe(idsOf(state.discussion, false).length)
      })
    )
  })

  it("a discussion begins with a note that it has", () => {
    fc.assert(
      fc.property(histories, (commands) => {
        const state = behind(commands)
        if (state._tag !== "Present") return
        const { discussion } = state
        expect([...idsOf(discussion, false), ...idsOf(discussion, true)]).toContain(discussion.firstId)
      })
    )
  })

  it("what is resolved again stays as it is, and what has ended stays so", () => {
    fc.assert(
      fc.property(histories, command, (before, next) => {
        const state = behind(before)
        const after = step(state, next)
        if (state._tag === "Ended") expect(after).toEqual(state)
        const again = discussionAggregate.decide(next, after)
        if (next._tag === "Resolve" && Result.isSuccess(again)) expect(again.success).toEqual([])
      })
    )
  })
})

it("streams name discussions", () => {
  const key = { type: "mergeRequest", projectId: 4, iid: 14, rootId: 11 } as const
  expect(discussionStream(key)).toBe("discussion-mergeRequest-4-14-11")
  expect(discussionKeyOf(discussionStream(key))).toEqual(key)
  const ofIssue = { ...key, type: "issue" } as const
  expect(discussionKeyOf(discussionStream(ofIssue))).toEqual(ofIssue)
  expect(["discussion-epic-4-14-11", "discussion-mergeRequest-4-14-", "mergeRequest-4-14"].map(discussionKeyOf)).toEqual([
    undefined,
    undefined,
    undefined
  ])
})
