import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, milestoneAggregate } from "#src/milestones/aggregate.ts"
import { MilestoneEvent, type MilestoneSettings, milestoneCodec, type SettingsChanges } from "#src/milestones/events.ts"
import { settingsFaults } from "#src/milestones/faults.ts"
import type { Parent } from "#src/parents/Parent.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { create } from "./samples.ts"

const { decide, initial } = milestoneAggregate

const day = fc.option(fc.constantFrom("2026-01-01", "2026-01-02", "2026-12-31"))
const settings: fc.Arbitrary<MilestoneSettings> = fc.record({
  title: fc.constantFrom("1.0", "1.1", ""),
  description: fc.option(fc.string({ maxLength: 4 })),
  startDate: day,
  dueDate: day
})
const changes: fc.Arbitrary<SettingsChanges> = fc.oneof(
  settings,
  settings.map(({ title }) => ({ title })),
  settings.map(({ dueDate }) => ({ dueDate })),
  fc.constant({})
)
const stateEvent = fc.constantFrom("close", "activate", null)
const parent: fc.Arbitrary<Parent> = fc.record({ kind: fc.constantFrom("project", "group"), id: fc.integer({ min: 1 }) })

const { cases } = MilestoneEvent
const event: fc.Arbitrary<MilestoneEvent> = fc.oneof(
  fc.record({ parent, iid: fc.integer({ min: 1 }), settings }).map((data) => cases.MilestoneCreated.make(data)),
  changes.map((changed) => cases.MilestoneChanged.make({ changes: changed })),
  fc.constantFrom(cases.MilestoneClosed.make({}), cases.MilestoneActivated.make({}), cases.MilestoneDeleted.make({}))
)
const events = fc.array(event, { maxLength: 8 })

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ settings, titleTaken: fc.boolean() }).map((input): Command => ({ ...create, ...input })),
  fc.record({ changes, stateEvent, titleTaken: fc.boolean() }).map((input): Command => ({ _tag: "Change", ...input })),
  fc.constant<Command>({ _tag: "Delete" })
)

const fold = foldOf(milestoneAggregate)
const step = stepOf(milestoneAggregate)

describe("laws of milestones", () => {
  itFoldsInParts(fold, event)
  itIsStored(milestoneCodec, event)

  it("a deleted milestone stays deleted", () => {
    fc.assert(
      fc.property(events, (later) => {
        expect(fold(later, { _tag: "Deleted" })).toEqual({ _tag: "Deleted" })
      })
    )
  })

  it("a change that was made changes nothing the second time", () => {
    fc.assert(
      fc.property(events, changes, stateEvent, (history, requested, requestedState) => {
        const change: Command = { _tag: "Change", changes: requested, stateEvent: requestedState, titleTaken: false }
        const state = fold(history)
        const first = decide(change, state)
        fc.pre(Result.isSuccess(first))
        expect(decide(change, fold(first.success, state))).toEqual(Result.succeed([]))
      })
    )
  })

  it("whatever commands come, nothing is wrong with the milestone that they make, and it stays with its parent", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 8 }), (commands) => {
        const state = commands.reduce(step, initial)
        fc.pre(state._tag === "Present")
        expect([settingsFaults(state.milestone.settings), state.milestone.parent]).toEqual([[], create.parent])
      })
    )
  })
})
