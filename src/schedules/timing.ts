import { type Timing as CronTiming, nextRun } from "./cron/nextRun.ts"
import { parseCron } from "./cron/parseCron.ts"
import { zoneOf } from "./cron/zones.ts"
import type { NextRun, ScheduleSettings } from "./events.ts"

/** The present, and the shortest time between two runs, in milliseconds. */
export interface Timing {
  readonly now: number
  readonly minInterval: number
}

type Times = Pick<ScheduleSettings, "cron" | "cronTimezone">

/** What the texts of a schedule mean; undefined where one of them means nothing. */
export const cronTimingOf = ({ cron: text, cronTimezone }: Times, minIntervalMillis: number): CronTiming | undefined => {
  const [cron, zone] = [parseCron(text), zoneOf(cronTimezone)]
  return cron && zone && { cron, zone, minIntervalMillis }
}

/** The first run after now; null where there is none. */
export const nextRunOf = (times: Times, { minInterval, now }: Timing): NextRun | null => {
  const timing = cronTimingOf(times, minInterval)
  const slot = timing && nextRun(timing, now)
  return slot === undefined ? null : { at: slot.at, reason: slot.rule }
}
