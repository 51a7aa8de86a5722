import { onTestFinished, vi } from "vitest"

/** Stops the clock at the beginning of a minute until the test ends, so that what is counted by the minute is counted in one. */
export const startMinute = (): void => {
  vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / 60_000) * 60_000 })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}
