import { describe, expect, it } from "vitest"
import type { DayRule } from "#src/schedules/cron/dayRule.ts"
import { type Cron, parseCron } from "#src/schedules/cron/parseCron.ts"
import type { Weekday } from "#src/schedules/cron/weekdays.ts"

/** The days that six fields in the words of croner say. */
const daysOf = (pattern: string): DayRule => {
  const [, , , days = "", , weekdays = ""] = pattern.split(" ")
  const weekdayOf = (text: string): Weekday => {
    const [day, nth] = text.split("#").map(Number)
    return nth === undefined ? { day: day ?? -1 } : { day: day ?? -1, nth }
  }
  return {
    days: days === "*" ? "any" : days.split(",").map(Number),
    weekdays: weekdays === "*" ? "any" : weekdays.split(",").map(weekdayOf),
    needsBoth: false
  }
}

/** Five fields in the words of croner, without the second. */
const ofMinutes = (pattern: string): Cron => ({
  pattern: `0 ${pattern}`,
  days: daysOf(`0 ${pattern}`),
  isExact: true,
  followsElapsedTime: pattern.split(" ")[1] === "*",
  isMinutely: true
})

const range = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, index) => from + index).join(",")

describe("parseCron understands", () => {
  it.each([
    ["* * * * *", "* * * * *"],
    ["0 1 * * 5", "0 1 * * 5"],
    ["30 8-10 * * *", "30 8,9,10 * * *"],
    ["0,30,15 * * * *", "0,15,30 * * * *"],
    ["5/15 * * * *", "5,20,35,50 * * * *"],
    ["15-40/30 * * * *", "15 * * * *"],
    ["0 14-19/2,8-12 * * *", "0 8,9,10,11,12,14,16,18 * * *"],
    ["0 7/5 * * *", "0 7,12,17,22 * * *"],
    ["0 0 20/5 * *", "0 0 20,25,30 * *"],
    ["0 0 1 9/2 *", "0 0 1 9,11 *"],
    ["00 07 * * *", "0 7 * * *"],
    ["0 0 01 02 *", "0 0 1 2 *"],
    ["0 22-4 * * *", "0 0,1,2,3,4,22,23 * * *"],
    ["0 22-4/2 * * *", "0 0,2,4,22 * * *"],
    ["55-5 3 * * *", `${range(0, 5)},55,56,57,58,59 3 * * *`],
    ["0 0 1 nov-feb *", "0 0 1 1,2,11,12 *"],
    ["0 0 30-2 * *", "0 0 1,2,30,31 * *"],
    ["0 0 1 10-5 *", "0 0 1 1,2,3,4,5,10,11,12 *"],
    ["0 0 * * fri-mon", "0 0 * * 5,6,0,1"],
    ["0 0 * * 5-2", "0 0 * * 5,6,0,1,2"],
    ["0 0 * * 7-2", "0 0 * * 0,1,2"],
    ["0 0 * * 5-7", "0 0 * * 5,6,0"],
    ["0 0 * * 1-5/2", "0 0 * * 1,3,5"],
    ["0 0 * * fri-mon/2", "0 0 * * 5,0"],
    ["0 0 * * 3/2", "0 0 * * 3"],
    ["0 0 1 jan,Feb,MAR *", "0 0 1 1,2,3 *"],
    ["0 0 * * sun,Tue,SAT", "0 0 * * 0,2,6"],
    ["0 0 * * 0", "0 0 * * 0"],
    ["0 0 * * 7", "0 0 * * 0"],
    ["0 24 * * *", "0 0 * * *"],
    ["0 22-24 * * *", "0 0,22,23 * * *"],
    ["0 24-3 * * *", "0 0,1,2,3 * * *"],
    ["0 0-24 * * *", `0 ${range(0, 23)} * * *`],
    ["0 0 25-L * *", `0 0 ${range(25, 31)} * *`],
    ["0 0 1 * 1", "0 0 1 * 1"],
    ["0 0 1-31 * 1", "0 0 * * 1"],
    ["0 0 */1 * 1", "0 0 * * 1"],
    ["0 0 1 * 0-6", "0 0 1 * 0,1,2,3,4,5,6"],
    ["0 0 1 * */2", "0 0 1 * 0,2,4,6"],
    ["0 0 * * 5#1", "0 0 * * 5#1"],
    ["0 0 * * mon#1,3#3", "0 0 * * 1#1,3#3"],
    ["0 0 * * 7#5", "0 0 * * 0#5"],
    ["0,30, 1 * * *", "0,30 1 * * *"],
    [",0 1 * * *", "0 1 * * *"],
    [",,10,,20, 1 * * *", "10,20 1 * * *"],
    ["10,,20 1 1,,11,,21, * *", "10,20 1 1,11,21 * *"],
    ["0 0 1, ,15 * *", "0 0 1,15 * *"],
    ["*/60 1 * * *", "0 1 * * *"],
    ["0 0 */32 * *", "0 0 1 * *"],
    ["0 0 */10 * *", "0 0 1,11,21,31 * *"],
    ["0 0 1 */10 *", "0 0 1 1,11 *"],
    ["0 0 31 4,5 *", "0 0 31 5 *"],
    ["0 0 30 2,4 1", "0 0 30 4 1"],
    ["0 0 29 2 *", "0 0 29 2 *"],
    ["0\t0  *\t *   *", "0 0 * * *"],
    [" 0 1 * * 5\n", "0 1 * * 5"]
  ])("%j", (text, pattern) => {
    expect(parseCron(text)).toEqual(ofMinutes(pattern))
  })

  it.each([
    ["*/10 * * * *", "0 0,10,20,30,40,50 * * * *"],
    [
      "0 */2 * * *",
      `0 0 ${range(0, 23)
        .split(",")
        .filter((_, index) => index % 2 === 0)
        .join(",")} * * *`
    ],
    ["0 /6 * * *", "0 0 0,6,12,18 * * *"],
    ["0 */27 * * *", "0 0 0 * * *"],
    ["0 *, * * *", "0 0 * * * *"]
  ])("%j, whose hours follow elapsed time", (text, pattern) => {
    expect(parseCron(text)).toEqual({ pattern, days: daysOf(pattern), isExact: true, followsElapsedTime: true, isMinutely: true })
  })

  it.each(["0 0-23 * * *", "0 1/2 * * *", "0 */2,5 * * *", "0 1-23/2 * * *"])("%j, whose hours are times of day", (text) => {
    expect(parseCron(text)?.followsElapsedTime).toBe(false)
  })

  it.each([
    ["* * * * * *", "* * * * * *"],
    ["30 0 1 * * 5", "30 0 1 * * 5"],
    ["*/20 0 9 * * *", "0,20,40 0 9 * * *"],
    ["0 0 1, 15 * *", "0 0 1 15 * *"]
  ])("%j with seconds", (text, pattern) => {
    expect(parseCron(text)).toEqual({
      pattern,
      days: daysOf(pattern),
      isExact: true,
      followsElapsedTime: pattern.split(" ")[2] === "*",
      isMinutely: false
    })
  })

  it.each(["0 0 1& * 1", "0 0 1 * 1&", "0 0 1& * 1&", "0 0 1,& * 1 ,&"])("%j, on days that are both", (text) => {
    const both = { days: [1], weekdays: [{ day: 1 }], needsBoth: true }
    expect(parseCron(text)).toEqual({ ...ofMinutes("0 0 1 * 1"), days: both })
  })

  it.each([
    ["L * *", "28,29,30,31 * *", [-1], "any"],
    ["l * *", "28,29,30,31 * *", [-1], "any"],
    ["last * *", "28,29,30,31 * *", [-1], "any"],
    ["-1 * *", "28,29,30,31 * *", [-1], "any"],
    ["-2 * *", "27,28,29,30 * *", [-2], "any"],
    ["-5--1 * *", `${range(24, 31)} * *`, [-5, -4, -3, -2, -1], "any"],
    ["-5-L/2 * *", `${range(24, 31)} * *`, [-5, -3, -1], "any"],
    ["-31 * *", "1 * *", [-31], "any"],
    ["15,L * *", "15,28,29,30,31 * *", [-1, 15], "any"],
    ["* * fri#last", "* * 5", "any", [{ day: 5, nth: -1 }]],
    ["* * fri#L", "* * 5", "any", [{ day: 5, nth: -1 }]],
    ["* * fri#-1", "* * 5", "any", [{ day: 5, nth: -1 }]],
    [
      "* * 5#-5,1#2",
      "* * 5,1#2",
      "any",
      [
        { day: 5, nth: -5 },
        { day: 1, nth: 2 }
      ]
    ],
    ["* * mon%2", "* * 1", "any", [{ day: 1, weeks: { every: 2, offset: 0 } }]],
    ["* * mon%2+1", "* * 1", "any", [{ day: 1, weeks: { every: 2, offset: 1 } }]],
    ["* * 7%260+900", "* * 0", "any", [{ day: 0, weeks: { every: 260, offset: 900 } }]]
  ] as const)("0 0 %s, which croner has no word for", (text, pattern, days, weekdays) => {
    const rule = { days, weekdays, needsBoth: false }
    expect(parseCron(`0 0 ${text}`)).toEqual({ ...ofMinutes(`0 0 ${pattern}`), days: rule, isExact: false })
  })
})

