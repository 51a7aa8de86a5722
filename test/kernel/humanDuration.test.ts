import fc from "fast-check"
import { expect, it } from "vitest"
import { parseDuration, printDuration } from "#src/kernel/humanDuration.ts"

it.each([
  ["1h30m", 5_400, "1h 30m"],
  ["1d", 28_800, "1d"],
  ["8h", 28_800, "1d"],
  ["1w 2d", 201_600, "1w 2d"],
  ["1mo", 576_000, "1mo"],
  ["3h30m", 12_600, "3h 30m"],
  ["30", 108_000, "3d 6h"],
  ["90s", 90, "1m 30s"],
  ["1h and 30m", 5_400, "1h 30m"],
  ["1.5 Hours", 5_400, "1h 30m"],
  ["day", 28_800, "1d"],
  ["1:30", 90, "1m 30s"],
  ["1:00:05", 3_605, "1h 5s"],
  ["1y", 31_557_600, "1y"],
  ["-3h", -10_800, "-3h"],
  [" -1m 30s ", -90, "-1m 30s"],
  ["0", 0, null]
])("%j is %d seconds, in words %s", (text, seconds, words) => {
  expect([parseDuration(text), printDuration(seconds)]).toEqual([seconds, words])
})

it.each(["", "-", "soon", "e", `${"9".repeat(400)}h`])("%j is no time", (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

it("reads what it writes", () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (seconds) => {
      expect(parseDuration(printDuration(seconds) ?? "0")).toBe(seconds)
    })
  )
})
