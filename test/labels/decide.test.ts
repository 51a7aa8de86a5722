import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { type Command, labelAggregate, type Refusal, type State } from "#src/labels/aggregate.ts"
import { LabelEvent as Event, type LabelEvent, type SettingsChanges } from "#src/labels/events.ts"
import { itDecides, outcomeOf } from "#test/support/decisions.ts"
import { change, create, created, label, settings, states } from "./samples.ts"

const { decide } = labelAggregate
const event = Event.cases
const outcome = outcomeOf(labelAggregate)

type Expected = ReadonlyArray<LabelEvent> | Refusal["_tag"]

const commands: { readonly [Tag in Command["_tag"]]: Command } = { Create: create, Change: change, Delete: { _tag: "Delete" } }

const table: Record<State["_tag"], Record<Command["_tag"], Expected>> = {
  Absent: { Create: [created], Change: "LabelMissing", Delete: "LabelMissing" },
  Present: {
    Create: "LabelExists",
    Change: [event.LabelChanged.make({ changes: { title: "defect" } })],
    Delete: [event.LabelDeleted.make({})]
  },
  Deleted: { Create: "LabelExists", Change: "LabelMissing", Delete: "LabelMissing" }
}

describe("every command in every state", () => {
  itDecides(outcome, { commands, states, table })
})

const faults = (command: Command, state: State) =>
  Result.match(decide(command, state), {
    onFailure: (refusal) => (refusal._tag === "LabelInvalid" ? refusal.faults : refusal._tag),
    onSuccess: () => []
  })

const tooLong = "is too long (maximum is 255 characters)"

describe("what is wrong with a label", () => {
  it.each<[SettingsChanges, ReadonlyArray<readonly [attribute: string, text: string]>]>([
    [
      { title: "" },
      [
        ["title", "can't be blank"],
        ["title", "is invalid"]
      ]
    ],
    [{ title: "a,b" }, [["title", "is invalid"]]],
    [{ title: "x".repeat(255) }, []],
    [{ title: "😀".repeat(255) }, []],
    [{ title: "x".repeat(256) }, [["title", tooLong]]],
    [{ color: "#abc" }, []],
    [{ color: "#AaBb09" }, []],
    [{ color: "" }, [["color", "must be a valid color code"]]],
    [{ color: "red" }, [["color", "must be a valid color code"]]],
    [{ color: "#abcd" }, [["color", "must be a valid color code"]]],
    [{ color: "#abcdef0" }, [["color", "must be a valid color code"]]],
    [{ color: "#ggg" }, [["color", "must be a valid color code"]]],
    [{ priority: 0 }, []],
    [{ priority: -1 }, [["priority", "must be greater than or equal to 0"]]],
    [
      { title: "a,b", color: "#", priority: -1 },
      [
        ["title", "is invalid"],
        ["color", "must be a valid color code"],
        ["priority", "must be greater than or equal to 0"]
      ]
    ]
  ])("%j", (wrong, expected) => {
    const told = expected.map(([attribute, text]) => ({ attribute, text }))
    expect(faults({ ...create, settings: { ...settings, ...wrong } }, states.Absent)).toEqual(told)
    expect(faults({ ...change, changes: wrong }, states.Present)).toEqual(told)
  })

  it("is told of a new one only where its title is free", () => {
    expect(faults({ ...create, settings: { ...settings, color: "" }, titleTaken: true }, states.Absent)).toEqual("TitleTaken")
  })
})

describe("a change", () => {
  const present = (changed: SettingsChanges = {}): State => ({
    _tag: "Present",
    label: { ...label, settings: { ...settings, ...changed } }
  })

  it.each<[string, SettingsChanges, ReadonlyArray<LabelEvent>]>([
    ["nothing", {}, []],
    ["what is there already", settings, []],
    ["one of several", { ...settings, description: "d" }, [event.LabelChanged.make({ changes: { description: "d" } })]]
  ])("of %s", (_, changes, expected) => {
    expect(outcome({ ...change, changes }, present())).toEqual(expected)
  })

  it("is refused for a title that another label has, unless it stays", () => {
    expect(faults({ ...change, titleTaken: true }, present())).toEqual([{ attribute: "title", text: "has already been taken" }])
    expect(outcome({ ...change, changes: { title: "bug" }, titleTaken: true }, present())).toEqual([])
  })

  it("validates only what changes", () => {
    const changes = { title: "a,b", color: "#000" }
    expect(outcome({ ...change, changes }, present({ title: "a,b" }))).toEqual([
      event.LabelChanged.make({ changes: { color: "#000" } })
    ])
  })
})
