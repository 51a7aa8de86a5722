import { Schema } from "effect"
import { flag, integer, nullableText, nullableTime, text, time } from "../http/answer/fields.ts"
import { UserReference } from "../http/answer/shapes.ts"
import { PipelineReference } from "../pipelines/Pipelines.ts"

const variableType = Schema.Literals(["env_var", "file"]).annotate({
  description: "Whether jobs get the value itself, or the path of a file with it."
})

export const ScheduleVariable = Schema.Struct({
  variable_type: variableType,
  key: text("Name of the variable."),
  value: nullableText("Value of the variable; null where the key that opens it is lost."),
  raw: flag("Whether names of other variables in the value are only text.")
}).annotate({ identifier: "PipelineScheduleVariable" })

const basicFields = {
  id: integer("ID of the schedule."),
  description: text("What it is for."),
  ref: text("Full name of the branch or tag."),
  cron: text("When it runs."),
  cron_timezone: text("Time zone of `cron`."),
  next_run_at: nullableTime("When it runs next, if it is active; null for never."),
  active: flag("Whether it runs."),
  created_at: time("When it was made."),
  updated_at: time("When it was last changed."),
  owner: Schema.NullOr(UserReference).annotate({ description: "Whose pipelines it makes; null when that user is deleted." })
}

/** A schedule of a list. */
export const ListedSchedule = Schema.Struct(basicFields).annotate({ identifier: "PipelineSchedule" })

const detailFields = {
  ...basicFields,
  last_pipeline: Schema.NullOr(PipelineReference).annotate({ description: "The newest pipeline that it made." })
}

export const ScheduleDetail = Schema.Struct(detailFields).annotate({ identifier: "PipelineScheduleDetails" })

/** A schedule that is read on its own. */
export const ReadSchedule = Schema.Struct({
  ...detailFields,
  variables: Schema.optionalKey(Schema.Array(ScheduleVariable)).annotate({
    description: "Variables of its pipelines, for Maintainers and its owner."
  })
}).annotate({ identifier: "PipelineScheduleWithVariables" })

/** A pipeline as its schedule lists it. */
export const ScheduledPipeline = Schema.Struct({
  ...PipelineReference.fields,
  source: Schema.Literal("scheduled").annotate({ description: "Always `scheduled`; elsewhere the same pipeline has `schedule`." })
}).annotate({ identifier: "ScheduledPipeline" })
