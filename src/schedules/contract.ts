import { Schema } from "effect"
import { literal } from "../http/answer/fields.ts"
import { projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { ListedSchedule, ReadSchedule, ScheduleDetail } from "./shapes.ts"

export const area = "pipelineSchedules"
export const schedules = "/projects/:id/pipeline_schedules" as const
export const schedule = `${schedules}/:pipeline_schedule_id` as const
const scheduleId = { kind: "integer", required: true, description: "ID of the schedule.", example: 1 } as const
export const named = { id: projectId, pipeline_schedule_id: scheduleId } as const
export const missing = { 404: "No such schedule, or none that the caller may read." }
export const hidden = { ...missing, 403: "The caller may not do this." }

const invalid =
  "A text is blank or has no meaning, the branch or tag is ambiguous or protected from the caller, or the project has as many schedules as it may have."

const settings = {
  description: { kind: "string", description: "What it is for." },
  ref: {
    kind: "string",
    description: "Branch or tag. A short name becomes the full one, unless both a branch and a tag have it, or neither."
  },
  cron: {
    kind: "string",
    description: "When it runs: minute, hour, day, month and weekday; six fields begin with the second."
  },
  cron_timezone: {
    kind: "string",
    description: "Time zone of `cron`: such as `Europe/Berlin`, `Berlin`, or `+01:00`."
  },
  active: { kind: "boolean", description: "Whether it runs." }
} as const

export const listSchedules = endpoint({
  name: "pipelineSchedules.list",
  area,
  method: "GET",
  path: schedules,
  summary: "List pipeline schedules",
  description: "The newest first.",
  access: "user",
  parameters: {
    id: projectId,
    scope: { kind: "string", values: ["active", "inactive"], description: "Only those that run, or that do not." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(ListedSchedule) },
  refusals: { 403: "Schedules are not shown to the caller." }
})

export const readSchedule = endpoint({
  name: "pipelineSchedules.read",
  area,
  method: "GET",
  path: schedule,
  summary: "Read a pipeline schedule",
  access: "user",
  parameters: named,
  success: { status: 200, body: ReadSchedule },
  refusals: missing
})

export const createSchedule = endpoint({
  name: "pipelineSchedules.create",
  area,
  method: "POST",
  path: schedules,
  summary: "Make a pipeline schedule",
  access: "user",
  parameters: {
    id: projectId,
    description: { ...settings.description, required: true, example: "Nightly build" },
    ref: { ...settings.ref, required: true, allowBlank: false, missingIsEmpty: false, example: "main" },
    cron: { ...settings.cron, required: true, example: "0 1 * * *" },
    cron_timezone: { ...settings.cron_timezone, default: "UTC" },
    active: { ...settings.active, default: true }
  },
  success: { status: 201, body: ScheduleDetail },
  refusals: { 400: invalid, 403: "The caller may not do this." }
})

export const changeSchedule = endpoint({
  name: "pipelineSchedules.change",
  area,
  method: "PUT",
  path: schedule,
  summary: "Change a pipeline schedule",
  description: "Only its owner and administrators may. It runs next when the new times say so.",
  access: "user",
  parameters: { ...named, ...settings, description: { ...settings.description, example: "Weekly build" } },
  success: { status: 200, body: ScheduleDetail },
  refusals: { ...hidden, 400: invalid }
})

export const takeOwnership = endpoint({
  name: "pipelineSchedules.takeOwnership",
  area,
  method: "POST",
  path: `${schedule}/take_ownership`,
  summary: "Take a pipeline schedule over",
  description: "Its pipelines are the caller's from then on.",
  access: "user",
  parameters: named,
  success: { status: 201, body: ScheduleDetail },
  otherSuccesses: [{ status: 200, body: ScheduleDetail, description: "It is the caller's already." }],
  refusals: hidden
})

export const deleteSchedule = endpoint({
  name: "pipelineSchedules.delete",
  area,
  method: "DELETE",
  path: schedule,
  summary: "Delete a pipeline schedule",
  description: "Answers with what it was. Its pipelines stay.",
  access: "user",
  parameters: named,
  success: { status: 200, body: ScheduleDetail },
  refusals: { ...hidden, 412: "The schedule was changed after `If-Unmodified-Since`." }
})

export const playSchedule = endpoint({
  name: "pipelineSchedules.play",
  area,
  method: "POST",
  path: `${schedule}/play`,
  summary: "Run a pipeline schedule at once",
  description: "Makes a pipeline of the caller's, if the configuration wants one. When it runs next stays as it is.",
  access: "user",
  parameters: named,
  success: { status: 201, body: Schema.Struct({ message: literal("201 Created", "Always `201 Created`.") }) },
  refusals: hidden
})
