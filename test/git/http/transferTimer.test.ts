import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { startTimer } from "#src/git/http/transferTimer.ts"
import { LeastRate } from "#src/platform/work/LeastRate.ts"

const limits = { idleMillis: 1_000, totalMillis: 10_000 }
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it("a transfer ends when nothing moved for its time, and not while something does", () => {
  const expire = vi.fn()
  const timer = startTimer(limits, expire)
  for (let count = 0; count < 5; count++) {
    vi.advanceTimersByTime(900)
    timer.touch(0)
  }
  expect(expire).toHaveBeenCalledTimes(0)
  vi.advanceTimersByTime(5_000)
  expect(expire).toHaveBeenCalledTimes(1)
})

it("time in which the client is not waited for counts only for the whole", () => {
  const expire = vi.fn()
  let isClientAwaited = false
  const start = () => startTimer(limits, expire, () => isClientAwaited)
  start()
  vi.advanceTimersByTime(9_000)
  expect(expire).toHaveBeenCalledTimes(0)
  vi.advanceTimersByTime(1_000)
  expect(expire).toHaveBeenCalledTimes(1)
  start()
  vi.advanceTimersByTime(5_000)
  isClientAwaited = true
  vi.advanceTimersByTime(1_250)
  expect(expire).toHaveBeenCalledTimes(2)
})

it("a client that is too slow ends it, where it is waited for", () => {
  const expire = vi.fn()
  let isClientAwaited = false
  const rate = new LeastRate({ bytesPerSecond: 1_000, overMillis: 3_000 })
  const timer = startTimer({ idleMillis: 2_000, totalMillis: 60_000, rate }, expire, () => isClientAwaited)
  const pass = (seconds: number, bytes: number) => {
    for (let second = 0; second < seconds; second++) {
      vi.advanceTimersByTime(1_000)
      timer.touch(bytes)
    }
  }
  pass(10, 0)
  isClientAwaited = true
  pass(10, 1_000)
  // What came in a burst earns time in advance, but not for long.
  pass(1, 1_000_000)
  pass(2, 0)
  expect(expire).toHaveBeenCalledTimes(0)
  pass(2, 100)
  expect(expire).toHaveBeenCalledTimes(1)
})
