import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, issueAggregate } from "#src/issues/aggregate.ts"
import { type Attributes, IssueEvent, issueCodec } from "#src/issues/events.ts"
import { attributeFaults } from "#src/issues/faults.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { open } from "./samples.ts"

const id = fc.integer({ min: 1, max: 4 })
const ids = fc.uniqueArray(id, { maxLength: 3 })

const attributes: fc.Arbitrary<Attributes> = fc.record({
  title: fc.constantFrom("Uploads fail", "", "x".repeat(300)),
  description: fc.option(fc.string({ maxLength: 5 })),
  assigneeIds: ids,
  labelIds: ids,
  milestoneId: fc.option(id),
  dueDate: fc.option(fc.constantFrom("2026-01-01", "2026-12-31")),
  isConfidential: fc.boolean(),
  isDiscussionLocked: fc.option(fc.boolean())
})
const changes = fc.oneof(
  attributes,
  attributes.map(({ title }) => ({ title })),
  attributes.map(({ isDiscussionLocked, dueDate }) => ({ isDiscussionLocked, dueDate })),
  fc.constant({})
)

const { cases } = IssueEvent
const event: fc.Arbitrary<IssueEvent> = fc.oneof(
  fc
    .tuple(attributes, fc.record({ createdAt: fc.nat() }, { requiredKeys: [] }))
    .map(([some, more]) => cases.IssueOpened.make({ id: 76, authorId: 7, ...more, ...some })),
  changes.map((some) => cases.IssueChanged.make({ changes: some })),
  fc.record({ by: id, mergeRequestId: id }, { requiredKeys: ["by"] }).map((data) => cases.IssueClosed.make(data)),
  id.map((by) => cases.IssueReopened.make({ by })),
  fc.constant(cases.IssueDeleted.make({}))
)

const texts = attributes.map(({ dueDate, isDiscussionLocked, title }) => ({ dueDate, isDiscussionLocked, title }))
const labels = fc.record({ replaced: ids, added: ids, removed: ids }, { requiredKeys: ["added", "removed"] })
const updates: fc.Arbitrary<Command> = fc
  .record({ by: id, changes: texts, labels, transition: fc.constantFrom("close", "reopen") }, { requiredKeys: ["by", "changes"] })
  .map((data): Command => ({ _tag: "Update", ...data }))
const command: fc.Arbitrary<Command> = fc.oneof(
  attributes.map((some): Command => ({ ...open, attributes: some })),
  updates,
  fc.record({ by: id, mergeRequestId: id }).map((data): Command => ({ _tag: "CloseByMerge", ...data })),
  fc.constant<Command>({ _tag: "Delete" })
)

const fold = foldOf(issueAggregate)
const step = stepOf(issueAggregate)

describe("laws of issues", () => {
  itFoldsInParts(fold, event)
  itIsStored(issueCodec, event)

  it("a deleted issue stays deleted", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (later) => {
        expect(fold(later, { _tag: "Deleted" })).toEqual({ _tag: "Deleted" })
      })
    )
  })

  it("an update or a merge that was obeyed changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), command, (history, next) => {
        fc.pre(next._tag === "Update" || next._tag === "CloseByMerge")
        const state = fold(history)
        const first = issueAggregate.decide(next, state)
        fc.pre(Result.isSuccess(first))
        expect(issueAggregate.decide(next, fold(first.success, state))).toEqual(Result.succeed([]))
      })
    )
  })

  it("whatever commands come, nothing is wrong with the issue that they make", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 8 }), (commands) => {
        const state = commands.reduce(step, issueAggregate.initial)
        fc.pre(state._tag === "Present")
        expect(attributeFaults(state.issue.attributes)).toEqual([])
      })
    )
  })
})
