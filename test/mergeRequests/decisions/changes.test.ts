import { describe, expect, it } from "vitest"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import type { Command, TimeOrder, Update } from "#src/mergeRequests/decisions/commands.ts"
import { addVersion, attributes, open, opened, shaOf, stateBehind, version } from "../samples.ts"
import { cases, closing, commands, newVersion, outcome, ready, states, updating } from "./samples.ts"

describe("a transition", () => {
  it("closes what is open, and opens what is closed", () => {
    expect(outcome(closing, states.Opened)).toEqual([cases.MergeRequestClosed.make({ by: 8 })])
    expect(outcome(updating({ transition: "reopen" }), states.Closed)).toEqual([cases.MergeRequestReopened.make({ by: 8 })])
  })

  it("changes nothing elsewhere", () => {
    const reopening = updating({ transition: "reopen" })
    for (const state of [states.Opened, states.Locked, states.Merged]) expect(outcome(reopening, state)).toEqual([])
    for (const state of [states.Closed, states.Locked, states.Merged]) expect(outcome(closing, state)).toEqual([])
  })

  it("opens nothing that is locked for discussion", () => {
    const locked = stateBehind(...ready, closing, updating({ changes: { isDiscussionLocked: true } }))
    expect(outcome(updating({ transition: "reopen" }), locked)).toEqual([])
  })
})

describe("attributes", () => {
  const changing = (changes: Update["changes"]) => outcome(updating({ changes }), states.Opened)

  it("that stay as they are change nothing", () => {
    expect(changing(attributes)).toEqual([])
  })

  it.each([
    [{ title: " " }],
    [{ title: "x".repeat(256) }],
    [{ description: "x".repeat(1_048_577) }],
    [{ targetBranch: "a..b" }],
    [{ targetBranch: "-x" }]
  ])("that are wrong are refused: %o", (changes) => {
    expect(changing(changes)).toBe("MergeRequestInvalid")
  })

  it.each([[{ title: "x".repeat(255) }], [{ description: "😀".repeat(1_048_576) }], [{ description: null, squash: true }]])(
    "are taken up to their limits",
    (changes) => {
      expect(changing(changes)).not.toBe("MergeRequestInvalid")
    }
  )

  it("are judged when it is opened, with the source branch", () => {
    const bad = { ...open, source: { projectId: 4, branch: "a b" } }
    expect(outcome(bad, mergeRequestAggregate.initial)).toBe("MergeRequestInvalid")
  })
})

describe("a verdict", () => {
  const verdict = { targetSha: shaOf("b"), verdict: "mergeable", isFastForward: true } as const
  const check = (headSha: string | null, found: "mergeable" | "branch_missing" = "mergeable"): Command => ({
    _tag: "Check",
    targetBranch: "main",
    headSha,
    ...verdict,
    verdict: found
  })

  it("on another commit than that of the last version is dropped", () => {
    expect(outcome(check(shaOf("d")), states.Opened)).toEqual([])
    expect(outcome(check(shaOf("a")), stateBehind(open))).toEqual([])
  })

  it("ends the preparation, as looking without one does, once", () => {
    const unprepared = stateBehind(open, addVersion)
    const [checked, prepared] = [
      cases.MergeabilityChecked.make({ ...verdict, headSha: shaOf("a") }),
      cases.MergeRequestPrepared.make({})
    ]
    expect(outcome(check(shaOf("a")), unprepared)).toEqual([checked, prepared])
    expect(outcome(commands.FinishPreparation, unprepared)).toEqual([prepared])
    const moved = stateBehind(open, addVersion, commands.FinishPreparation)
    expect(outcome(check(shaOf("a")), moved)).toEqual([checked])
    expect(outcome(commands.FinishPreparation, moved)).toEqual([])
  })

  it("that is known already is not told again, unless a branch moved since", () => {
    expect(outcome(check(shaOf("a")), states.Opened)).toEqual([])
    const outdated = stateBehind(...ready, commands.OutdateMergeability)
    expect(outcome(check(shaOf("a")), outdated)).toHaveLength(1)
    expect(outcome(commands.OutdateMergeability, outdated)).toEqual([])
  })

  it.each([
    ["to the heads that are known", { source: { topic: shaOf("a") }, target: { main: shaOf("b") } }, 0],
    ["a branch of another name", { source: { other: shaOf("c") }, target: { topic: shaOf("c") } }, 0],
    ["the source", { source: { topic: shaOf("c") }, target: {} }, 1],
    ["the target", { source: { topic: shaOf("a") }, target: { main: shaOf("c") } }, 1],
    ["the target away", { source: {}, target: { main: null } }, 1]
  ])("is outdated by a push that moved what it is of: %s", (_, { source, target }, events) => {
    const moved = {
      source: new Map<string, string | null>(Object.entries(source)),
      target: new Map<string, string | null>(Object.entries(target))
    }
    expect(outcome({ _tag: "OutdateMergeability", moved }, states.Opened)).toHaveLength(events)
  })

  it("on another target branch than that of now is dropped", () => {
    const moved = stateBehind(...ready, updating({ changes: { targetBranch: "stable" } }))
    expect(outcome(check(shaOf("a")), moved)).toEqual([])
  })

  it("is told of a branch that is gone", () => {
    expect(outcome(check(null, "branch_missing"), states.Opened)).toHaveLength(1)
  })
})

