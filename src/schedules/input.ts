import type { Decoded } from "../http/parameters/parameters.ts"
import { defined, nullAs } from "../kernel/defined.ts"
import type { changeSchedule, createSchedule } from "./contract.ts"
import { withoutBlanks } from "./cron/blanks.ts"
import type { ScheduleSettings, SettingsChanges } from "./events.ts"

/** The settings of a new schedule, from the parameters. Null counts as blank. */
export const settingsOf = (
  { active, cron, cron_timezone, description }: Decoded<(typeof createSchedule)["parameters"]>,
  ref: string
): ScheduleSettings => ({
  description: description ?? "",
  ref,
  cron: withoutBlanks(cron ?? ""),
  cronTimezone: cron_timezone,
  isActive: active
})

/** The same of one that is there: what is not sent stays. `ref` is the full name. */
export const changesOf = (
  { active, cron, cron_timezone, description }: Decoded<(typeof changeSchedule)["parameters"]>,
  ref: string | undefined
): SettingsChanges =>
  defined({
    description: nullAs(description, ""),
    ref,
    cron: cron === undefined ? undefined : withoutBlanks(cron ?? ""),
    cronTimezone: nullAs(cron_timezone, ""),
    isActive: active ?? undefined
  })
