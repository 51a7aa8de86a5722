import { Equal, HashMap, Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { scheduleAggregate } from "#src/schedules/aggregate.ts"
import type { Command } from "#src/schedules/commands.ts"
import {
  DeactivationReason,
  type NextRun,
  RunRule,
  ScheduleEvent,
  type ScheduleSettings,
  scheduleCodec,
  type Variable
} from "#src/schedules/events.ts"
import type { State } from "#src/schedules/state.ts"
import { nextRunOf } from "#src/schedules/timing.ts"
import { foldOf, itFoldsInParts, itIsStored, stepOf } from "#test/support/aggregateLaws.ts"
import { create, minute, now } from "./samples.ts"

const text = fc.string({ maxLength: 4 })
const id = fc.integer({ min: 1, max: 4 })
const key = fc.constantFrom("A", "B", "C")
const at = fc.integer({ min: now, max: now + 400 * 24 * 60 * minute })

const settings: fc.Arbitrary<ScheduleSettings> = fc.record({
  description: fc.constantFrom("Nightly build", "Weekly build", ""),
  ref: fc.constantFrom("refs/heads/main", "refs/tags/v1"),
  cron: fc.constantFrom("0 1 * * *", "*/5 * * * *", "0 0 29 2 *", "nonsense"),
  cronTimezone: fc.constantFrom("UTC", "Berlin", "nowhere"),
  isActive: fc.boolean()
})
const changes = fc
  .tuple(settings, fc.array(fc.constantFrom("description", "cron", "isActive"), { maxLength: 3 }))
  .map(([{ cron, description, isActive }, names]) => ({
    ...(names.includes("description") && { description }),
    ...(names.includes("cron") && { cron }),
    ...(names.includes("isActive") && { isActive })
  }))
const variable: fc.Arbitrary<Variable> = fc.record({
  variableType: fc.constantFrom("env_var", "file"),
  value: text,
  raw: fc.boolean()
})
const nextRun: fc.Arbitrary<NextRun | null> = fc.option(fc.record({ at, reason: fc.constantFrom(...RunRule.literals) }))

const { cases } = ScheduleEvent
const event: fc.Arbitrary<ScheduleEvent> = fc.oneof(
  fc
    .record({ projectId: id, ownerId: id, settings, nextRun })
    .map(({ settings: set, ...data }) => cases.ScheduleCreated.make({ ...data, ...set })),
  fc.record({ changes, nextRun }, { requiredKeys: ["changes"] }).map((data) => cases.ScheduleChanged.make(data)),
  fc.record({ nextRun }).map((data) => cases.NextRunReckoned.make(data)),
  fc.record({ ownerId: id }).map((data) => cases.OwnershipTaken.make(data)),
  fc.record({ reason: fc.constantFrom(...DeactivationReason.literals) }).map((data) => cases.ScheduleDeactivated.make(data)),
  fc.record({ nextRunAt: fc.option(at) }, { requiredKeys: [] }).map((data) => cases.ScheduleDeleted.make(data)),
  fc.record({ key, variable }).map(({ key: name, variable: set }) => cases.VariableAdded.make({ key: name, ...set })),
  fc.record({ key, changes: fc.record({ value: text }) }).map((data) => cases.VariableChanged.make(data)),
  fc.record({ key }).map((data) => cases.VariableRemoved.make(data)),
  fc
    .record({ by: id, pipelineId: fc.option(id), message: text }, { requiredKeys: ["by", "pipelineId"] })
    .map((data) => cases.Played.make(data))
)

const command: fc.Arbitrary<Command> = fc.oneof(
  fc
    .record({ changes, now: at, planned: fc.option(at) })
    .map((data): Command => ({ _tag: "Change", minInterval: minute, ...data })),
  fc.record({ now: at }).map((data): Command => ({ _tag: "Reschedule", minInterval: minute, ...data })),
  fc.record({ by: id }).map((data): Command => ({ _tag: "TakeOwnership", ...data })),
  fc
    .record({ ownerId: id, reason: fc.constantFrom(...DeactivationReason.literals) })
    .map((data): Command => ({ _tag: "Deactivate", ...data })),
  fc.record({ key, variable }).map((data): Command => ({ _tag: "AddVariable", ...data })),
  fc.record({ key, changes: fc.record({ value: text }) }).map((data): Command => ({ _tag: "ChangeVariable", ...data })),
  fc.record({ key }).map((data): Command => ({ _tag: "RemoveVariable", ...data })),
  fc.record({ by: id, pipelineId: id }).map((data): Command => ({ _tag: "NotePlay", ...data })),
  { weight: 1, arbitrary: fc.constant<Command>({ _tag: "Delete" }) }
)

/** These are noted each time: a play runs each time, and what is added or removed is there or gone by then. */
const isRepeatable = ({ _tag }: Command): boolean => _tag === "Change" || _tag === "TakeOwnership" || _tag === "Deactivate"

describe("laws of schedules", () => {
  const { decide, initial } = scheduleAggregate
  const fold = foldOf(scheduleAggregate)
  const step = stepOf(scheduleAggregate)
  const stories = fc
    .tuple(settings, fc.array(command, { maxLength: 10 }))
    .map(([set, commands]) => commands.reduce(step, step(initial, { ...create, settings: set })))

  itFoldsInParts(fold, event)
  itIsStored(scheduleCodec, event)

  it("a deleted schedule stays deleted", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (later) => {
        expect(fold(later, { _tag: "Deleted" })).toEqual({ _tag: "Deleted" })
      })
    )
  })

  it("what is changed to is so: the same again changes nothing", () => {
    fc.assert(
      fc.property(stories, command.filter(isRepeatable), (state, given) => {
        const after = step(state, given)
        expect(step(after, given)).toEqual(after)
      })
    )
  })

  it("what was never valid is never there", () => {
    fc.assert(
      fc.property(stories, (state) => {
        const there = state._tag === "Present" ? [state.schedule] : []
        const wrong = there.filter(({ settings: set }) => nextRunOf(set, { now, minInterval: minute }) === null)
        expect([wrong, there.filter(({ settings: set }) => set.description === "")]).toEqual([[], []])
      })
    )
  })

  it("a change tells the next run where another one was planned, and says nothing where all is as it should be", () => {
    fc.assert(
      fc.property(stories, changes, at, fc.option(at), (state, given, when, planned) => {
        const timing = { now: when, minInterval: minute }
        const decided = decide({ _tag: "Change", changes: given, planned, ...timing }, state)
        const after = fold(
          Result.getOrElse(decided, () => []),
          state
        )
        if (Result.isFailure(decided) || after._tag !== "Present" || state._tag !== "Present") return
        const { settings: before } = state.schedule
        const { settings: behind } = after.schedule
        const isAhead = planned !== null && planned > when
        const isKept = planned !== null && before.cron === behind.cron && (isAhead || (before.isActive && behind.isActive))
        const [nextRun, [event]] = [nextRunOf(behind, timing), decided.success]
        const told = event?._tag === "ScheduleChanged" && event.nextRun !== undefined ? event.nextRun?.at : planned
        expect(told ?? null).toBe(isKept ? planned : (nextRun?.at ?? null))
        expect(event === undefined).toBe(told === planned && Equal.equals(after, state))
      })
    )
  })

  it("variables are those that were added and not removed since", () => {
    const named = fc.array(fc.tuple(fc.boolean(), key), { maxLength: 10 })
    const keysOf = (state: State) => (state._tag === "Present" ? [...HashMap.keys(state.schedule.variables)].toSorted() : [])
    fc.assert(
      fc.property(named, (steps) => {
        const expected = new Set<string>()
        const commands = steps.map(([isAdded, name]): Command => {
          if (isAdded) expected.add(name)
          else expected.delete(name)
          const sealed: Variable = { variableType: "file", value: "sealed", raw: false }
          return isAdded ? { _tag: "AddVariable", key: name, variable: sealed } : { _tag: "RemoveVariable", key: name }
        })
        expect(keysOf(commands.reduce(step, step(initial, create)))).toEqual([...expected].toSorted())
      })
    )
  })

  it("nothing is decided of what is not there", () => {
    fc.assert(
      fc.property(command, (given) => {
        expect([decide(given, initial)._tag, decide(given, { _tag: "Deleted" })._tag]).toEqual(["Failure", "Failure"])
      })
    )
  })
})
