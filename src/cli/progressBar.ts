import { Clock, Effect } from "effect"
import { TerminalCapabilities } from "effect/cli"

/** How far something has come. */
export interface Progress {
  /** The fraction that is done, from 0 to 1. */
  readonly fraction: number
  /** The rate in events a second; undefined where no events are counted. */
  readonly rate: number | undefined
  readonly secondsLeft: number | undefined
}

const width = 30

export const thousands = (value: number): string => Math.round(value).toLocaleString("en-US")

/** The duration written as `2:05` or `1:00:00`. */
export const clock = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const tail = String(rest).padStart(2, "0")
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, "0")}:${tail}`
}

const percent = (fraction: number): string => `${Math.floor(fraction * 100)}%`.padStart(4)

const numbers = ({ fraction, rate, secondsLeft }: Progress): string =>
  [
    percent(fraction),
    ...(rate === undefined ? [] : [`${thousands(rate)} events/s`]),
    ...(secondsLeft === undefined ? [] : [`${clock(secondsLeft)} left`])
  ].join("  ")

/** The bar looks like `[##########--------------------]  33%  81,000 events/s  0:12 left`. */
export const bar = (progress: Progress): string => {
  const done = Math.round(progress.fraction * width)
  return `[${"#".repeat(done)}${"-".repeat(width - done)}] ${numbers(progress)}`
}

/** Time left, judged by the pace since the first look, which need not have been at the start. */
export const secondsLeft = (
  first: { at: number; fraction: number },
  now: { at: number; fraction: number }
): number | undefined => {
  const [passed, gained] = [(now.at - first.at) / 1000, now.fraction - first.fraction]
  return passed < 0.5 || gained <= 0 ? undefined : (passed / gained) * (1 - now.fraction)
}

export interface ProgressBar {
  readonly show: (fraction: number, rate?: number) => Effect.Effect<void>
  /** Removes the bar, so that other output can follow. */
  readonly clear: Effect.Effect<void>
}

const animated = (write: (text: string) => void): Pick<ProgressBar, "clear"> & { show: (progress: Progress) => void } => ({
  show: (progress) => write(`\r\x1b[2K${bar(progress)}`),
  clear: Effect.sync(() => write("\r\x1b[2K"))
})

/** Prints one line for each tenth. */
const plain = (write: (text: string) => void): Pick<ProgressBar, "clear"> & { show: (progress: Progress) => void } => {
  let tenths = 0
  return {
    show: (progress) => {
      const reached = Math.floor(progress.fraction * 10)
      if (reached === tenths) return
      tenths = reached
      write(`${numbers(progress)}\n`)
    },
    clear: Effect.void
  }
}

/** A bar on the standard error output: redrawn in place on a terminal, else a line now and then. */
export const progressBar: Effect.Effect<ProgressBar> = Effect.gen(function* () {
  const { canAnimate } = yield* TerminalCapabilities.TerminalCapabilities
  const write = (text: string) => process.stderr.write(text)
  const { clear, show } = canAnimate ? animated(write) : plain(write)
  let first: { at: number; fraction: number } | undefined
  return {
    clear,
    show: (fraction, rate) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        const now = { at, fraction: Math.min(1, fraction) }
        first ??= now
        show({ fraction: now.fraction, rate, secondsLeft: secondsLeft(first, now) })
      })
  }
})
