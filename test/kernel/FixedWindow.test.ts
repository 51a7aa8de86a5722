import { expect, it } from "vitest"
import { FixedWindow, secondsLeft, windowEnd } from "#src/kernel/FixedWindow.ts"

it("counts each key from one again in every minute", () => {
  const window = new FixedWindow()
  const count = (key: string, ...times: ReadonlyArray<number>) => times.map((now) => window.count(key, now))
  expect([count("a", 0, 30_000, 59_999), count("b", 59_999), count("a", 60_000, 119_999), count("b", 120_000)]).toEqual([
    [1, 2, 3],
    [1],
    [1, 2],
    [1]
  ])
})

it("counts one less in the same minute, and never less than none", () => {
  const window = new FixedWindow()
  window.giveBack("a", 0)
  expect([window.count("a", 0), window.count("a", 0)]).toEqual([1, 2])
  window.giveBack("a", 59_999)
  window.giveBack("b", 59_999)
  expect([window.count("a", 59_999), window.count("b", 59_999)]).toEqual([2, 1])
  window.giveBack("a", 60_000)
  expect([window.count("a", 59_999), window.count("a", 60_000)]).toEqual([3, 1])
})

it.each([
  [0, 60, 60],
  [59_000, 60, 1],
  [59_999, 60, 1],
  [60_000, 120, 60],
  [60_001, 120, 60]
])("at %i the window ends at %i, in %i seconds", (now, end, left) => {
  expect([windowEnd(now), secondsLeft(now)]).toEqual([end, left])
})
