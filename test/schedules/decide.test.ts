import { describe, expect, it } from "vitest"
import { scheduleAggregate } from "#src/schedules/aggregate.ts"
import type { Change, Command, Refusal } from "#src/schedules/commands.ts"
import { ScheduleEvent, type SettingsChanges } from "#src/schedules/events.ts"
import type { State } from "#src/schedules/state.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"
import { faultTextsOf } from "./faultTextsOf.ts"
import { create, created, minute, nextRun, now, settings, stateBehind, variable } from "./samples.ts"

const { cases } = ScheduleEvent
const outcome = outcomeOf(scheduleAggregate)

const changing = (changes: SettingsChanges, at = now, planned: number | null = nextRun.at): Change => ({
  _tag: "Change",
  changes,
  planned,
  now: at,
  minInterval: minute
})

const commands: { readonly [Tag in Command["_tag"]]: Command } = {
  Create: create,
  Change: changing({ description: "Weekly build", cron: "0 1 * * 5" }),
  Reschedule: { _tag: "Reschedule", now: nextRun.at, minInterval: minute },
  TakeOwnership: { _tag: "TakeOwnership", by: 8 },
  Deactivate: { _tag: "Deactivate", ownerId: 7, reason: "owner_blocked" },
  AddVariable: { _tag: "AddVariable", key: "OTHER", variable },
  ChangeVariable: { _tag: "ChangeVariable", key: "KEY", changes: { value: "sealed anew" } },
  RemoveVariable: { _tag: "RemoveVariable", key: "KEY" },
  NotePlay: { _tag: "NotePlay", by: 8, pipelineId: 5 },
  Delete: { _tag: "Delete" }
}

const adding: Command = { _tag: "AddVariable", key: "KEY", variable }

const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Present: stateBehind(create, adding),
  Deleted: { _tag: "Deleted" }
}

type Expected = ReadonlyArray<ScheduleEvent> | Refusal["_tag"]

const missing: Record<Command["_tag"], Expected> = {
  Create: "ScheduleExists",
  Change: "ScheduleMissing",
  Reschedule: "ScheduleMissing",
  TakeOwnership: "ScheduleMissing",
  Deactivate: "ScheduleMissing",
  AddVariable: "ScheduleMissing",
  ChangeVariable: "ScheduleMissing",
  RemoveVariable: "ScheduleMissing",
  NotePlay: "ScheduleMissing",
  Delete: "ScheduleMissing"
}

/** The second run, on a Friday. */
const friday = { at: Date.UTC(2024, 8, 20, 1), reason: "normal" } as const

const table: Record<State["_tag"], Record<Command["_tag"], Expected>> = {
  Absent: { ...missing, Create: [created] },
  Present: {
    Create: "ScheduleExists",
    Change: [cases.ScheduleChanged.make({ changes: { description: "Weekly build", cron: "0 1 * * 5" }, nextRun: friday })],
    Reschedule: [cases.NextRunReckoned.make({ nextRun: friday })],
    TakeOwnership: [cases.OwnershipTaken.make({ ownerId: 8 })],
    Deactivate: [cases.ScheduleDeactivated.make({ reason: "owner_blocked" })],
    AddVariable: [cases.VariableAdded.make({ key: "OTHER", ...variable })],
    ChangeVariable: [cases.VariableChanged.make({ key: "KEY", changes: { value: "sealed anew" } })],
    RemoveVariable: [cases.VariableRemoved.make({ key: "KEY" })],
    NotePlay: [cases.Played.make({ by: 8, pipelineId: 5 })],
    Delete: [cases.ScheduleDeleted.make({})]
  },
  Deleted: missing
}

describe("every command in every state", () => {
  itDecides(outcome, { commands, states, table })
})

