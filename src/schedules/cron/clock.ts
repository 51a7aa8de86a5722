import { LRUCache } from "lru-cache"
import { hourMillis } from "../../kernel/units.ts"
import type { Zone } from "./zones.ts"

/** Local times are milliseconds too: what a clock of the zone shows, read as if it were UTC. */

/** Making a format takes a hundred times as long as using it. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 200 })

const formatOf = (name: string): Intl.DateTimeFormat => {
  const known = formats.get(name)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" })
  formats.set(name, format)
  return format
}

/** Such as `1/1/1970, GMT+05:30`; long ago with seconds, and in UTC perhaps without the numbers. */
const written = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/

/** By how many milliseconds local time is ahead of UTC at an instant. */
export const offsetAt = (zone: Zone, at: number): number => {
  if (zone._tag === "Fixed") return zone.offsetMillis
  const [, sign, hours = 0, minutes = 0, seconds = 0] = written.exec(formatOf(zone.name).format(at)) ?? []
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  return sign === "-" ? -size : size
}

export const localAt = (zone: Zone, at: number): number => at + offsetAt(zone, at)

/** `at` is the first instant with the offset `after`. */
interface Change {
  readonly at: number
  readonly before: number
  readonly after: number
}

/** The change of the offset after `from` and until `to`, which are so near to each other that there is one at most. */
export const changeWithin = (zone: Zone, from: number, to: number): Change | undefined => {
  const before = offsetAt(zone, from)
  const after = offsetAt(zone, to)
  if (before === after) return undefined
  // Clocks change at whole seconds.
  let [low, high] = [Math.floor(from / 1_000), Math.ceil(to / 1_000)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(zone, middle * 1_000) === before) low = middle
    else high = middle
  }
  return { at: high * 1_000, before, after }
}

/** No clock was ever put back by more. */
const maxRepeatMillis = 24 * hourMillis

/** The latest local time that clocks have shown until an instant: in the second pass of a repeated hour the end of the first. */
export const latestLocal = (zone: Zone, at: number): number => {
  const change = changeWithin(zone, at - maxRepeatMillis, at)
  const now = localAt(zone, at)
  return change === undefined ? now : Math.max(now, change.at - 1 + change.before)
}

/** The largest offset there is or was. */
const maxOffsetMillis = 16 * hourMillis

/**
 * The first instant at which clocks show a local time or a later one, and whether it is a later one, because that time is skipped: then
 * this is where the gap ends. A time that comes twice is met at its first occurrence.
 */
export const firstInstant = (zone: Zone, local: number): { readonly at: number; readonly isSkipped: boolean } => {
  const change = changeWithin(zone, local - maxOffsetMillis, local + maxOffsetMillis)
  if (change === undefined) return { at: local - offsetAt(zone, local), isSkipped: false }
  const early = local - change.before
  if (early < change.at) return { at: early, isSkipped: false }
  const late = local - change.after
  return late < change.at ? { at: change.at, isSkipped: true } : { at: late, isSkipped: false }
}

/** A repeated hour: when its first pass begins, and how much later the second does. */
interface Repeat {
  readonly start: number
  readonly length: number
}

/** The repeated hour in which an instant is, in either pass. */
export const repeatAround = (zone: Zone, at: number): Repeat | undefined => {
  const change = changeWithin(zone, at - maxRepeatMillis, at + maxRepeatMillis)
  if (change === undefined) return undefined
  const length = change.before - change.after
  const start = change.at - length
  return at >= start && at < change.at + length ? { start, length } : undefined
}
