import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type Command,
  ImportNotUnderWay,
  ImportUnderWay,
  importAggregate,
  type Refusal,
  type State
} from "#src/imports/aggregate.ts"
import { ImportEvent, importCodec } from "#src/imports/events.ts"
import { importIdOf, importStream } from "#src/imports/ids.ts"
import { foldOf, itFoldsInParts, itIsStored } from "#test/support/aggregateLaws.ts"

const { decide, initial } = importAggregate

const source = { url: "https://example.com/a.git", credentials: null }
const { cases } = ImportEvent

const states: Record<State["_tag"], State> = {
  Absent: initial,
  Scheduled: { _tag: "Scheduled", source },
  Started: { _tag: "Started", source, percent: 40 },
  Finished: { _tag: "Finished" },
  Failed: { _tag: "Failed" },
  Cancelled: { _tag: "Cancelled" }
}
const commands: Record<Command["_tag"], Command> = {
  Schedule: { _tag: "Schedule", source },
  Start: { _tag: "Start" },
  Progress: { _tag: "Progress", percent: 50 },
  Finish: { _tag: "Finish", branches: 2, tags: 1 },
  Fail: { _tag: "Fail", reason: "No" },
  Cancel: { _tag: "Cancel" }
}

const scheduled = [cases.ImportScheduled.make({ source })]
const started = [cases.ImportStarted.make({})]
const progressed = [cases.ImportProgressed.make({ percent: 50 })]
const finished = [cases.ImportFinished.make({ branches: 2, tags: 1 })]
const failed = [cases.ImportFailed.make({ reason: "No" })]
const cancelled = [cases.ImportCancelled.make({})]
const over = new ImportNotUnderWay()
const notUnderWay = { Start: over, Progress: over, Finish: over, Fail: over, Cancel: over }

type Expected = ReadonlyArray<ImportEvent> | Refusal
const table: Record<State["_tag"], Record<Command["_tag"], Expected>> = {
  Absent: { Schedule: scheduled, ...notUnderWay },
  Scheduled: {
    Schedule: new ImportUnderWay(),
    Start: started,
    Progress: [],
    Finish: finished,
    Fail: failed,
    Cancel: cancelled
  },
  Started: {
    Schedule: new ImportUnderWay(),
    Start: [],
    Progress: progressed,
    Finish: finished,
    Fail: failed,
    Cancel: cancelled
  },
  Finished: { Schedule: scheduled, ...notUnderWay },
  Failed: { Schedule: scheduled, ...notUnderWay },
  Cancelled: { Schedule: over, ...notUnderWay }
}

describe.each(Object.values(states))("an import that is $_tag", (state) => {
  it.each(Object.values(commands))("$_tag", (command) => {
    const expected = table[state._tag][command._tag]
    expect(decide(command, state)).toEqual(Array.isArray(expected) ? Result.succeed(expected) : Result.fail(expected))
  })
})

it("progress never goes back", () => {
  expect(decide({ _tag: "Progress", percent: 40 }, states.Started)).toEqual(Result.succeed([]))
})

const text = fc.string({ maxLength: 6 })
const event: fc.Arbitrary<ImportEvent> = fc.oneof(
  fc.record({ url: fc.option(text), credentials: fc.option(text) }).map((given) => cases.ImportScheduled.make({ source: given })),
  fc.constantFrom<ImportEvent>(...started, ...cancelled),
  fc.nat(100).map((percent) => cases.ImportProgressed.make({ percent })),
  fc.record({ branches: fc.nat(9), tags: fc.nat(9) }).map((counts) => cases.ImportFinished.make(counts)),
  text.map((reason) => cases.ImportFailed.make({ reason }))
)
const events = fc.array(event, { maxLength: 8 })
const fold = foldOf(importAggregate)

describe("laws of imports", () => {
  itFoldsInParts(fold, event)

  it("a cancelled import stays cancelled", () => {
    fc.assert(
      fc.property(events, events, (first, second) => {
        const before = fold([...scheduled, ...first, ...cancelled])
        fc.pre(before._tag === "Cancelled")
        expect(fold(second, before)).toEqual(before)
      })
    )
  })

  it("what is over refuses everything but a new schedule", () => {
    fc.assert(
      fc.property(events, fc.constantFrom(...Object.values(commands)), (history, command) => {
        const state = fold(history)
        fc.pre(state._tag !== "Scheduled" && state._tag !== "Started" && command._tag !== "Schedule")
        expect(Result.isFailure(decide(command, state))).toBe(true)
      })
    )
  })

  itIsStored(importCodec, event)
})

it.each([
  [importStream(7), 7],
  ["import-", undefined],
  ["import-x", undefined],
  ["project-7", undefined]
])("the stream %s is that of project %s", (stream, id) => {
  expect(importIdOf(stream)).toBe(id)
})
