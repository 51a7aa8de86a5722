import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { PushQuestion } from "#src/git/http/push/HookDialogue.ts"
import { type GitEnd, isOver, next, type Outcome, type PushEvent, type PushPhase, waiting } from "#src/git/http/push/machine.ts"
import { BodyRefused } from "#src/git/http/requestBody.ts"
import { TooBusy } from "#src/platform/work/FairQueue.ts"

type PhaseTag = PushPhase["_tag"]
type EventTag = PushEvent["_tag"]

const updates = ["refs/heads/a", "refs/heads/b"].map((ref) => ({ ref, before: null, after: "1".repeat(40) }))
const question: PushQuestion = { updates, options: ["x"], quarantine: "q" }
const fault = new BodyRefused({ status: 413, text: "Too much." })
const end: GitEnd = {
  status: 0,
  stderr: "",
  shortage: undefined,
  exceeded: undefined,
  reported: new Set(["refs/heads/a"]),
  isAnswered: false
}
const outcome: Outcome = { refusals: new Map(), lines: [] }
const noted = { repository: { path: "/1.git" }, notes: 1, losses: 0 }
const moves = { question, updates, noted, refusals: new Map() }

const phases: { readonly [Tag in PhaseTag]: Extract<PushPhase, { readonly _tag: Tag }> } = {
  Waiting: { _tag: "Waiting" },
  ReadingCommands: { _tag: "ReadingCommands" },
  Receiving: { _tag: "Receiving", isAtomic: false },
  ReadingRest: { _tag: "ReadingRest", isAtomic: false, question },
  Checking: { _tag: "Checking", isAtomic: false },
  Judging: { _tag: "Judging", isAtomic: false, question },
  Locking: { _tag: "Locking", question, refusals: new Map() },
  Moving: { _tag: "Moving", ...moves },
  Halting: { _tag: "Halting", ...moves },
  Recording: { _tag: "Recording", ...moves, end },
  Refusing: { _tag: "Refusing", outcome },
  Stopping: { _tag: "Stopping", outcome, isBodyOver: false },
  Reporting: { _tag: "Reporting", outcome, end },
  Done: { _tag: "Done", end },
  Failed: { _tag: "Failed", error: fault }
}

const events: { readonly [Tag in EventTag]: Extract<PushEvent, { readonly _tag: Tag }> } = {
  Admitted: { _tag: "Admitted" },
  TurnedAway: { _tag: "TurnedAway" },
  CommandsRead: { _tag: "CommandsRead", isAtomic: false },
  PermissionRequested: { _tag: "PermissionRequested", question },
  BodyEnded: { _tag: "BodyEnded" },
  BodyRefused: { _tag: "BodyRefused", fault },
  GitEnded: { _tag: "GitEnded", end },
  Judged: { _tag: "Judged", refusals: new Map() },
  Locked: { _tag: "Locked", updates, noted },
  NotJudged: { _tag: "NotJudged" },
  Recorded: { _tag: "Recorded", lines: [], unrecorded: new Map() },
  Reported: { _tag: "Reported" },
  HungUp: { _tag: "HungUp" },
  TimeExceeded: { _tag: "TimeExceeded" },
  SpaceExceeded: { _tag: "SpaceExceeded" }
}

const incoming = {
  BodyRefused: "Stopping",
  GitEnded: "Stopping",
  HungUp: "Stopping",
  TimeExceeded: "Stopping",
  SpaceExceeded: "Stopping"
} as const
const complete = { GitEnded: "Reporting", TimeExceeded: "Stopping" } as const

/** Where each event takes each phase; where nothing stands here, nowhere. */
const table: Readonly<Record<PhaseTag, Partial<Record<EventTag, PhaseTag>>>> = {
  Waiting: { Admitted: "ReadingCommands", TurnedAway: "Failed", BodyRefused: "Failed", HungUp: "Done" },
  ReadingCommands: { ...incoming, CommandsRead: "Receiving", PermissionRequested: "Stopping", BodyEnded: "Stopping" },
  Receiving: { ...incoming, PermissionRequested: "ReadingRest", BodyEnded: "Checking" },
  ReadingRest: { ...incoming, BodyEnded: "Judging" },
  Checking: { ...complete, PermissionRequested: "Judging" },
  Judging: { ...complete, Judged: "Locking", NotJudged: "Refusing" },
  Locking: { ...complete, Locked: "Moving", NotJudged: "Refusing" },
  Moving: { GitEnded: "Recording", TimeExceeded: "Halting" },
  Halting: { GitEnded: "Recording" },
  Recording: { Recorded: "Reporting" },
  Refusing: { ...complete },
  Stopping: {
    BodyEnded: "Stopping",
    BodyRefused: "Stopping",
    GitEnded: "Stopping",
    HungUp: "Stopping",
    TimeExceeded: "Stopping"
  },
  Reporting: { Reported: "Done" },
  Done: {},
  Failed: {}
}

