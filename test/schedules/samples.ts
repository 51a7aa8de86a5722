import { scheduleAggregate } from "#src/schedules/aggregate.ts"
import type { Command, Create } from "#src/schedules/commands.ts"
import { ScheduleEvent, type ScheduleSettings, type Variable } from "#src/schedules/events.ts"
import type { State } from "#src/schedules/state.ts"
import { stepOf } from "#test/support/aggregateLaws.ts"

export const minute = 60_000
/** A Wednesday. */
export const now = Date.UTC(2024, 8, 18, 10, 15, 27)

export const settings: ScheduleSettings = {
  description: "Nightly build",
  ref: "refs/heads/main",
  cron: "0 1 * * *",
  cronTimezone: "UTC",
  isActive: true
}

/** When the schedule of the samples runs. */
export const nextRun = { at: Date.UTC(2024, 8, 19, 1), reason: "normal" } as const

export const create: Create = {
  _tag: "Create",
  projectId: 4,
  ownerId: 7,
  settings,
  reachedLimit: null,
  now,
  minInterval: minute
}

export const variable: Variable = { variableType: "env_var", value: "sealed", raw: false }

export const created = ScheduleEvent.cases.ScheduleCreated.make({ projectId: 4, ownerId: 7, ...settings, nextRun })

const step = stepOf(scheduleAggregate)

/** The state behind these commands. */
export const stateBehind = (...commands: ReadonlyArray<Command>): State => commands.reduce(step, scheduleAggregate.initial)
