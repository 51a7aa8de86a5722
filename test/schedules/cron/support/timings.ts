import type { Timing } from "#src/schedules/cron/nextRun.ts"
import { parseCron } from "#src/schedules/cron/parseCron.ts"
import { type PreviewEntry, preview } from "#src/schedules/cron/preview.ts"
import { slotsBetween } from "#src/schedules/cron/slotsBetween.ts"
import { zoneOf } from "#src/schedules/cron/zones.ts"
import { withoutPauses } from "#test/support/withoutPauses.ts"

export const timing = (text: string, zoneName = "UTC", minIntervalMillis = 0): Timing => {
  const cron = parseCron(text)
  const zone = zoneOf(zoneName)
  if (cron === undefined || zone === undefined) throw new Error(`No schedule: ${text}, ${zoneName}`)
  return { cron, zone, minIntervalMillis }
}

export const iso = (at: number): string => new Date(at).toISOString().replace(".000", "")

/** A preview without its pauses. */
export const previewed = (timing: Timing, after: number, count: number): ReadonlyArray<PreviewEntry> =>
  withoutPauses(preview(timing, after, count))

/** The slots of a span without pauses. */
export const slotsWithin = (...asked: Parameters<typeof slotsBetween>) => withoutPauses(slotsBetween(...asked))
