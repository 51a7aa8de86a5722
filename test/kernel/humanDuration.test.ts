import fc from "fast-check"
import { expect, it } from "vitest"
import { parseDuration, printDuration } from "#src/kernel/humanDuration.ts"
import { cpuMillis } from "#test/support/processes/cpuTime.ts"

it.each([
  ["1h30m", 5_400, "1h 30m"],
  ["1d", 28_800, "1d"],
  ["8h", 28_800, "1d"],
  ["1w 2d", 201_600, "1w 2d"],
  ["1mo", 576_000, "1mo"],
  ["3h30m", 12_600, "3h 30m"],
  ["30", 108_000, "3d 6h"],
  ["90s", 90, "1m 30s"],
  ["3", 10_800, "3h"],
  ["1h and 30m", 5_400, "1h 30m"],
  ["1h, 30m", 5_400, "1h 30m"],
  ["1h plus 2m with 3s", 3_723, "1h 2m 3s"],
  ["about 3 big hours of work", 10_800, "3h"],
  ["1.5 Hours", 5_400, "1h 30m"],
  [".5h", 1_800, "30m"],
  ["1.4s", 1, "1s"],
  ["day", 28_800, "1d"],
  ["day 3h", 39_600, "1d 3h"],
  ["3h day", 10_800, "3h"],
  ["2 secs 1 min 1 hr 1 dy 1 week 1 mos 1 yr", 32_310_062, "1y 1mo 1w 1d 1h 1m 2s"],
  ["1:30", 90, "1m 30s"],
  ["1:00:05", 3_605, "1h 5s"],
  ["1 : 30", 90, "1m 30s"],
  ["1y", 31_557_600, "1y"],
  ["4w", 576_000, "1mo"],
  ["5d", 144_000, "1w"],
  ["-3h", -10_800, "-3h"],
  [" -1m 30s ", -90, "-1m 30s"],
  ["1h -30m", 5_400, "1h 30m"],
  ["1h 30", 111_600, "3d 7h"],
  ["3 4", 25_200, "7h"],
  ["0", 0, null],
  ["-0", 0, null]
])("%j is %d seconds, in words %s", (text, seconds, words) => {
  expect([parseDuration(text), printDuration(seconds)]).toEqual([seconds, words])
})

it.each([
  ["one hour", 1],
  ["twenty-five hours", 25],
  ["a hundred and five hours", 105],
  ["three hundred twelve hours", 312],
  ["two thousand three hundred hours", 2_300],
  ["one hundred forty two thousand hours", 142_000],
  ["2 thousand hours", 2_000],
  ["two three", 5],
  ["ten five", 15],
  ["half an hour", 0.5],
  ["one and a half hours", 1.5]
])("%j is %d hours", (text, hours) => {
  expect(parseDuration(text)).toBe(hours * 3_600)
})

it.each(["", "-", "soon", "e", "1:2:3:4", "at 1:30", ":30", `${"9".repeat(400)}h`, "9007199254740993s"])(
  "%j is no time",
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  }
)

it.each([
  [144_000, "40h"],
  [31_557_600, "8766h"],
  [-90, "-1m 30s"],
  [0, null]
])("%d seconds are %s where hours are the largest unit", (seconds, words) => {
  expect(printDuration(seconds, { limitsToHours: true })).toBe(words)
})

it("reads what it writes", () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), fc.boolean(), (seconds, limitsToHours) => {
      expect(parseDuration(printDuration(seconds, { limitsToHours }) ?? "0")).toBe(seconds)
    })
  )
})

it("answers whole seconds or nothing, and the negated time behind a minus", () => {
  const words = fc.constantFrom("1", "2.5", " ", "h", "m", ":", "-", "and", "one", "hundred", "half", "x", ",")
  fc.assert(
    fc.property(fc.array(words), (parts) => {
      const text = parts.join("").trim()
      const seconds = parseDuration(text)
      expect(seconds === undefined || Number.isSafeInteger(seconds)).toBe(true)
      if (!text.startsWith("-") && seconds !== undefined) expect(parseDuration(`-${text}`)).toBe(seconds === 0 ? 0 : -seconds)
    })
  )
})

it.each(["1h", "9", " ", ":", "1 :", "one ", "hundred ", "."])("takes linear time for a MiB of %j", (part) => {
  const begun = cpuMillis()
  parseDuration(part.repeat(2 ** 20 / part.length))
  expect(cpuMillis() - begun).toBeLessThan(2_000)
})
