import { nextSlot, type Slot } from "./nextSlot.ts"
import type { Cron } from "./parseCron.ts"
import type { Zone } from "./zones.ts"

/** When a schedule is due. */
export interface Timing {
  readonly cron: Cron
  readonly zone: Zone
  /** No run comes sooner after another one; 0 for no limit. */
  readonly minIntervalMillis: number
}

const firstFrom = ({ cron, zone }: Timing, start: number): Slot | undefined => nextSlot(cron, zone, start - 1)

/** Whether the step that begins there has a run: unless the first slot of the step is too near to the run of the step before. */
const hasRun = (timing: Timing, start: number): boolean => {
  const { minIntervalMillis } = timing
  let runs = true
  let slot = firstFrom(timing, start)
  for (let from = start - minIntervalMillis; slot !== undefined; from -= minIntervalMillis) {
    const before = firstFrom(timing, from)
    if (before === undefined || slot.at - before.at >= minIntervalMillis || before.at === slot.at) break
    runs = !runs
    slot = before
  }
  return runs
}

const nextMerged = (timing: Timing, after: number): Slot | undefined => {
  const { cron, zone, minIntervalMillis } = timing
  for (let slot = nextSlot(cron, zone, after); slot !== undefined; ) {
    const start = Math.floor(slot.at / minIntervalMillis) * minIntervalMillis
    if (firstFrom(timing, start)?.at === slot.at && hasRun(timing, start)) return slot
    slot = firstFrom(timing, start + minIntervalMillis)
  }
  return undefined
}

/**
 * The first run after an instant, in epoch milliseconds; undefined if there is none within a hundred years.
 *
 * Slots that are nearer to each other than the minimal interval are merged: time is divided into steps of that length, counted from 1970,
 * of which each has one run at most, its first slot, and none where that is too near to the run of the step before. So it does not matter
 * from where one looks, and however often a schedule is saved, its runs stay apart.
 */
export const nextRun = (timing: Timing, after: number): Slot | undefined => {
  const { cron, zone, minIntervalMillis } = timing
  const isApart = minIntervalMillis <= (cron.isMinutely ? 60_000 : 1_000)
  return isApart ? nextSlot(cron, zone, after) : nextMerged(timing, after)
}