describe("a change", () => {
  const behind = (changes: SettingsChanges = {}) => stateBehind({ ...create, settings: { ...settings, ...changes } })

  it("holds only what differs, and the next run where that does", () => {
    const described = changing({ ...settings, description: "Other" })
    expect(outcome(described, behind())).toEqual([cases.ScheduleChanged.make({ changes: { description: "Other" } })])
    const zoned = outcome(changing({ cronTimezone: "Etc/UTC", ref: "refs/tags/v1" }), behind())
    expect(zoned).toEqual([cases.ScheduleChanged.make({ changes: { cronTimezone: "Etc/UTC", ref: "refs/tags/v1" } })])
  })

  it("that changes nothing is none", () => {
    expect([outcome(changing({}), behind()), outcome(changing(settings), behind())]).toEqual([[], []])
  })

  it.each([nextRun.at, nextRun.at + minute])("plans anew what was planned for a time that has passed: %i", (at) => {
    const inactive = behind({ isActive: false })
    expect(outcome(changing({}, at), inactive)).toEqual([cases.ScheduleChanged.make({ changes: {}, nextRun: friday })])
    const rows: ReadonlyArray<readonly [SettingsChanges, State]> = [
      [{ description: "Other" }, inactive],
      [{ isActive: true }, inactive],
      [{ isActive: false }, behind()],
      [{ cronTimezone: "Etc/UTC" }, behind()]
    ]
    for (const [changes, state] of rows) {
      expect(outcome(changing(changes, at), state)).toEqual([cases.ScheduleChanged.make({ changes, nextRun: friday })])
    }
  })

  it("brings back no run that another process started, whose clock is ahead", () => {
    expect(outcome(changing({}, nextRun.at - 1, friday.at), behind())).toEqual([])
    expect(outcome(changing({ description: "Other" }, nextRun.at - 1, friday.at), behind())).toEqual([
      cases.ScheduleChanged.make({ changes: { description: "Other" } })
    ])
    const changes = { cronTimezone: "Etc/UTC" }
    expect(outcome(changing(changes, nextRun.at - 1, friday.at), behind())).toEqual([
      cases.ScheduleChanged.make({ changes, nextRun })
    ])
  })

  it("takes away no run that is due", () => {
    const changes = { description: "Other", ref: "refs/tags/v1" }
    expect(outcome(changing({}, nextRun.at), behind())).toEqual([])
    expect(outcome(changing(changes, nextRun.at), behind())).toEqual([cases.ScheduleChanged.make({ changes })])
  })

  it("leaves what the slots have planned since", () => {
    expect(outcome(changing({}, nextRun.at, friday.at), behind())).toEqual([])
    expect(outcome(changing({ isActive: false }, nextRun.at, friday.at), behind())).toEqual([
      cases.ScheduleChanged.make({ changes: { isActive: false } })
    ])
  })

  it("plans a run where there was none", () => {
    expect(outcome(changing({}, now, null), behind())).toEqual([cases.ScheduleChanged.make({ changes: {}, nextRun })])
  })

  it("that is refused changes nothing, whatever else is in it", () => {
    expect(outcome(changing({ description: "Other", cron: "nonsense" }), behind())).toBe("ScheduleInvalid")
  })

  it("of a schedule whose zone is not known any more is refused until it has another one", () => {
    const old = scheduleAggregate.evolve(scheduleAggregate.initial, { ...created, cronTimezone: "Mars/Phobos" })
    expect(outcome(changing({ description: "Other" }), old)).toBe("ScheduleInvalid")
    expect(outcome(changing({ cronTimezone: "UTC" }), old)).toEqual([
      cases.ScheduleChanged.make({ changes: { cronTimezone: "UTC" } })
    ])
  })
})

describe("what runs", () => {
  it("runs next after now, in its zone; also while it is not active", () => {
    const inactive = { ...settings, isActive: false, cron: "30 2 * * *", cronTimezone: "Asia/Kolkata" }
    expect(outcome({ ...create, settings: inactive }, states.Absent)).toEqual([
      { ...created, ...inactive, nextRun: { at: Date.UTC(2024, 8, 18, 21), reason: "normal" } }
    ])
  })

  it("runs no closer than the least interval", () => {
    const hourly = { ...create, settings: { ...settings, cron: "* * * * *" }, minInterval: 60 * minute }
    const first = { at: Date.UTC(2024, 8, 18, 11), reason: "normal" } as const
    expect(outcome(hourly, states.Absent)).toEqual([{ ...created, cron: "* * * * *", nextRun: first }])
  })

  it("is active again only when somebody says so", () => {
    const deactivated = stateBehind(create, commands.Deactivate)
    expect(outcome(commands.Deactivate, deactivated)).toEqual([])
    expect(outcome(commands.TakeOwnership, deactivated)).toEqual([cases.OwnershipTaken.make({ ownerId: 8 })])
    expect(outcome(changing({ isActive: true }), deactivated)).toEqual([
      cases.ScheduleChanged.make({ changes: { isActive: true } })
    ])
  })
})

