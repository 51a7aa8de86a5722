import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { startTimer } from "#src/git/http/transferTimer.ts"

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
    timer.touch()
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
