import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type DayRule, holdsOn, skipWeeks } from "#src/schedules/cron/dayRule.ts"

const any: DayRule = { days: "any", weekdays: "any", needsBoth: false }
const millisOfDay = 86_400_000

/** The days of a month on which a rule holds, looked at in the last minute of each. */
const daysOf = (rule: DayRule, year: number, month: number): ReadonlyArray<number> => {
  const first = Date.UTC(year, month - 1, 1)
  const length = (Date.UTC(year, month, 1) - first) / millisOfDay
  const days = Array.from({ length }, (_, index) => index + 1)
  return days.filter((day) => holdsOn(rule, first + day * millisOfDay - 60_000))
}

describe("holdsOn", () => {
  it.each([
    [{ ...any, days: [-1] }, 2024, 2, [29]],
    [{ ...any, days: [-1] }, 2100, 2, [28]],
    [{ ...any, days: [-2, 3] }, 2024, 4, [3, 29]],
    [{ ...any, days: [-31] }, 2024, 4, []],
    [{ ...any, days: [-31] }, 2024, 5, [1]],
    [{ ...any, weekdays: [{ day: 5, nth: -1 }] }, 2024, 5, [31]],
    [{ ...any, weekdays: [{ day: 5, nth: -5 }] }, 2024, 5, [3]],
    [{ ...any, weekdays: [{ day: 5, nth: -5 }] }, 2024, 6, []],
    [
      {
        ...any,
        weekdays: [
          { day: 1, nth: 1 },
          { day: 1, nth: 3 }
        ]
      },
      2024,
      9,
      [2, 16]
    ],
    [{ ...any, days: [-1], weekdays: [{ day: 1 }] }, 2024, 9, [2, 9, 16, 23, 30]],
    [{ ...any, days: [-1], weekdays: [{ day: 2 }] }, 2024, 9, [3, 10, 17, 24, 30]],
    [{ days: [-1], weekdays: [{ day: 1 }], needsBoth: true }, 2024, 9, [30]],
    [{ days: [-1], weekdays: [{ day: 2 }], needsBoth: true }, 2024, 9, []]
  ])("%j in %d-%d: %j", (rule, year, month, days) => {
    expect(daysOf(rule, year, month)).toEqual(days)
  })

  it.each([
    [6, 2, 0, 2019, 1, [12, 26]],
    [0, 2, 0, 2019, 4, [7, 21]],
    [0, 2, 1, 2019, 4, [14, 28]],
    [4, 4, 3, 2022, 9, [22]],
    [1, 2, 0, 2021, 5, [3, 17, 31]],
    [1, 2, 2, 2021, 5, [3, 17, 31]],
    [2, 4, 0, 2024, 3, [12]],
    [1, 2, 0, 2018, 12, [3, 17, 31]],
    [2, 2, 0, 2024, 7, [2, 16, 30]]
  ])("weekday %d of every %d weeks and %d, in %d-%d: %j", (day, every, offset, year, month, days) => {
    expect(daysOf({ ...any, weekdays: [{ day, weeks: { every, offset } }] }, year, month)).toEqual(days)
  })
})

describe("skipWeeks", () => {
  const weekday = fc.record({
    day: fc.integer({ min: 0, max: 6 }),
    weeks: fc.record({ every: fc.integer({ min: 1, max: 12 }), offset: fc.integer({ min: 0, max: 30 }) })
  })
  const local = fc.integer({ min: Date.UTC(2010, 0, 1), max: Date.UTC(2040, 0, 1) })

  it("is the time itself on a day of the rule, else the beginning of the next one", () => {
    fc.assert(
      fc.property(fc.array(weekday, { minLength: 1, maxLength: 3 }), local, (weekdays, from) => {
        const rule: DayRule = { ...any, weekdays }
        let expected = from
        while (!holdsOn(rule, expected)) expected = (Math.floor(expected / millisOfDay) + 1) * millisOfDay
        expect(skipWeeks(rule, from)).toBe(expected)
      })
    )
  })

  it("skips nothing where days count too, unless both have to fit", () => {
    const weekdays = [{ day: 1, weeks: { every: 260, offset: 0 } }]
    const from = Date.UTC(2026, 0, 1)
    expect(skipWeeks({ days: [3], weekdays, needsBoth: false }, from)).toBe(from)
    expect(skipWeeks({ days: [3], weekdays, needsBoth: true }, from)).toBeGreaterThan(from)
  })
})
