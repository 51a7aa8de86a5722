import { expect, it } from "vitest"
import { dueCondition } from "#src/issues/lists/due.ts"

const saturday = Date.UTC(2026, 0, 31, 23, 59)

it.each([
  ["0", saturday, "none"],
  ["any", saturday, "any"],
  ["today", saturday, { from: "2026-01-31", to: "2026-01-31" }],
  ["tomorrow", saturday, { from: "2026-02-01", to: "2026-02-01" }],
  ["overdue", saturday, { to: "2026-01-30" }],
  ["week", saturday, { from: "2026-01-26", to: "2026-02-01" }],
  ["week", Date.UTC(2026, 1, 1), { from: "2026-01-26", to: "2026-02-01" }],
  ["week", Date.UTC(2026, 1, 2), { from: "2026-02-02", to: "2026-02-08" }],
  ["month", saturday, { from: "2026-01-01", to: "2026-01-31" }],
  ["month", Date.UTC(2028, 1, 3), { from: "2028-02-01", to: "2028-02-29" }],
  ["next_month_and_previous_two_weeks", saturday, { from: "2026-01-17", to: "2026-02-28" }],
  ["next_month_and_previous_two_weeks", Date.UTC(2026, 11, 5), { from: "2026-11-21", to: "2027-01-31" }]
] as const)("%s at %d is %j", (due, now, expected) => {
  expect(dueCondition(due, now)).toEqual(expected)
})
