import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  isFinished,
  mayMove,
  moveTo,
  type Status,
  type StatusPart,
  statuses,
  statusOfAll,
  targetStatuses
} from "#src/pipelines/status.ts"

/** `failed?` may fail. */
const part = (text: string): StatusPart => {
  const status = statuses.find((each) => each === text.replace("?", ""))
  if (status === undefined) throw new Error(`No status: ${text}`)
  return { status, allowFailure: text.endsWith("?") }
}

const together: ReadonlyArray<readonly [parts: string, status: Status]> = [
  ["", "created"],
  ["created", "created"],
  ["created failed?", "created"],
  ["created pending", "pending"],
  ["created running", "running"],
  ["created success", "running"],
  ["created failed", "running"],
  ["pending", "pending"],
  ["pending success", "running"],
  ["pending skipped", "pending"],
  ["running failed", "running"],
  ["success", "success"],
  ["success success", "success"],
  ["success failed", "failed"],
  ["success failed?", "success"],
  ["success canceled", "canceled"],
  ["success canceled?", "success"],
  ["success skipped", "success"],
  ["failed canceled", "failed"],
  ["failed skipped", "failed"],
  ["skipped", "skipped"],
  ["skipped manual?", "skipped"],
  ["manual", "manual"],
  ["manual?", "skipped"],
  ["manual? success", "success"],
  ["manual success", "manual"],
  ["manual failed", "manual"],
  ["scheduled success", "scheduled"],
  ["scheduled manual", "manual"],
  ["preparing", "preparing"],
  ["preparing success", "preparing"],
  ["waiting_for_resource success", "waiting_for_resource"],
  ["canceling running", "canceling"],
  ["canceled skipped", "canceled"]
]

describe("the status of several jobs", () => {
  it.each(together)("%s: %s", (parts, expected) => {
    expect(statusOfAll(parts.split(" ").filter(Boolean).map(part))).toBe(expected)
  })

  const anyPart = fc.record({ status: fc.constantFrom(...statuses), allowFailure: fc.boolean() })

  it("does not depend on their order, nor on how often one occurs", () => {
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 6 }), (parts) => {
        expect(statusOfAll([...parts, ...parts].reverse())).toBe(statusOfAll(parts))
      })
    )
  })

  it("is finished where all are", () => {
    const finished = fc.array(
      anyPart.filter(({ status }) => isFinished(status)),
      { minLength: 1, maxLength: 6 }
    )
    fc.assert(
      fc.property(finished, (parts) => {
        expect(isFinished(statusOfAll(parts))).toBe(true)
      })
    )
  })
})

const sources: Readonly<Record<(typeof targetStatuses)[number], string>> = {
  pending: "created waiting_for_resource preparing skipped manual scheduled",
  running: "created waiting_for_resource preparing pending",
  success: "created waiting_for_resource preparing pending running",
  failed: "created waiting_for_resource preparing pending running manual scheduled",
  canceled: "created waiting_for_resource preparing pending running manual scheduled",
  skipped: "created waiting_for_resource preparing pending"
}

it.each(targetStatuses)("the ways to %s", (target) => {
  expect(statuses.filter((status) => mayMove(status, target)).join(" ")).toBe(sources[target])
})

it("the ways have the names of the reference", () => {
  expect(targetStatuses.map(moveTo)).toEqual(["enqueue", "run", "success", "drop", "cancel", "skip"])
})
