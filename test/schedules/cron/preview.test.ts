import { expect, it } from "vitest"
import { iso, previewed, timing } from "./support/timings.ts"

const rows = (text: string, zone: string, after: string, count: number, minIntervalMillis = 60_000): ReadonlyArray<string> =>
  previewed(timing(text, zone, minIntervalMillis), Date.parse(after), count).map(
    ({ at, local, offset, rule }) => `${iso(at)} ${local}${offset} ${rule}`
  )

it("shows the next runs in local time", () => {
  expect(previewed(timing("0 9 * * 1-5", "Europe/Berlin"), Date.parse("2026-03-27T12:00:00Z"), 2)).toEqual([
    { at: Date.parse("2026-03-30T07:00:00Z"), local: "2026-03-30T09:00:00", offset: "+02:00", rule: "normal" },
    { at: Date.parse("2026-03-31T07:00:00Z"), local: "2026-03-31T09:00:00", offset: "+02:00", rule: "normal" }
  ])
})

it.each([
  [
    "30 2 * * *",
    "Europe/Berlin",
    "2026-03-28T00:00:00Z",
    [
      "2026-03-28T01:30:00Z 2026-03-28T02:30:00+01:00 normal",
      "2026-03-29T01:00:00Z 2026-03-29T03:00:00+02:00 movedOutOfGap",
      "2026-03-30T00:30:00Z 2026-03-30T02:30:00+02:00 normal"
    ]
  ],
  [
    "30 2 * * *",
    "Europe/Berlin",
    "2026-10-25T00:00:00Z",
    [
      "2026-10-25T00:30:00Z 2026-10-25T02:30:00+02:00 normal",
      "2026-10-25T01:30:00Z 2026-10-25T02:30:00+01:00 suppressedInRepeat",
      "2026-10-26T01:30:00Z 2026-10-26T02:30:00+01:00 normal"
    ]
  ],
  [
    "0,30 2,3 * * *",
    "Europe/Berlin",
    "2026-10-25T00:00:00Z",
    [
      "2026-10-25T00:30:00Z 2026-10-25T02:30:00+02:00 normal",
      "2026-10-25T01:00:00Z 2026-10-25T02:00:00+01:00 suppressedInRepeat",
      "2026-10-25T01:30:00Z 2026-10-25T02:30:00+01:00 suppressedInRepeat",
      "2026-10-25T02:00:00Z 2026-10-25T03:00:00+01:00 normal"
    ]
  ],
  [
    "30 * * * *",
    "Europe/Berlin",
    "2026-10-25T00:00:00Z",
    ["2026-10-25T00:30:00Z 2026-10-25T02:30:00+02:00 normal", "2026-10-25T01:30:00Z 2026-10-25T02:30:00+01:00 normal"]
  ],
  ["0 9 * * *", "-0330", "2026-01-01T00:00:00Z", ["2026-01-01T12:30:00Z 2026-01-01T09:00:00-03:30 normal"]],
  ["0 9 * * *", "Asia/Kathmandu", "2026-01-01T00:00:00Z", ["2026-01-01T03:15:00Z 2026-01-01T09:00:00+05:45 normal"]],
  ["0 9 * * *", "UTC", "2026-01-01T00:00:00Z", ["2026-01-01T09:00:00Z 2026-01-01T09:00:00+00:00 normal"]],
  ["* * * * * *", "UTC", "2026-01-01T00:00:00Z", ["2026-01-01T00:01:00Z 2026-01-01T00:01:00+00:00 normal"]]
])("%s in %s after %s", (text, zone, after, expected) => {
  const count = expected.filter((row) => !row.endsWith("suppressedInRepeat")).length
  expect(rows(text, zone, after, count)).toEqual(expected)
})

it("shows a suppressed pass after the last run that counts", () => {
  expect(rows("30 2 * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", 1)).toEqual([
    "2026-10-25T00:30:00Z 2026-10-25T02:30:00+02:00 normal",
    "2026-10-25T01:30:00Z 2026-10-25T02:30:00+01:00 suppressedInRepeat"
  ])
})

it("shows what of a repeated hour is still to be suppressed", () => {
  expect(rows("*/20 2 * * *", "Europe/Berlin", "2026-10-25T01:10:00Z", 1)).toEqual([
    "2026-10-25T01:20:00Z 2026-10-25T02:20:00+01:00 suppressedInRepeat",
    "2026-10-25T01:40:00Z 2026-10-25T02:40:00+01:00 suppressedInRepeat",
    "2026-10-26T01:00:00Z 2026-10-26T02:00:00+01:00 normal"
  ])
})

it("shows nothing when asked for nothing", () => {
  expect(rows("30 2 * * *", "Europe/Berlin", "2026-10-25T00:00:00Z", 0)).toEqual([])
})
