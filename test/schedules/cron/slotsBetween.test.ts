import { expect, it } from "vitest"
import { iso, slotsWithin, timing } from "./support/timings.ts"

const between = (text: string, from: string, to: string, limit: number) => {
  const schedule = timing(text, "America/Los_Angeles", 60_000)
  const { slots, hasMore } = slotsWithin(schedule, { from: Date.parse(from), to: Date.parse(to) }, limit)
  return [slots.map(({ at, rule }) => `${iso(at)} ${rule}`), hasMore]
}

const gap = ["2026-03-07T10:30:00Z normal", "2026-03-08T10:00:00Z movedOutOfGap", "2026-03-09T09:30:00Z normal"]

it.each([
  ["2026-03-07T00:00:00Z", "2026-03-10T00:00:00Z", 10, gap, false],
  ["2026-03-07T00:00:00Z", "2026-03-10T00:00:00Z", 3, gap, false],
  ["2026-03-07T00:00:00Z", "2026-03-10T00:00:00Z", 2, gap.slice(0, 2), true],
  ["2026-03-07T10:30:00Z", "2026-03-08T10:00:00Z", 10, gap.slice(1, 2), false],
  ["2026-03-08T10:00:00Z", "2026-03-09T09:29:59Z", 10, [], false],
  ["2026-03-07T00:00:00Z", "2026-03-10T00:00:00Z", 0, [], true],
  ["2026-03-10T00:00:00Z", "2026-03-07T00:00:00Z", 10, [], false]
])("30 2 * * * after %s until %s, at most %d", (from, to, limit, slots, hasMore) => {
  expect(between("30 2 * * *", from, to, limit)).toEqual([slots, hasMore])
})
