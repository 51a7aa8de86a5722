import { Effect } from "effect"
import { PipelineQueries } from "../pipelines/Pipelines.ts"
import { Users } from "../users/Users.ts"
import type { ScheduleDetails } from "./Queries.ts"
import type { Remains } from "./writes.ts"

const newest = { by: "id", descending: true } as const

/** A schedule that was deleted, as it was shown before. */
export const removedDetails = Effect.fnUntraced(function* (id: number, { createdAt, nextRunAt, schedule, updatedAt }: Remains) {
  const { ownerId, projectId, settings } = schedule
  const owner = yield* Users.use((users) => users.find(ownerId))
  const filter = { projectId, scheduleId: id, order: newest }
  const { rows } = yield* PipelineQueries.use((pipelines) => pipelines.list(filter, { limit: 1, offset: 0 }))
  const details: ScheduleDetails = {
    id,
    project_id: projectId,
    description: settings.description,
    ref: settings.ref,
    cron: settings.cron,
    cron_timezone: settings.cronTimezone,
    is_active: settings.isActive,
    next_run_at: nextRunAt,
    created_at: createdAt,
    updated_at: updatedAt,
    owner_id: ownerId,
    owner: owner ?? null,
    last_pipeline: rows[0] ?? null
  }
  return details
})
