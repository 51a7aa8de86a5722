import { onTestFinished, vi } from "vitest"

/** Stops the clock at the beginning of a minute an hour ahead until the test ends, so that what is counted by the minute is counted in one. */
export const startMinute = (): void => {
  vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / 60_000) * 60_000 + 3_600_000 })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}