describe("parseCron refuses", () => {
  it.each(["@daily", "@hourly", "@weekly", "@monthly", "@yearly", "@midnight", "@noon", "@reboot", "@annually"])("%j", (text) => {
    expect(parseCron(text)).toBeUndefined()
  })

  it.each([
    "",
    "   ",
    "* * * *",
    "* * * * * * *",
    "*********",
    '"0 1 * * *"',
    "'0 1 * * *'",
    "0 0 * * *\n0 1 * * *",
    "0 0\n* * *",
    "0\u00a00 * * *"
  ])("%j, which is not five or six fields", (text) => {
    expect(parseCron(text)).toBeUndefined()
  })

  it.each([
    "0 0 * * monday",
    "0 0 1 January *",
    "0 0 5L * *",
    "0 0 * * 5L",
    "0 0 W * *",
    "0 0 15W * *",
    "0 0 1W * *",
    "0 0 LW * *",
    "0 0 ? * *",
    "H 0 * * *",
    "~ 0 * * *",
    "0-9~ 0 * * *",
    "60 * * * *",
    "000 * * * *",
    "-1 * * * *",
    "0 25 * * *",
    "0 0 0 * *",
    "0 0 32 * *",
    "0 0 * 0 *",
    "0 0 * 13 *",
    "0 0 * * 8",
    "0 0 * * 00",
    "0 0 * * 5#6",
    "0 0 * * 5#0",
    "0 0 * * 1-5#2",
    "0 0 * * mon%0",
    "0 0 * * mon%261",
    "0 0 * * 1+2",
    "60 0 0 * * *",
    "1- * * * *",
    "1--5 * * * *",
    "*-5 * * * *",
    "1.5 * * * *",
    "1e1 * * * *",
    ", * * * *",
    "0 ,8 * * *",
    "0 0 * * * 2026",
    "1& 0 * * *",
    "0 1& * * *",
    "0 0 1 1& *",
    "0 0 &1 * *",
    "0 0 1&& * *"
  ])("%j, in which a field is none", (text) => {
    expect(parseCron(text)).toBeUndefined()
  })

  it.each(["*/100 * * * *", "*/0 * * * *", "/0 * * * *", "1-5/00 * * * *", "0 0 * * */0", "*/ * * * *", "*/-5 * * * *"])(
    "%j, which is no step",
    (text) => {
      expect(parseCron(text)).toBeUndefined()
    }
  )

  it.each([
    "0 0 31 2 *",
    "0 0 30 2 *",
    "0 0 31 4 *",
    "0 0 31 2,4,6,9,11 *",
    "0 0 31 2 1",
    "0 0 -31 2 *",
    "0 0 1 * 1#2&",
    "0 0 29 2 1#1&",
    "0 0 L 2 1#3&"
  ])("%j, which never happens", (text) => {
    expect(parseCron(text)).toBeUndefined()
  })

  it.each(["0 0 L-5 * *", "0 0 -5-10 * *", "0 0 -5/2 * *", "0 0 L/2 * *"])("%j, back past the end of the month", (text) => {
    expect(parseCron(text)).toBeUndefined()
  })

  it.each(["0 0 * * * UTC", "0 0 * * * Europe/Paris", "every 3h", "every day at noon", "2026-01-01 00:00:00"])(
    "%j, which is something else",
    (text) => {
      expect(parseCron(text)).toBeUndefined()
    }
  )

  it("long texts unread, and texts of commas and blanks quickly", () => {
    const fill = (part: string, length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
    const texts = [",", " ,", "0,", ", ", "\t", "0 ", "*/1,", "1-"].flatMap((part) => [
      `${fill(part, 990)}x`,
      `0${fill(part, 990)}x`,
      `${fill(part, 1_048_576)} * * * *`
    ])
    const start = performance.now()
    expect(texts.map(parseCron)).toEqual(texts.map(() => undefined))
    expect(performance.now() - start).toBeLessThan(500)
  })

  it("no text that writes out every value", () => {
    const text = `${range(0, 59)} ${range(0, 59)} ${range(0, 23)} ${range(1, 31)} ${range(1, 12)} ${range(0, 6)}`
    expect(parseCron(text)).toEqual({
      pattern: text,
      days: daysOf(text),
      isExact: true,
      followsElapsedTime: false,
      isMinutely: false
    })
  })
})
