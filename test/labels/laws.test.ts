import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Command, labelAggregate } from "#src/labels/aggregate.ts"
import { LabelEvent, type LabelSettings, labelCodec, type SettingsChanges } from "#src/labels/events.ts"
import { settingsFaults } from "#src/labels/faults.ts"
import type { Parent } from "#src/parents/Parent.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { create } from "./samples.ts"

const { decide, initial } = labelAggregate

const settings: fc.Arbitrary<LabelSettings> = fc.record({
  title: fc.constantFrom("bug", "defect", "", "a,b"),
  description: fc.option(fc.string({ maxLength: 4 })),
  color: fc.constantFrom("#D9534F", "#abc", "red"),
  priority: fc.option(fc.integer({ min: -1, max: 3 }))
})
const changes: fc.Arbitrary<SettingsChanges> = fc.oneof(
  settings,
  settings.map(({ title }) => ({ title })),
  fc.constant({})
)
const parent: fc.Arbitrary<Parent> = fc.record({ kind: fc.constantFrom("project", "group"), id: fc.integer({ min: 1 }) })

const { cases } = LabelEvent
const event: fc.Arbitrary<LabelEvent> = fc.oneof(
  fc.record({ parent, settings }).map((data) => cases.LabelCreated.make(data)),
  changes.map((changed) => cases.LabelChanged.make({ changes: changed })),
  fc.constant(cases.LabelDeleted.make({}))
)
const events = fc.array(event, { maxLength: 8 })

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ settings, titleTaken: fc.boolean() }).map((input): Command => ({ ...create, ...input })),
  fc.record({ changes, titleTaken: fc.boolean() }).map((input): Command => ({ _tag: "Change", ...input })),
  fc.constant<Command>({ _tag: "Delete" })
)

const fold = foldOf(labelAggregate)
const step = stepOf(labelAggregate)

describe("laws of labels", () => {
  itFoldsInParts(fold, event)
  itIsStored(labelCodec, event)

  it("a deleted label stays deleted", () => {
    fc.assert(
      fc.property(events, (later) => {
        expect(fold(later, { _tag: "Deleted" })).toEqual({ _tag: "Deleted" })
      })
    )
  })

  it("a change that was made changes nothing the second time", () => {
    fc.assert(
      fc.property(events, changes, (history, requested) => {
        const change: Command = { _tag: "Change", changes: requested, titleTaken: false }
        const state = fold(history)
        const first = decide(change, state)
        fc.pre(Result.isSuccess(first))
        expect(decide(change, fold(first.success, state))).toEqual(Result.succeed([]))
      })
    )
  })

  it("whatever commands come, nothing is wrong with the label that they make, and it stays with its parent", () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 8 }), (commands) => {
        const state = commands.reduce(step, initial)
        fc.pre(state._tag === "Present")
        expect([settingsFaults(state.label.settings), state.label.parent]).toEqual([[], create.parent])
      })
    )
  })
})
