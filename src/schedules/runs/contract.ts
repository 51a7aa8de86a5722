import { Schema } from "effect"
import { nullableText, text, time } from "../../http/answer/fields.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { listFilters, PipelineReference } from "../../pipelines/Pipelines.ts"
import { area, missing, named, schedule } from "../contract.ts"
import { ScheduledPipeline } from "../shapes.ts"

export const listPipelines = endpoint({
  name: "pipelineSchedules.pipelines",
  area,
  method: "GET",
  path: `${schedule}/pipelines`,
  summary: "List the pipelines of a pipeline schedule",
  access: "user",
  parameters: {
    ...named,
    ...listFilters,
    sort: { kind: "string", values: ["asc", "desc"], default: "asc", description: "Direction of the order by ID." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(ScheduledPipeline) },
  refusals: missing
})

const Run = Schema.Struct({
  scheduled_at: time("When it was due."),
  state: Schema.Literals(["started", "fired", "failed", "skipped", "missed"]).annotate({
    description:
      "What became of it: its pipeline is being made, was made, or could not be made; it was left out, or the service did not run when it was due."
  }),
  reason: Schema.Literals(["normal", "moved_out_of_gap", "missed", "superseded", "archived"]).annotate({
    description:
      "Why: it was as the cron expression says, or moved to the end of an hour that the clock skipped; or why there was none: the service did not run, a later one ran instead, or the project was archived."
  }),
  message: nullableText("Why there is no pipeline, where one could not be made."),
  noted_at: time("When this was noted."),
  has_more: Schema.Boolean.annotate({
    description: "Whether times after it passed with it that are not listed: of very many only the first 500 are."
  }),
  pipeline: Schema.NullOr(PipelineReference).annotate({ description: "The pipeline; null for none, and when it is deleted." })
}).annotate({ identifier: "PipelineScheduleRun" })
export type Run = typeof Run.Type

export const listRuns = endpoint({
  name: "pipelineSchedules.runs",
  area,
  method: "GET",
  path: `${schedule}/runs`,
  summary: "List what became of the runs of a pipeline schedule",
  description: "An addition of this service. The latest first. Those that somebody started by hand are not among them.",
  access: "user",
  parameters: named,
  paginated: true,
  success: { status: 200, body: Schema.Array(Run) },
  refusals: missing
})

const Preview = Schema.Struct({
  at: time("When it is."),
  local_time: text("What clocks in the time zone of the schedule show then."),
  offset: text("By how much they are ahead of UTC, such as `+02:00`."),
  reason: Schema.Literals(["normal", "moved_out_of_gap", "suppressed_in_repeat"]).annotate({
    description:
      "Why: as the cron expression says; moved to the end of an hour that the clock skips; or not run at all, because the clock shows this time again."
  })
}).annotate({ identifier: "PipelineSchedulePreview" })
export type Preview = typeof Preview.Type

export const previewRuns = endpoint({
  name: "pipelineSchedules.preview",
  area,
  method: "GET",
  path: `${schedule}/preview`,
  summary: "Preview the next runs of a pipeline schedule",
  description:
    "An addition of this service. The next runs, as if the schedule were active, and among them the times that do not run because the clock shows them again.",
  access: "user",
  parameters: { ...named, count: { kind: "integer", default: 10, description: "How many runs, from 1 to 100." } },
  success: { status: 200, body: Schema.Array(Preview) },
  refusals: missing
})
