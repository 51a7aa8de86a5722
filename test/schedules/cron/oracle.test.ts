import { describe, expect, it } from "vitest"
import { nextRun } from "#src/schedules/cron/nextRun.ts"
import { expectedSlots, transitions, walk } from "./support/oracle.ts"
import { timing } from "./support/timings.ts"

const zones = [
  "UTC",
  "+05:45",
  "Africa/Cairo",
  "Africa/Casablanca",
  "America/Los_Angeles",
  "America/New_York",
  "America/Santiago",
  "America/St_Johns",
  "Antarctica/Troll",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Europe/Berlin",
  "Europe/London",
  "Pacific/Apia"
]

const patterns = [
  "* * * * *",
  "*/5 * * * *",
  "/7 * * * *",
  "0 * * * *",
  "30 * * * *",
  "0 */2 * * *",
  "15 /3 * * *",
  "*/10 */6 * * *",
  "0 * 1 * *",
  "59 * * * sun",
  "0 0 * * *",
  "0 1 * * *",
  "30 1 * * *",
  "0 2 * * *",
  "30 2 * * *",
  "15,45 2 * * *",
  "0 3 * * *",
  "59 23 * * *",
  "30 24 * * *",
  "* 2 * * *",
  "*/15 1-3 * * *",
  "*/20 0-23 * * *",
  "0,30 2,3 * * *",
  "45 22-4 * * *",
  "0 22-4/2 * * *",
  "10 1/2 * * *",
  "0 2 * * 0",
  "30 2 * * sun#last",
  "30 2 * * sun#2",
  "0 1 * * fri-mon",
  "30 1 L * *",
  "15 2 -1 * *",
  "0 2 -2,-7,29 * *",
  "30 0 1,15 * 1",
  "30 2 1-7 * sun&",
  "0 2 * * sun%2",
  "0 2 * * sun%2+1,mon%3",
  "30 2 * mar,oct,nov *",
  "5/25 2 * 3-4 6,7",
  "0 12 29 2 *",
  "0,30 * 2 * * *",
  "0 */30 1-3 * * *"
]

const minute = 60_000
const hour = 60 * minute
const around = [-26, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 25].flatMap((hours) => [hours * hour - 1, hours * hour, hours * hour + 1])
const from2024 = Date.UTC(2024, 0, 1)
const until2029 = Date.UTC(2029, 0, 1)
const quiet = [2024, 2026, 2028].flatMap((year) => [Date.UTC(year, 1, 29), Date.UTC(year, 9, 31, 23)])

const everySoMany = (all: ReadonlyArray<number>, maxCount: number): ReadonlyArray<number> =>
  all.filter((_, index) => index % Math.ceil(all.length / maxCount) === 0)

/** What differs around one instant: from where, what was expected, what came. */
const differences = (zone: string, middle: number): ReadonlyArray<unknown> => {
  const minutes = walk(zone, middle - 52 * hour, middle + 30 * hour, minute)
  const seconds = walk(zone, middle - 4 * hour, middle + 4 * hour, 1_000)
  return patterns.flatMap((text) => {
    const ticks = text.split(" ").length === 6 ? seconds : minutes
    const from = (ticks[0]?.[0] ?? 0) + (ticks === minutes ? 25 * hour : 0)
    const to = ticks.at(-1)?.[0] ?? 0
    const expected = expectedSlots(text, ticks)
    const slots = [...expected.keys()]
    const starts = around.map((distance) => middle + distance).filter((at) => at >= from && at < to)
    const near = slots.filter((at) => Math.abs(at - middle) <= 3.5 * hour)
    const schedule = timing(text, zone)
    return [...starts, ...everySoMany(near, 25)].flatMap((after) => {
      const at = slots.find((slot) => slot > after)
      const next = nextRun(schedule, after)
      const isRight = at === undefined ? (next?.at ?? 0) > to : next?.at === at && next.rule === expected.get(at)
      return isRight && (next?.at ?? 0) > after ? [] : [{ text, zone, after, expected: at, next }]
    })
  })
}

describe("nextRun is what a walk through all minutes finds", () => {
  it.each(zones)("in %s, around every change of 2024 to 2028", (zone) => {
    const changes = transitions(zone, from2024, until2029)
    const middles = changes.length > 0 ? changes : quiet
    expect(middles.flatMap((middle) => differences(zone, middle))).toEqual([])
  })

  it("where a whole day is skipped", () => {
    const middle = Date.parse("2011-12-30T10:00:00Z")
    expect(differences("Pacific/Apia", middle)).toEqual([])
  })

  it("in zones of which eleven have changes", () => {
    expect(zones.filter((zone) => transitions(zone, from2024, until2029).length >= 5)).toEqual([
      "Africa/Cairo",
      "Africa/Casablanca",
      "America/Los_Angeles",
      "America/New_York",
      "America/Santiago",
      "America/St_Johns",
      "Antarctica/Troll",
      "Asia/Beirut",
      "Australia/Lord_Howe",
      "Europe/Berlin",
      "Europe/London"
    ])
  })
})
