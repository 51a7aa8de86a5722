import { offsetAt, repeatAround } from "./clock.ts"
import { nextRun, type Timing } from "./nextRun.ts"
import type { Slot } from "./nextSlot.ts"
import type { Zone } from "./zones.ts"

/** A coming run, or a second pass of a repeated hour in which what has run in the first does not run again. */
export interface PreviewEntry {
  readonly at: number
  /** What clocks of the zone show then: `2026-03-29T03:00:00`. */
  readonly local: string
  /** Of that local time from UTC: `+02:00`. */
  readonly offset: string
  readonly rule: Slot["rule"] | "suppressedInRepeat"
}

const twoDigits = (number: number): string => String(number).padStart(2, "0")

const written = (offset: number): string => {
  const minutes = Math.floor(Math.abs(offset) / 60_000)
  return `${offset < 0 ? "-" : "+"}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

const entryOf = (zone: Zone, at: number, rule: PreviewEntry["rule"]): PreviewEntry => {
  const offset = offsetAt(zone, at)
  return { at, local: new Date(at + offset).toISOString().slice(0, 19), offset: written(offset), rule }
}

/** A run, and its time in a second pass where that is suppressed. */
const entriesOf = ({ cron, zone }: Timing, { at, rule }: Slot): ReadonlyArray<PreviewEntry> => {
  const run = entryOf(zone, at, rule)
  const repeat = cron.followsElapsedTime ? undefined : repeatAround(zone, at)
  return repeat === undefined ? [run] : [run, entryOf(zone, at + repeat.length, "suppressedInRepeat")]
}

/**
 * The next runs after an instant, that many, and the suppressed ones that come then, which do not count; in order. Those of an hour that
 * is being repeated belong to runs before the instant, so the look begins with that hour. It may pause after each run: one that is rare
 * takes a millisecond.
 */
export function* preview(timing: Timing, after: number, count: number): Generator<void, ReadonlyArray<PreviewEntry>, void> {
  const entries: Array<PreviewEntry> = []
  const repeat = repeatAround(timing.zone, after)
  let left = count
  for (let from = (repeat?.start ?? after + 1) - 1; left > 0; ) {
    const slot = nextRun(timing, from)
    if (slot === undefined) break
    entries.push(...entriesOf(timing, slot).filter(({ at }) => at > after))
    if (slot.at > after) left -= 1
    from = slot.at
    yield
  }
  return entries.toSorted((one, other) => one.at - other.at)
}
