import { describe, expect, it } from "vitest"
import { changeWithin, firstInstant, latestLocal, localAt, offsetAt, repeatAround } from "#src/schedules/cron/clock.ts"
import { type Zone, zoneOf } from "#src/schedules/cron/zones.ts"

const zone = (text: string): Zone => {
  const found = zoneOf(text)
  if (found === undefined) throw new Error(`No zone: ${text}`)
  return found
}

/** A local time is written without `Z`, and counted as if it had one. */
const local = (text: string): number => Date.parse(`${text}Z`)
const minutes = (count: number): number => count * 60_000

const changes: ReadonlyArray<readonly [name: string, at: string, before: number, after: number]> = [
  ["America/New_York", "2026-03-08T07:00:00Z", -300, -240],
  ["America/New_York", "2026-11-01T06:00:00Z", -240, -300],
  ["Europe/London", "2026-03-29T01:00:00Z", 0, 60],
  ["Australia/Lord_Howe", "2026-04-04T15:00:00Z", 660, 630],
  ["Australia/Lord_Howe", "2026-10-03T15:30:00Z", 630, 660],
  ["Antarctica/Troll", "2026-03-29T01:00:00Z", 0, 120],
  ["Antarctica/Troll", "2026-10-25T01:00:00Z", 120, 0],
  ["Pacific/Apia", "2011-12-30T10:00:00Z", -600, 840],
  ["America/Santiago", "2026-09-06T04:00:00Z", -240, -180],
  ["Africa/Casablanca", "2026-02-15T02:00:00Z", 60, 0]
]

describe("changeWithin", () => {
  it.each(changes)("%s changes at %s from %d to %d minutes", (name, at, before, after) => {
    const time = Date.parse(at)
    const expected = { at: time, before: minutes(before), after: minutes(after) }
    expect(changeWithin(zone(name), time - minutes(1_440), time + minutes(600))).toEqual(expected)
    expect(changeWithin(zone(name), time - 1, time)).toEqual(expected)
    expect(changeWithin(zone(name), time - minutes(1_440), time - 1)).toBeUndefined()
    expect(changeWithin(zone(name), time, time + minutes(1_440))).toBeUndefined()
  })
})

it.each([
  ["UTC", 0, 0],
  ["Asia/Kathmandu", Date.UTC(2026, 0, 1), 345],
  ["America/St_Johns", Date.UTC(2026, 6, 1), -150],
  ["+05:45", Date.UTC(2026, 6, 1), 345],
  ["-03:30", 0, -210]
])("%s at %d is ahead of UTC by %d minutes", (name, at, ahead) => {
  expect([offsetAt(zone(name), at), localAt(zone(name), at)]).toEqual([minutes(ahead), at + minutes(ahead)])
})

it("offsets of former times have seconds", () => {
  expect(offsetAt(zone("America/Los_Angeles"), Date.UTC(1880, 0, 1))).toBe(-(7 * 3_600 + 52 * 60 + 58) * 1_000)
})

describe("firstInstant", () => {
  it.each([
    ["America/New_York", "2026-03-08T01:59:59", "2026-03-08T06:59:59Z", false],
    ["America/New_York", "2026-03-08T02:00:00", "2026-03-08T07:00:00Z", true],
    ["America/New_York", "2026-03-08T02:59:59", "2026-03-08T07:00:00Z", true],
    ["America/New_York", "2026-03-08T03:00:00", "2026-03-08T07:00:00Z", false],
    ["America/New_York", "2026-11-01T00:59:59", "2026-11-01T04:59:59Z", false],
    ["America/New_York", "2026-11-01T01:00:00", "2026-11-01T05:00:00Z", false],
    ["America/New_York", "2026-11-01T01:59:59", "2026-11-01T05:59:59Z", false],
    ["America/New_York", "2026-11-01T02:00:00", "2026-11-01T07:00:00Z", false],
    ["Australia/Lord_Howe", "2026-10-04T02:15:00", "2026-10-03T15:30:00Z", true],
    ["Australia/Lord_Howe", "2026-04-05T01:45:00", "2026-04-04T14:45:00Z", false],
    ["Antarctica/Troll", "2026-03-29T02:30:00", "2026-03-29T01:00:00Z", true],
    ["Antarctica/Troll", "2026-10-25T01:30:00", "2026-10-24T23:30:00Z", false],
    ["Pacific/Apia", "2011-12-29T23:59:59", "2011-12-30T09:59:59Z", false],
    ["Pacific/Apia", "2011-12-30T12:00:00", "2011-12-30T10:00:00Z", true],
    ["Pacific/Apia", "2011-12-31T00:00:00", "2011-12-30T10:00:00Z", false],
    ["+09:00", "2026-03-08T02:00:00", "2026-03-07T17:00:00Z", false]
  ])("%s shows %s at %s, skipped: %s", (name, shown, at, isSkipped) => {
    expect(firstInstant(zone(name), local(shown))).toEqual({ at: Date.parse(at), isSkipped })
  })
})

describe("latestLocal", () => {
  it.each([
    ["America/New_York", "2026-11-01T05:30:00Z", "2026-11-01T01:30:00"],
    ["America/New_York", "2026-11-01T06:00:00Z", "2026-11-01T01:59:59.999"],
    ["America/New_York", "2026-11-01T06:30:00Z", "2026-11-01T01:59:59.999"],
    ["America/New_York", "2026-11-01T07:00:00Z", "2026-11-01T02:00:00"],
    ["America/New_York", "2026-03-08T07:00:00Z", "2026-03-08T03:00:00"],
    ["Antarctica/Troll", "2026-10-25T02:59:00Z", "2026-10-25T02:59:59.999"],
    ["Pacific/Kwajalein", "1969-09-30T20:00:00Z", "1969-09-30T23:59:59.999"],
    ["-03:30", "2026-11-01T06:30:00Z", "2026-11-01T03:00:00"]
  ])("%s has shown at %s times until %s", (name, at, shown) => {
    expect(latestLocal(zone(name), Date.parse(at))).toBe(local(shown))
  })
})

describe("repeatAround", () => {
  it.each([
    ["America/New_York", "2026-11-01T04:59:59.999Z", undefined],
    ["America/New_York", "2026-11-01T05:00:00Z", ["2026-11-01T05:00:00Z", 60]],
    ["America/New_York", "2026-11-01T05:59:59.999Z", ["2026-11-01T05:00:00Z", 60]],
    ["America/New_York", "2026-11-01T06:00:00Z", ["2026-11-01T05:00:00Z", 60]],
    ["America/New_York", "2026-11-01T06:59:59.999Z", ["2026-11-01T05:00:00Z", 60]],
    ["America/New_York", "2026-11-01T07:00:00Z", undefined],
    ["America/New_York", "2026-03-08T06:30:00Z", undefined],
    ["America/New_York", "2026-03-08T07:30:00Z", undefined],
    ["Australia/Lord_Howe", "2026-04-04T14:45:00Z", ["2026-04-04T14:30:00Z", 30]],
    ["Antarctica/Troll", "2026-10-25T02:59:59Z", ["2026-10-24T23:00:00Z", 120]],
    ["+09:00", "2026-11-01T05:30:00Z", undefined]
  ] as const)("%s at %s: %j", (name, at, repeat) => {
    const expected = repeat && { start: Date.parse(repeat[0]), length: minutes(repeat[1]) }
    expect(repeatAround(zone(name), Date.parse(at))).toEqual(expected)
  })
})
