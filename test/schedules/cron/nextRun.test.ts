import { describe, expect, it } from "vitest"
import { nextRun } from "#src/schedules/cron/nextRun.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"
import { iso, timing } from "./support/timings.ts"

const next = (text: string, zone: string, after: string, minIntervalMillis = 0): string | undefined => {
  const slot = nextRun(timing(text, zone, minIntervalMillis), Date.parse(after))
  return slot && iso(slot.at) + (slot.rule === "normal" ? "" : ` ${slot.rule}`)
}

const inARow = (text: string, zone: string, after: string, count: number, minIntervalMillis = 0): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let at: string | undefined = after; at !== undefined && found.length < count; ) {
    at = next(text, zone, at.split(" ")[0] ?? "", minIntervalMillis)
    if (at !== undefined) found.push(at)
  }
  return found
}

describe("nextRun after 2024-09-18T10:15:27Z", () => {
  it.each([
    ["* * * * *", "UTC", "2024-09-18T10:16:00Z"],
    ["23 10 * * *", "UTC", "2024-09-18T10:23:00Z"],
    ["0 1 * * *", "UTC", "2024-09-19T01:00:00Z"],
    ["3 1 * * *", "UTC", "2024-09-19T01:03:00Z"],
    ["13 * * * *", "UTC", "2024-09-18T11:13:00Z"],
    ["0 0 * * *", "America/Los_Angeles", "2024-09-19T07:00:00Z"],
    ["30 2 * * *", "Asia/Kolkata", "2024-09-18T21:00:00Z"],
    ["0 0 L * *", "UTC", "2024-09-30T00:00:00Z"],
    ["0 0 29 2 *", "UTC", "2028-02-29T00:00:00Z"],
    ["0 0 1 * 1", "UTC", "2024-09-23T00:00:00Z"],
    ["0 0 1 * 1&", "UTC", "2025-09-01T00:00:00Z"],
    ["* * * * * *", "UTC", "2024-09-18T10:15:28Z"],
    ["0 1 * * 5", "UTC", "2024-09-20T01:00:00Z"],
    ["0 0 */10 * *", "UTC", "2024-09-21T00:00:00Z"],
    ["0 0 * * mon%2", "UTC", "2024-09-30T00:00:00Z"],
    ["0 0 * * mon%2+1", "UTC", "2024-09-23T00:00:00Z"],
    ["0 0 * * fri#last", "UTC", "2024-09-27T00:00:00Z"],
    ["0 0 29 2 1&", "UTC", "2044-02-29T00:00:00Z"],
    ["0 9 * * *", "+09:00", "2024-09-19T00:00:00Z"],
    ["0 9 * * *", "-0330", "2024-09-18T12:30:00Z"]
  ])("%s in %s: %s", (text, zone, expected) => {
    expect(next(text, zone, "2024-09-18T10:15:27Z")).toBe(expected)
  })
})

it.each([
  ["3 10 * * *", "2024-09-18T10:03:00Z", "2024-09-19T10:03:00Z"],
  ["3 10 * * *", "2024-09-18T10:02:59Z", "2024-09-18T10:03:00Z"],
  ["3 10 * * *", "2024-09-18T10:02:59.999Z", "2024-09-18T10:03:00Z"],
  ["3 10 * * *", "2024-09-18T10:03:00.001Z", "2024-09-19T10:03:00Z"],
  ["0 0 1,31 * *", "2026-02-27T00:00:00Z", "2026-03-01T00:00:00Z"],
  ["0 0 1,30 * *", "2026-02-27T00:00:00Z", "2026-03-01T00:00:00Z"],
  ["0 0 2,31 * *", "2028-02-29T00:00:00Z", "2028-03-02T00:00:00Z"],
  ["30 0 1,15 * 1", "2026-02-28T00:00:00Z", "2026-03-01T00:30:00Z"],
  ["0 0 * * 0#1,1#5", "2026-02-23T00:00:00Z", "2026-03-01T00:00:00Z"],
  ["0 0 1,31 * 3,4&", "2028-01-31T00:00:00Z", "2028-03-01T00:00:00Z"],
  ["0 0 29 2 1&", "2072-02-29T00:00:00Z", "2112-02-29T00:00:00Z"],
  ["0 0 -29 2 *", "2026-01-01T00:00:00Z", "2028-02-01T00:00:00Z"],
  ["0 * 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"],
  ["0 0 31 12 *", "2026-12-31T00:00:00Z", "2027-12-31T00:00:00Z"]
])("%s after %s: %s", (text, after, expected) => {
  expect(next(text, "UTC", after)).toBe(expected)
})

