import { Result } from "effect"
import { describe, expect, it } from "vitest"
import {
  type Change,
  type Command,
  type Milestone,
  milestoneAggregate,
  type Refusal,
  type State
} from "#src/milestones/aggregate.ts"
import { MilestoneEvent as Event, type MilestoneEvent, type SettingsChanges } from "#src/milestones/events.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"
import { change, create, created, milestone, settings, states } from "./samples.ts"

const { decide } = milestoneAggregate
const event = Event.cases
const outcome = outcomeOf(milestoneAggregate)

type Expected = ReadonlyArray<MilestoneEvent> | Refusal["_tag"]

const commands: { readonly [Tag in Command["_tag"]]: Command } = { Create: create, Change: change, Delete: { _tag: "Delete" } }

const table: Record<State["_tag"], Record<Command["_tag"], Expected>> = {
  Absent: { Create: [created], Change: "MilestoneMissing", Delete: "MilestoneMissing" },
  Present: {
    Create: "MilestoneExists",
    Change: [event.MilestoneChanged.make({ changes: { title: "1.1" } })],
    Delete: [event.MilestoneDeleted.make({})]
  },
  Deleted: { Create: "MilestoneExists", Change: "MilestoneMissing", Delete: "MilestoneMissing" }
}

describe("every command in every state", () => {
  itDecides(outcome, { commands, states, table })
})

const present = (changed: Partial<Milestone> = {}): State => ({ _tag: "Present", milestone: { ...milestone, ...changed } })

const [closed, activated] = [event.MilestoneClosed.make({}), event.MilestoneActivated.make({})]

describe("states", () => {
  const table: Record<"active" | "closed", Record<"close" | "activate", ReadonlyArray<MilestoneEvent>>> = {
    active: { close: [closed], activate: [] },
    closed: { close: [], activate: [activated] }
  }

  it.each(["active", "closed"] as const)("%s", (state) => {
    const outcomeOn = (stateEvent: Change["stateEvent"]) =>
      outcome({ ...change, changes: {}, stateEvent }, present({ isActive: state === "active" }))
    expect({ close: outcomeOn("close"), activate: outcomeOn("activate") }).toEqual(table[state])
    expect(outcomeOn(null)).toEqual([])
  })

  it("change together with settings, or not at all", () => {
    const both: Change = { ...change, changes: { description: "d" }, stateEvent: "close" }
    expect(outcome(both, present())).toEqual([event.MilestoneChanged.make({ changes: { description: "d" } }), closed])
    expect(outcome({ ...both, changes: { title: "" } }, present())).toBe("MilestoneInvalid")
  })
})

const faults = (command: Command, state: State) =>
  Result.match(decide(command, state), {
    onFailure: (refusal) => (refusal._tag === "MilestoneInvalid" ? refusal.faults : refusal._tag),
    onSuccess: () => []
  })

describe("what is wrong with a milestone", () => {
  it.each<[SettingsChanges, ReadonlyArray<readonly [attribute: string, text: string]>]>([
    [{ title: "" }, [["title", "can't be blank"]]],
    [{ title: "x".repeat(255) }, []],
    [{ title: "x".repeat(256) }, [["title", "is too long (maximum is 255 characters)"]]],
    [{ dueDate: "2026-01-02" }, []],
    [{ dueDate: "2026-01-01" }, [["dueDate", "must be greater than start date"]]],
    [{ startDate: "2026-12-31" }, [["dueDate", "must be greater than start date"]]],
    [{ startDate: null, dueDate: "2000-01-01" }, []],
    [{ startDate: "2030-01-01", dueDate: null }, []]
  ])("%j", (wrong, expected) => {
    const told = expected.map(([attribute, text]) => ({ attribute, text }))
    expect(faults({ ...create, settings: { ...settings, ...wrong } }, states.Absent)).toEqual(told)
    expect(faults({ ...change, changes: wrong }, states.Present)).toEqual(told)
  })

  it("is a title that another one has, unless it stays", () => {
    const taken = [{ attribute: "title", text: "has already been taken" }]
    expect(faults({ ...create, titleTaken: true }, states.Absent)).toEqual(taken)
    expect(faults({ ...change, titleTaken: true }, states.Present)).toEqual(taken)
    expect(outcome({ ...change, changes: { title: "1.0" }, titleTaken: true }, states.Present)).toEqual([])
  })

  it("does not matter where nothing changes", () => {
    const state = present({ settings: { ...settings, title: "" } })
    expect(outcome({ ...change, changes: { title: "" }, stateEvent: "close" }, state)).toEqual([closed])
  })
})
