import { dayMillis } from "../../kernel/units.ts"
import { changeWithin, firstInstant, latestLocal, localAt, offsetAt } from "./clock.ts"
import { nextLocal } from "./nextLocal.ts"
import type { Cron } from "./parseCron.ts"
import type { Zone } from "./zones.ts"

/**
 * When something is due, and by which rule: at the time that the text says, or at the end of a gap for all that the clock skipped.
 * Where the end of the gap is such a time itself, it is `normal`. Storage format: add rules, never rename.
 */
export interface Slot {
  readonly at: number
  readonly rule: "normal" | "movedOutOfGap"
}

/** What is due at times of day: each local time once, at its first occurrence, and skipped ones where the gap ends. */
const nextOfClock = (cron: Cron, zone: Zone, after: number): Slot | undefined => {
  const local = nextLocal(cron, latestLocal(zone, after))
  if (local === undefined) return undefined
  const { at, isSkipped } = firstInstant(zone, local)
  const shown = localAt(zone, at)
  return { at, rule: isSkipped && nextLocal(cron, shown - 1) !== shown ? "movedOutOfGap" : "normal" }
}

/**
 * What is due at every instant whose local time fits. From each change of the offset on, croner is asked anew. Changes in the time before
 * a distant slot do not matter: no clock is put back by more than a day, so none shows a time again that was already looked at.
 */
const nextOfElapsed = (cron: Cron, zone: Zone, after: number): Slot | undefined => {
  let start = after + 1
  for (;;) {
    const offset = offsetAt(zone, start)
    const local = nextLocal(cron, start + offset - 1)
    if (local === undefined) return undefined
    const at = local - offset
    const end = Math.min(at, start + dayMillis)
    const change = changeWithin(zone, start, end)
    if (change === undefined && end === at) return { at, rule: "normal" }
    start = change?.at ?? Math.max(end, at - 2 * dayMillis)
  }
}

/** The first slot after an instant, in epoch milliseconds; undefined if there is none within a hundred years. */
export const nextSlot = (cron: Cron, zone: Zone, after: number): Slot | undefined =>
  cron.followsElapsedTime ? nextOfElapsed(cron, zone, after) : nextOfClock(cron, zone, after)