describe("an owner", () => {
  it("who has it already takes nothing", () => {
    expect(outcome({ _tag: "TakeOwnership", by: 7 }, states.Present)).toEqual([])
  })

  it("who is gone leaves alone what another one has by now", () => {
    expect(outcome(commands.Deactivate, stateBehind(create, commands.TakeOwnership))).toEqual([])
  })
})

describe("a variable", () => {
  it("may have a key once", () => {
    expect(faultTextsOf(adding, states.Present)).toEqual({ key: ["has already been taken"] })
    const lower = { ...adding, key: "key" }
    expect(outcome(lower, states.Present)).toEqual([cases.VariableAdded.make({ key: "key", ...variable })])
    const again = stateBehind(create, adding, commands.RemoveVariable)
    expect(outcome(adding, again)).toEqual([cases.VariableAdded.make({ key: "KEY", ...variable })])
  })

  it("that is as it should be stays", () => {
    const same = { _tag: "ChangeVariable", key: "KEY", changes: { variableType: "env_var" } } as const
    expect([outcome(same, states.Present), outcome({ ...same, changes: {} }, states.Present)]).toEqual([[], []])
    expect(outcome({ ...same, changes: { variableType: "file" } }, states.Present)).toEqual([
      cases.VariableChanged.make({ key: "KEY", changes: { variableType: "file" } })
    ])
  })

  it.each<Command>([
    { _tag: "ChangeVariable", key: "key", changes: {} },
    { _tag: "RemoveVariable", key: "key" }
  ])("that is not there cannot be changed: $_tag", (command) => {
    expect(outcome(command, states.Present)).toBe("VariableMissing")
  })
})

describe("what is wrong is told at once", () => {
  const blank = "can't be blank"
  const wrong = "syntax is invalid"
  const rows: ReadonlyArray<readonly [SettingsChanges, Readonly<Record<string, ReadonlyArray<string>>>]> = [
    [{ cron: "every day" }, { cron: [wrong] }],
    [{ cron: "" }, { cron: [wrong, blank] }],
    [{ cron: "0 0 31 2 *" }, { cron: [wrong] }],
    [{ cronTimezone: "Mars/Phobos" }, { cronTimezone: [wrong] }],
    [{ cronTimezone: " " }, { cronTimezone: [blank] }],
    [{ description: "\u00a0" }, { description: [blank] }],
    [
      { description: "", cronTimezone: "PST", cron: "@daily" },
      { cron: [wrong], cronTimezone: [wrong], description: [blank] }
    ]
  ]

  it.each(rows)("%o", (changes, texts) => {
    expect(faultTextsOf({ ...create, settings: { ...settings, ...changes } }, states.Absent)).toEqual(texts)
    expect(faultTextsOf(changing(changes), states.Present)).toEqual(texts)
  })

  it("with the limit, of new ones", () => {
    const full = { ...create, reachedLimit: 10 }
    const base = ["Maximum number of ci pipeline schedules (10) exceeded"]
    expect(faultTextsOf(full, states.Absent)).toEqual({ base })
    expect(faultTextsOf({ ...full, settings: { ...settings, cron: "x" } }, states.Absent)).toEqual({ base, cron: [wrong] })
  })

  const characters = "can contain only letters, digits and '_'."
  const tooLong = "is too long (maximum is 255 characters)"
  it.each([
    ["", [blank, characters]],
    ["a-b", [characters]],
    ["Ä", [characters]],
    ["a\n", [characters]],
    ["x".repeat(256), [tooLong]],
    ["💥".repeat(256), [tooLong, characters]]
  ])("of the key %j", (key, texts) => {
    expect(faultTextsOf({ _tag: "AddVariable", key, variable }, states.Present)).toEqual({ key: texts })
  })

  it("of no key of 255 characters", () => {
    const key = "x".repeat(255)
    expect(outcome({ _tag: "AddVariable", key, variable }, states.Present)).toEqual([
      cases.VariableAdded.make({ key, ...variable })
    ])
  })
})
