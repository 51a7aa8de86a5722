import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { RunRule, SkipReason } from "#src/schedules/events.ts"
import { type Command, type State, slotAggregate } from "#src/schedules/slots/aggregate.ts"
import { SlotEvent, slotCodec } from "#src/schedules/slots/events.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"

const { cases } = SlotEvent
const { initial } = slotAggregate
const outcome = outcomeOf(slotAggregate)
const fold = foldOf(slotAggregate)
const step = stepOf(slotAggregate)

const minute = 60_000
const told = { nextRun: { at: 2 * minute, reason: "normal" }, scheduleRevision: 3 } as const
const slot = { scheduleId: 1, at: minute, rule: "normal", pipelineId: 7, ...told } as const
const skipped = { scheduleId: 1, slots: [minute], isCutShort: false, reason: "missed", ...told } as const
const end = { outcome: "failed", message: "Missing CI config file" } as const

const started = cases.SlotStarted.make(slot)
const ended = cases.SlotEnded.make(end)
const passed = cases.SlotsSkipped.make(skipped)

const nothing = { Start: [], Skip: [], End: [] }

describe("a slot", () => {
  itDecides<Command, State>(outcome, {
    commands: { Start: { _tag: "Start", slot }, Skip: { _tag: "Skip", skipped }, End: { _tag: "End", end } },
    states: { Open: initial, Started: { _tag: "Started", plan: told }, Over: { _tag: "Over", plan: told } },
    table: {
      Open: { ...nothing, Start: [started], Skip: [passed] },
      Started: { ...nothing, End: [ended] },
      Over: nothing
    }
  })

  it.each([
    ["nothing", "Open", []],
    ["its start", "Started", [started]],
    ["its end", "Over", [started, ended]],
    ["that it passed", "Over", [passed]]
  ] as const)("after %s is %s", (_, tag, events) => {
    const state = fold(events)
    expect(state._tag).toBe(tag)
    if (state._tag !== "Open") expect(state.plan).toMatchObject(told)
  })
})

const time = fc.integer({ min: 0, max: 9 }).map((count) => count * minute)
const plan = {
  nextRun: fc.option(fc.record({ at: time, reason: fc.constantFrom(...RunRule.literals) })),
  scheduleRevision: fc.nat(3)
}
const scheduleId = fc.constant(1)
const slots = fc.record(
  { scheduleId, at: time, rule: fc.constantFrom(...RunRule.literals), pipelineId: fc.nat(9), ...plan },
  { requiredKeys: ["scheduleId", "at", "rule", "pipelineId", "nextRun"] }
)
const ends = fc.record(
  { outcome: fc.constantFrom("created", "failed"), message: fc.string({ maxLength: 3 }) },
  { requiredKeys: ["outcome"] }
)
const skips = fc.record(
  {
    scheduleId,
    slots: fc.array(time, { maxLength: 3 }),
    isCutShort: fc.boolean(),
    lastAt: time,
    reason: fc.constantFrom(...SkipReason.literals),
    ...plan
  },
  { requiredKeys: ["scheduleId", "slots", "isCutShort", "reason", "nextRun"] }
)
const event: fc.Arbitrary<SlotEvent> = fc.oneof(
  slots.map((data) => cases.SlotStarted.make(data)),
  ends.map((data) => cases.SlotEnded.make(data)),
  skips.map((data) => cases.SlotsSkipped.make(data))
)
const command: fc.Arbitrary<Command> = fc.oneof(
  slots.map((data): Command => ({ _tag: "Start", slot: data })),
  ends.map((data): Command => ({ _tag: "End", end: data })),
  skips.map((data): Command => ({ _tag: "Skip", skipped: data }))
)
const commands = fc.array(command, { maxLength: 12 })

/** All events that commands lead to, one after the other. */
const eventsOf = (list: ReadonlyArray<Command>): ReadonlyArray<SlotEvent> => {
  const events: Array<SlotEvent> = []
  for (const each of list) events.push(...Result.getOrThrow(slotAggregate.decide(each, fold(events))))
  return events
}

describe("laws of slots", () => {
  itFoldsInParts(fold, event)
  itIsStored(slotCodec, event)

  it("a slot is started at most once or passes once, and nothing comes after its end, whatever comes in whatever order", () => {
    const lives = [[], ["SlotStarted"], ["SlotStarted", "SlotEnded"], ["SlotsSkipped"]].map((life) => life.join())
    fc.assert(
      fc.property(commands, (list) => {
        expect(lives).toContain(
          eventsOf(list)
            .map(({ _tag }) => _tag)
            .join()
        )
      })
    )
  })

  it("what is done already is not done again", () => {
    fc.assert(
      fc.property(commands, command, (list, last) => {
        const after = step(fold(eventsOf(list)), last)
        expect(slotAggregate.decide(last, after)).toEqual(Result.succeed([]))
      })
    )
  })

  it("what was told when it was started or passed stays, whatever events follow", () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 8 }), fc.array(event, { maxLength: 8 }), (events, later) => {
        const before = fold(events)
        const after = fold(later, before)
        if (before._tag !== "Open") expect(after).toMatchObject({ plan: before.plan })
        if (before._tag === "Over") expect(after).toEqual(before)
      })
    )
  })
})