describe("Where clocks skip an hour", () => {
  it.each([
    ["30 2 * * *", ["2026-03-08T10:00:00Z movedOutOfGap", "2026-03-09T09:30:00Z"]],
    ["0 2 * * *", ["2026-03-08T10:00:00Z movedOutOfGap", "2026-03-09T09:00:00Z"]],
    ["* 2 * * *", ["2026-03-08T10:00:00Z movedOutOfGap", "2026-03-09T09:00:00Z"]],
    ["0 2,3 * * *", ["2026-03-08T10:00:00Z", "2026-03-09T09:00:00Z"]],
    ["30 2,3 * * *", ["2026-03-08T10:00:00Z movedOutOfGap", "2026-03-08T10:30:00Z"]],
    ["30 1-3 * * *", ["2026-03-08T09:30:00Z", "2026-03-08T10:00:00Z movedOutOfGap", "2026-03-08T10:30:00Z"]],
    ["30 * * * *", ["2026-03-08T08:30:00Z", "2026-03-08T09:30:00Z", "2026-03-08T10:30:00Z"]],
    ["0 */2 * * *", ["2026-03-08T08:00:00Z", "2026-03-08T11:00:00Z"]],
    ["0 30 2 * * *", ["2026-03-08T10:00:00Z movedOutOfGap", "2026-03-09T09:30:00Z"]],
    ["*/20 0 2 * * *", ["2026-03-08T10:00:00Z movedOutOfGap", "2026-03-09T09:00:00Z", "2026-03-09T09:00:20Z"]],
    ["0 30 * * * *", ["2026-03-08T08:30:00Z", "2026-03-08T09:30:00Z", "2026-03-08T10:30:00Z"]]
  ])("%s", (text, expected) => {
    expect(inARow(text, "America/Los_Angeles", "2026-03-08T07:59:00Z", expected.length)).toEqual(expected)
  })

  it.each([
    ["15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00Z", ["2026-10-03T15:30:00Z movedOutOfGap", "2026-10-04T15:15:00Z"]],
    ["30 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00Z", ["2026-10-03T15:30:00Z", "2026-10-04T15:30:00Z"]],
    ["30 1,2 * * *", "Antarctica/Troll", "2026-03-29T00:00:00Z", ["2026-03-29T01:00:00Z movedOutOfGap", "2026-03-29T23:30:00Z"]],
    ["0 12 * * *", "Pacific/Apia", "2011-12-29T23:00:00Z", ["2011-12-30T10:00:00Z movedOutOfGap", "2011-12-30T22:00:00Z"]],
    ["30 0 * * *", "Africa/Cairo", "2026-04-23T12:00:00Z", ["2026-04-23T22:00:00Z movedOutOfGap", "2026-04-24T21:30:00Z"]]
  ])("%s in %s", (text, zone, after, expected) => {
    expect(inARow(text, zone, after, expected.length)).toEqual(expected)
  })
})