describe("a push", () => {
  it.each(Object.values(phases))("that is $_tag", (phase) => {
    const reached = Object.values(events).map((event) => [event._tag, next(phase, event)] as const)
    const row = table[phase._tag]
    for (const [tag, following] of reached) {
      if (row[tag] === undefined) expect([tag, following]).toEqual([tag, phase])
      else expect([tag, following._tag, following !== phase]).toEqual([tag, row[tag], true])
    }
  })

  const refused = new Map([["refs/heads/a", "No."]])
  const all = new Map(updates.map(({ ref }) => [ref, "No."]))
  const [, second] = updates
  it.each<[name: string, phase: PushPhase, event: PushEvent, following: PushPhase]>([
    [
      "moves what is not refused",
      phases.Judging,
      { _tag: "Judged", refusals: refused },
      { _tag: "Locking", question: { ...question, updates: second === undefined ? [] : [second] }, refusals: refused }
    ],
    [
      "that is atomic moves all or none",
      { ...phases.Judging, isAtomic: true },
      { _tag: "Judged", refusals: refused },
      {
        _tag: "Refusing",
        outcome: { refusals: new Map([...refused, ["refs/heads/b", "atomic push failure"]]), lines: [] }
      }
    ],
    [
      "of which nothing may move is turned away",
      phases.Judging,
      { _tag: "Judged", refusals: all },
      { _tag: "Refusing", outcome: { refusals: all, lines: [] } }
    ],
    [
      "is recorded from where the refs really were",
      phases.Locking,
      { _tag: "Locked", updates: [], noted },
      { _tag: "Moving", ...moves, updates: [] }
    ],
    [
      "that is ended while refs move is recorded, and told why",
      { ...phases.Recording, exceeded: "time", refusals: refused },
      { _tag: "Recorded", lines: ["line"], unrecorded: new Map([["refs/heads/b", "Lost."]]) },
      {
        _tag: "Reporting",
        outcome: { refusals: new Map([...refused, ["refs/heads/b", "Lost."]]), lines: ["line"], exceeded: "time" },
        end
      }
    ],
    ["that git could not be started for may come again", phases.Checking, shortOf("memory"), busy()],
    [
      "of which git has said nothing is refused for its body",
      { ...phases.Stopping, end },
      events.BodyRefused,
      { _tag: "Failed", error: fault }
    ],
    [
      "of which git has said something has its fault in the report",
      { ...phases.Stopping, end: { ...end, isAnswered: true } },
      events.BodyRefused,
      { _tag: "Reporting", outcome: { ...outcome, fault }, end: { ...end, isAnswered: true } }
    ],
    [
      "that ran out of space and then of time is told of the space",
      { ...phases.Stopping, outcome: { ...outcome, exceeded: "space" }, end },
      events.TimeExceeded,
      { _tag: "Reporting", outcome: { ...outcome, exceeded: "space" }, end }
    ]
  ])("%s", (_, phase, event, following) => expect(next(phase, event)).toEqual(following))
})

function shortOf(shortage: string): PushEvent {
  return { _tag: "GitEnded", end: { ...end, status: null, shortage, reported: undefined } }
}
function busy(): PushPhase {
  return { _tag: "Failed", error: new TooBusy() }
}

/** The phases that a push goes through, however often each event comes and in whatever order. */
const walk = (tags: ReadonlyArray<EventTag>): ReadonlyArray<PushPhase> => {
  const passed = [waiting]
  for (const tag of tags) {
    const phase = passed.at(-1) ?? waiting
    const following = next(phase, events[tag])
    if (following !== phase) passed.push(following)
  }
  return passed
}
const anything = fc.array(fc.constantFrom(...Object.values(events).map(({ _tag }) => _tag)), { maxLength: 60 })
const usual: ReadonlyArray<EventTag> = ["Admitted", "CommandsRead", "BodyEnded", "PermissionRequested", "Judged", "Locked"]
const mixed = fc.tuple(fc.nat(usual.length), anything).map(([length, others]) => [...usual.slice(0, length), ...others])

describe("whatever happens to a push", () => {
  it("what may have moved is recorded before anybody is told", () => {
    fc.assert(
      fc.property(mixed, (tags) => {
        const passed = walk(tags).map(({ _tag }) => _tag)
        if (!passed.includes("Moving")) return
        expect(["Moving", "Halting", "Recording", "Reporting", "Done", "Failed"]).toEqual(
          expect.arrayContaining(passed.slice(passed.indexOf("Moving")))
        )
        if (passed.includes("Reporting")) expect(passed.indexOf("Recording")).toBeLessThan(passed.indexOf("Reporting"))
        if (passed.includes("Reporting")) expect(passed).toContain("Recording")
      })
    )
  })

  it("it is over when git has ended, nothing more comes in, and what was begun is done", () => {
    const rest: ReadonlyArray<EventTag> = ["TurnedAway", "GitEnded", "TimeExceeded", "Recorded", "Reported"]
    fc.assert(
      fc.property(mixed, (tags) => {
        expect(
          walk([...tags, ...rest, ...rest])
            .map(isOver)
            .at(-1)
        ).toBe(true)
      })
    )
  })
})