describe("a version", () => {
  const late = { ...version, headSha: shaOf("9") }

  it("that was looked for behind another one than the last is dropped", () => {
    const moved = stateBehind(...ready, commands.AddVersion)
    expect(outcome({ _tag: "AddVersion", id: 112, previous: version, version: late }, moved)).toEqual([])
    expect(outcome({ _tag: "AddVersion", id: 112, previous: newVersion, version: late }, moved)).toHaveLength(1)
  })

  it("for another target branch than that of now is dropped", () => {
    const elsewhere = { ...late, targetBranch: "stable" }
    expect(outcome({ _tag: "AddVersion", id: 112, previous: version, version: elsewhere }, states.Opened)).toEqual([])
  })
})

describe("a version of commits that make a draft", () => {
  const marking: Command = { _tag: "AddVersion", id: 111, previous: version, version: newVersion, draftCommit: "f1" }
  const added = cases.VersionAdded.make({ id: 111, ...newVersion })

  it("changes the title with it", () => {
    const [changes, before] = [{ title: "Draft: Add a topic" }, { title: "Add a topic" }]
    const changed = cases.MergeRequestChanged.make({ changes, before, draftCommit: "f1" })
    expect(outcome(marking, states.Opened)).toEqual([added, changed])
  })

  it("leaves what is one, and a title that would be too long", () => {
    for (const title of ["[Draft] A", "a".repeat(249)])
      expect(outcome(marking, stateBehind(...ready, updating({ changes: { title } })))).toEqual([added])
  })
})

describe("time", () => {
  const spend = (seconds: number): Command => ({ _tag: "SpendTime", by: 8, seconds, summary: null })

  it("is taken back as far as it was spent", () => {
    expect(outcome(spend(-120), states.Opened)).toEqual([cases.TimeSpent.make({ by: 8, seconds: -120, total: 0, summary: null })])
    expect(outcome(spend(-121), states.Opened)).toBe("SpentTimeExceeded")
  })

  it("is spent for about a year", () => {
    expect(outcome(spend(31_540_000 - 120), states.Opened)).toHaveLength(1)
    expect(outcome(spend(31_540_000 - 119), states.Opened)).toBe("SpentTimeTooLong")
  })

  it("that goes with something else follows it, but for what is refused", () => {
    const time: ReadonlyArray<TimeOrder> = [
      { _tag: "EstimateTime", seconds: 60 },
      { _tag: "SpendTime", by: 8, seconds: -30, summary: null },
      { _tag: "SpendTime", by: 8, seconds: 30, summary: null },
      { _tag: "SpendTime", by: 8, seconds: 40, summary: null }
    ]
    const events = [
      cases.TimeEstimated.make({ seconds: 60 }),
      cases.TimeSpent.make({ by: 8, seconds: 30, total: 30, summary: null }),
      cases.TimeSpent.make({ by: 8, seconds: 40, total: 70, summary: null })
    ]
    expect(outcome({ ...open, time }, mergeRequestAggregate.initial)).toEqual([opened, ...events])
    expect(outcome({ ...updating({ changes: {} }), time }, stateBehind(open))).toEqual(events)
  })

  it("that is the same changes nothing", () => {
    expect(outcome({ _tag: "EstimateTime", seconds: 0 }, states.Opened)).toEqual([])
    expect(outcome(commands.ResetSpentTime, stateBehind(open))).toEqual([])
  })
})
