import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  type InternalMergeStatus,
  type MergeStatusEvent,
  nextMergeStatus
} from "#src/mergeRequests/status/mergeStatusTransitions.ts"
import { publicMergeStatus } from "#src/mergeRequests/status/publicMergeStatus.ts"

const events = [
  "prepare",
  "uncheck",
  "startCheck",
  "checkSucceeded",
  "checkFailed"
] as const satisfies ReadonlyArray<MergeStatusEvent>
const recheck = "cannot_be_merged_recheck"
const rechecking = "cannot_be_merged_rechecking"
const can = "can_be_merged"
const cannot = "cannot_be_merged"

type Cells = Readonly<Record<MergeStatusEvent, InternalMergeStatus>>

const cells = (
  ...[prepare, uncheck, startCheck, checkSucceeded, checkFailed]: [
    prepare: InternalMergeStatus,
    uncheck: InternalMergeStatus,
    startCheck: InternalMergeStatus,
    checkSucceeded: InternalMergeStatus,
    checkFailed: InternalMergeStatus
  ]
): Cells => ({ prepare, uncheck, startCheck, checkSucceeded, checkFailed })

const table: Readonly<Record<InternalMergeStatus, Cells>> = {
  preparing: cells("preparing", "unchecked", "preparing", "preparing", "preparing"),
  unchecked: cells("preparing", "unchecked", "checking", can, cannot),
  checking: cells("checking", "unchecked", "checking", can, cannot),
  can_be_merged: cells(can, "unchecked", can, can, can),
  cannot_be_merged: cells(cannot, recheck, cannot, cannot, cannot),
  cannot_be_merged_recheck: cells(recheck, recheck, rechecking, can, cannot),
  cannot_be_merged_rechecking: cells(rechecking, recheck, rechecking, can, cannot)
}

const shown: Readonly<Record<InternalMergeStatus, string>> = {
  preparing: "checking",
  unchecked: "unchecked",
  checking: "checking",
  can_be_merged: can,
  cannot_be_merged: cannot,
  cannot_be_merged_recheck: recheck,
  cannot_be_merged_rechecking: "checking"
}

const statuses = [
  "preparing",
  "unchecked",
  "checking",
  "can_be_merged",
  "cannot_be_merged",
  "cannot_be_merged_recheck",
  "cannot_be_merged_rechecking"
] as const satisfies ReadonlyArray<InternalMergeStatus>

describe.each(statuses)("%s", (status) => {
  it.each(events)("after %s", (event) => {
    expect(nextMergeStatus(status, event)).toBe(table[status][event])
  })

  it(`is shown as ${shown[status]}`, () => {
    expect(publicMergeStatus(status)).toBe(shown[status])
  })
})

describe("whatever happened", () => {
  const history = fc.array(fc.constantFrom(...events))
  const statusAfter = (happened: ReadonlyArray<MergeStatusEvent>) =>
    happened.reduce<InternalMergeStatus>(nextMergeStatus, "unchecked")

  it("each event says no more when it is told twice", () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...events), (happened, event) => {
        const once = nextMergeStatus(statusAfter(happened), event)
        expect(nextMergeStatus(once, event)).toBe(once)
      })
    )
  })

  it("what is unchecked can be checked", () => {
    fc.assert(
      fc.property(history, (happened) => {
        const unchecked = nextMergeStatus(statusAfter(happened), "uncheck")
        const checking = nextMergeStatus(unchecked, "startCheck")
        expect(checking).not.toBe(unchecked)
        expect(nextMergeStatus(checking, "checkSucceeded")).toBe(can)
      })
    )
  })
})