describe("Where clocks repeat an hour", () => {
  it.each([
    ["30 1 * * *", ["2026-11-01T08:30:00Z", "2026-11-02T09:30:00Z"]],
    ["0 1,2 * * *", ["2026-11-01T08:00:00Z", "2026-11-01T10:00:00Z", "2026-11-02T09:00:00Z"]],
    ["30 * * * *", ["2026-11-01T07:30:00Z", "2026-11-01T08:30:00Z", "2026-11-01T09:30:00Z", "2026-11-01T10:30:00Z"]],
    ["15 1/1 * * *", ["2026-11-01T08:15:00Z", "2026-11-01T10:15:00Z"]],
    ["0 30 1 * * *", ["2026-11-01T08:30:00Z", "2026-11-02T09:30:00Z"]],
    ["0 30 * * * *", ["2026-11-01T07:30:00Z", "2026-11-01T08:30:00Z", "2026-11-01T09:30:00Z", "2026-11-01T10:30:00Z"]]
  ])("%s", (text, expected) => {
    expect(inARow(text, "America/Los_Angeles", "2026-11-01T07:00:00Z", expected.length)).toEqual(expected)
  })

  it.each([
    ["45 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00:00Z", ["2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z"]],
    ["45 * * * *", "Australia/Lord_Howe", "2026-04-04T14:00:00Z", ["2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"]],
    [
      "30 1,2 * * *",
      "Antarctica/Troll",
      "2026-10-24T22:00:00Z",
      ["2026-10-24T23:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]
    ]
  ])("%s in %s", (text, zone, after, expected) => {
    expect(inARow(text, zone, after, expected.length)).toEqual(expected)
  })
})

describe("Slots that are too near", () => {
  it.each([
    ["* * * * * *", 60_000, ["2026-01-01T00:01:00Z", "2026-01-01T00:02:00Z", "2026-01-01T00:03:00Z"]],
    ["30 * * * * *", 60_000, ["2026-01-01T00:00:30Z", "2026-01-01T00:01:30Z"]],
    ["15,45 * * * * *", 60_000, ["2026-01-01T00:00:15Z", "2026-01-01T00:01:15Z"]],
    ["*/20 0 9 * * *", 60_000, ["2026-01-01T09:00:00Z", "2026-01-02T09:00:00Z"]],
    ["* * * * * *", 1_000, ["2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z"]],
    ["* * * * *", 60_000, ["2026-01-01T00:01:00Z", "2026-01-01T00:02:00Z"]],
    ["* * * * *", 300_000, ["2026-01-01T00:05:00Z", "2026-01-01T00:10:00Z"]],
    ["*/4 * * * *", 300_000, ["2026-01-01T00:08:00Z", "2026-01-01T00:16:00Z", "2026-01-01T00:28:00Z"]],
    ["0 3 * * *", 3_600_000, ["2026-01-01T03:00:00Z", "2026-01-02T03:00:00Z"]]
  ])("%s with %d ms between runs", (text, minIntervalMillis, expected) => {
    expect(inARow(text, "UTC", "2026-01-01T00:00:00Z", expected.length, minIntervalMillis)).toEqual(expected)
  })
})

it("is undefined for what does not come within a hundred years", () => {
  expect(next("0 0 29 2 mon%27&", "UTC", "2045-01-01T00:00:00Z")).toBeUndefined()
})

describe("nextRun takes little time", () => {
  const millisOf = (text: string, minIntervalMillis: number, times: number): number => {
    const schedule = timing(text, "Europe/Berlin", minIntervalMillis)
    const from = Date.UTC(2026, 0, 1)
    nextRun(schedule, from)
    const start = cpuMillis()
    for (let index = 0; index < times; index++) nextRun(schedule, from + index * 12_345_678)
    return (cpuMillis() - start) / times
  }

  it.each(["* * * * *", "0 2 * * *", "*/15 9-17 * * 1-5", "0 0 L * *", "30 2 * * mon%2", "0 */6 * * *"])("for %s", (text) => {
    expect(millisOf(text, 60_000, 500)).toBeLessThan(1)
  })

  it.each(["0 0 29 2 1&", "0 * 29 2 1&", "0 0 29 2 mon%27&", "0 0 * * mon%260", "0 0 29 2 1#5&", "* * 0 29 2 1&"])(
    "for %s, which is rare",
    (text) => {
      expect(millisOf(text, 60_000, 20)).toBeLessThan(50)
    }
  )
})
