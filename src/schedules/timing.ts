import { LRUCache } from "lru-cache"
import { type Timing as CronTiming, nextRun } from "./cron/nextRun.ts"
import { type Cron, parseCron } from "./cron/parseCron.ts"
import { zoneOf } from "./cron/zones.ts"
import type { NextRun, ScheduleSettings } from "./events.ts"

/** The present, and the shortest time between two runs, in milliseconds. */
export interface Timing {
  readonly now: number
  readonly minInterval: number
}

type Times = Pick<ScheduleSettings, "cron" | "cronTimezone">

/** Many schedules have the same text, and reading one takes longer than asking what was read. */
const crons = new LRUCache<string, Cron>({ max: 1_000 })

const cronOf = (text: string): Cron | undefined => {
  const cron = crons.get(text) ?? parseCron(text)
  if (cron !== undefined) crons.set(text, cron)
  return cron
}

/** What the texts of a schedule mean; undefined where one of them means nothing. */
export const cronTimingOf = ({ cron: text, cronTimezone }: Times, minIntervalMillis: number): CronTiming | undefined => {
  const [cron, zone] = [cronOf(text), zoneOf(cronTimezone)]
  return cron && zone && { cron, zone, minIntervalMillis }
}

/** The first run after now; null where there is none. */
export const nextRunOf = (times: Times, { minInterval, now }: Timing): NextRun | null => {
  const timing = cronTimingOf(times, minInterval)
  const slot = timing && nextRun(timing, now)
  return slot === undefined ? null : { at: slot.at, reason: slot.rule }
}
