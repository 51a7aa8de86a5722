import { expect, it } from "vitest"
import { dueSlots } from "#src/schedules/slots/missed.ts"
import { withoutPauses } from "#test/support/withoutPauses.ts"
import { iso, timing } from "../cron/support/timings.ts"

const due = (text: string, policy: "run_latest" | "run_all", [first, now]: readonly [string, string]) => {
  const { started } = withoutPauses(dueSlots(timing(text, "UTC", 60_000), Date.parse(first), Date.parse(now), policy))
  return [started.length, started[0] && iso(started[0].at), started.at(-1) && iso(started.at(-1)?.at ?? 0)]
}

it.each([
  [
    "* * * 1 *",
    "run_latest",
    ["2026-01-01T00:00:00Z", "2026-02-20T00:00:00Z"],
    [1, "2026-01-31T23:59:00Z", "2026-01-31T23:59:00Z"]
  ],
  [
    "* * * 1 *",
    "run_all",
    ["2016-01-01T00:00:00Z", "2026-12-20T00:00:00Z"],
    [100, "2026-01-31T22:20:00Z", "2026-01-31T23:59:00Z"]
  ],
  [
    "* * * * *",
    "run_all",
    ["2020-01-01T00:00:00Z", "2026-02-20T00:00:00Z"],
    [100, "2026-02-19T22:21:00Z", "2026-02-20T00:00:00Z"]
  ],
  ["0 0 1 * *", "run_all", ["2025-11-01T00:00:00Z", "2026-02-20T00:00:00Z"], [4, "2025-11-01T00:00:00Z", "2026-02-01T00:00:00Z"]]
] as const)("of %s the last ones run, however many were missed: %s", (text, policy, span, runs) => {
  expect(due(text, policy, span)).toEqual(runs)
})

it.each([
  ["* * * * *", "2026-02-20T00:00:00Z", [500, "2026-01-01T08:19:00Z", "2026-02-19T23:59:00Z"]],
  ["* * * 1 *", "2026-02-20T00:00:00Z", [500, "2026-01-01T08:19:00Z", "2026-01-31T23:58:00Z"]],
  ["* * * * *", "2026-01-01T08:20:00Z", [500, "2026-01-01T08:19:00Z", undefined]]
] as const)("of %s until %s the first ones that pass are named, and of the others the last one", (text, now, told) => {
  const span = [Date.parse("2026-01-01T00:00:00Z"), Date.parse(now)] as const
  const { isCutShort, lastSkipped, skipped } = withoutPauses(dueSlots(timing(text, "UTC", 60_000), ...span, "run_latest"))
  expect([skipped.length, iso(skipped.at(-1)?.at ?? 0), lastSkipped && iso(lastSkipped.at)]).toEqual(told)
  expect(isCutShort).toBe(lastSkipped !== undefined)
})
