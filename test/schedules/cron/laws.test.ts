import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nextRun, type Timing } from "#src/schedules/cron/nextRun.ts"
import { parseCron } from "#src/schedules/cron/parseCron.ts"
import { previewed, slotsWithin, timing } from "./support/timings.ts"

const field = (min: number, max: number): fc.Arbitrary<string> => {
  const value = fc.integer({ min, max })
  const step = fc.integer({ min: 1, max: 99 })
  const element = fc.oneof(
    { weight: 3, arbitrary: fc.constant("*") },
    { weight: 3, arbitrary: value.map(String) },
    fc.tuple(value, value).map(([from, to]) => `${from}-${to}`),
    fc.tuple(value, value, step).map(([from, to, by]) => `${from}-${to}/${by}`),
    step.map((by) => `*/${by}`)
  )
  return fc.array(element, { minLength: 1, maxLength: 3 }).map((elements) => elements.join(","))
}

const ofMonth = fc.oneof({ weight: 4, arbitrary: field(1, 31) }, fc.constantFrom("L", "-2", "-5--1", "15,L", "1&"))
const ofWeek = fc.oneof({ weight: 4, arbitrary: field(0, 7) }, fc.constantFrom("1#1", "5#last", "mon%2+1", "2#-2", "6%3", "1&"))
const five = fc.tuple(field(0, 59), field(0, 24), ofMonth, field(1, 12), ofWeek).map((fields) => fields.join(" "))
const text = fc
  .oneof(
    { weight: 3, arbitrary: five },
    fc.tuple(field(0, 59), five).map((fields) => fields.join(" "))
  )
  .filter((each) => parseCron(each) !== undefined)
const zone = fc.constantFrom("UTC", "Europe/Berlin", "Australia/Lord_Howe", "Antarctica/Troll", "Africa/Cairo", "-0330")
const interval = fc.constantFrom(0, 60_000, 90_000, 420_000, 3_600_000)
const schedules: fc.Arbitrary<Timing> = fc.tuple(text, zone, interval).map(([cron, name, least]) => timing(cron, name, least))
const instant = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2028, 11, 31) })

describe("nextRun", () => {
  it("is after where it is asked from, and nothing runs between", () => {
    fc.assert(
      fc.property(schedules, instant, fc.nat(1_000_000), (schedule, after, percent) => {
        const next = nextRun(schedule, after)
        if (next === undefined) return
        expect(next.at).toBeGreaterThan(after)
        expect(next.at % 1_000).toBe(0)
        const between = after + Math.floor((next.at - 1 - after) * (percent / 1_000_000))
        expect(nextRun(schedule, between)).toEqual(next)
      })
    )
  })

  it("is no sooner than the minimal interval after the run before", () => {
    fc.assert(
      fc.property(schedules, instant, (schedule, after) => {
        const { slots } = slotsWithin(schedule, { from: after, to: Number.MAX_SAFE_INTEGER }, 8)
        const distances = slots.slice(1).map(({ at }, index) => at - (slots[index]?.at ?? at))
        expect(distances.filter((distance) => distance < Math.max(schedule.minIntervalMillis, 1_000))).toEqual([])
      })
    )
  })

  it("keeps every slot that is far enough from its neighbours", () => {
    fc.assert(
      fc.property(schedules, instant, (schedule, after) => {
        const all = { ...schedule, minIntervalMillis: 0 }
        const { slots } = slotsWithin(all, { from: after, to: Number.MAX_SAFE_INTEGER }, 6)
        const alone = slots.filter(({ at }, index) => {
          const [before, behind] = [slots[index - 1], slots[index + 1]]
          const least = schedule.minIntervalMillis
          return before && behind && at - before.at >= least && behind.at - at >= least
        })
        expect(alone.map(({ at }) => nextRun(schedule, at - 1))).toEqual(alone)
      })
    )
  })
})

it("slotsBetween is nextRun again and again", () => {
  fc.assert(
    fc.property(schedules, instant, fc.nat(40 * 86_400_000), (schedule, from, length) => {
      const { slots, hasMore } = slotsWithin(schedule, { from, to: from + length }, 5)
      const expected: Array<unknown> = []
      let next = nextRun(schedule, from)
      for (; next !== undefined && next.at <= from + length && expected.length < 5; next = nextRun(schedule, next.at))
        expected.push(next)
      expect([slots, hasMore]).toEqual([expected, next !== undefined && next.at <= from + length])
    })
  )
})

it("a preview without what is suppressed is what slotsBetween finds", () => {
  fc.assert(
    fc.property(schedules, instant, fc.nat(6), (schedule, after, count) => {
      const runs = previewed(schedule, after, count).filter(({ rule }) => rule !== "suppressedInRepeat")
      const { slots } = slotsWithin(schedule, { from: after, to: Number.MAX_SAFE_INTEGER }, count)
      expect(runs.map(({ at, rule }) => ({ at, rule }))).toEqual(slots)
    })
  )
})

it("any text is read or refused, and what is read has a run", () => {
  const part = fc.constantFrom(
    "*",
    "0",
    "1",
    "5",
    "24",
    "31",
    ",",
    "-",
    "/",
    "#",
    "%",
    "+",
    "&",
    "L",
    "mon",
    "feb",
    " ",
    " ",
    "\t"
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const cron = parseCron(parts.join(""))
      return cron === undefined || nextRun({ ...timing("* * * * *"), cron }, 0) !== undefined
    }),
    { numRuns: 2_000 }
  )
})
