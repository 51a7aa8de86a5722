import { expect, it } from "vitest"
import { durationSeconds } from "#src/pipelines/config/entries/duration.ts"

it.each([
  ["3600", 3_600],
  ["90 seconds", 90],
  ["45 s", 45],
  ["10m", 600],
  ["1h 30m", 5_400],
  ["3h30m", 12_600],
  ["2 hrs 20 mins", 8_400],
  ["1.5 hours", 5_400],
  ["1 day", 86_400],
  ["2 Days and 4 Hours", 187_200],
  ["1 week, 1 day", 691_200],
  ["1 mo", 2_592_000],
  ["1 year", 31_557_600],
  ["1:30", 90],
  ["1:30:00", 5_400],
  ["  5 min  ", 300],
  ["0", undefined],
  ["0 s", undefined],
  ["", undefined],
  [" ", undefined],
  ["x", undefined],
  ["hour", undefined],
  ["1 fortnight", undefined],
  ["1h x", undefined],
  ["-1h", undefined],
  ["1h -1m", undefined],
  ["1::2", undefined],
  [`1${"0".repeat(255)} s`, undefined]
])("%j is %s seconds", (text, seconds) => {
  expect(durationSeconds(text)).toBe(seconds)
})
