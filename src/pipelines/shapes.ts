import { Schema } from "effect"
import {
  flag,
  integer,
  literal,
  nothing,
  nullableInteger,
  nullableText,
  nullableTime,
  text,
  time,
  url
} from "../http/answer/fields.ts"
import { UserReference } from "../http/answer/shapes.ts"
import { Source } from "./events.ts"
import { Status } from "./status.ts"

const statusOf = (of: string) => Status.annotate({ description: `Status of the ${of}.` })

const basicFields = {
  id: integer("ID of the pipeline."),
  iid: integer("Number of the pipeline in its project."),
  project_id: integer("ID of the project."),
  sha: text("ID of the commit."),
  ref: text("Branch or tag."),
  status: statusOf("pipeline"),
  source: Source.annotate({ description: "What made it." }),
  created_at: time("When it was made."),
  updated_at: time("When it last changed."),
  web_url: url("Page of the pipeline.")
}

/** A pipeline as other things show it. */
export const PipelineReference = Schema.Struct(basicFields).annotate({ identifier: "PipelineReference" })

/** A pipeline of a list. */
export const ListedPipeline = Schema.Struct({
  ...basicFields,
  name: nullableText("What somebody called it.")
}).annotate({ identifier: "ListedPipeline" })

const DetailedStatus = Schema.Struct({
  icon: text("Name of an icon."),
  text: text("The status in words."),
  label: text("The status in words, within a sentence."),
  group: text("What kind of status it is."),
  tooltip: text("What a pointer over it shows."),
  has_details: literal(true, "Always true."),
  details_path: text("Path of the page of the pipeline."),
  illustration: nothing("Always null."),
  favicon: text("Path of a small picture.")
}).annotate({ identifier: "DetailedStatus" })

export const PipelineDetail = Schema.Struct({
  ...ListedPipeline.fields,
  before_sha: text("ID of the commit that the branch named before a push, else 40 zeros."),
  tag: flag("Whether `ref` is a tag."),
  yaml_errors: nullableText("What is wrong with the configuration."),
  user: Schema.NullOr(UserReference).annotate({ description: "Who made it; null when that user is deleted." }),
  started_at: nullableTime("When the first job started."),
  finished_at: nullableTime("When the last job ended."),
  committed_at: nothing("Always null."),
  duration: nullableInteger("For how many seconds jobs ran; null where none has."),
  queued_duration: nullableInteger("How many seconds passed before the first job started."),
  coverage: nullableText("Percent of the code that tests cover, on average of the jobs that say so, with two decimals."),
  detailed_status: DetailedStatus.annotateKey({ description: "The status as a page would show it." })
}).annotate({ identifier: "Pipeline" })

export const PipelineVariableShape = Schema.Struct({
  variable_type: Schema.Literals(["env_var", "file"]).annotate({
    description: "Whether jobs get the value itself, or the path of a file with it."
  }),
  key: text("Name of the variable."),
  value: text("Value of the variable."),
  raw: flag("Whether names of other variables in the value are only text.")
}).annotate({ identifier: "PipelineVariable" })

export const CommitStatus = Schema.Struct({
  id: integer("ID of the status."),
  sha: text("ID of the commit."),
  ref: text("Branch or tag."),
  status: statusOf("job"),
  name: text("Name of the status."),
  target_url: nullableText("Address of what tells more."),
  description: nullableText("What it says."),
  created_at: time("When it was created."),
  started_at: nullableTime("When it was started."),
  finished_at: nullableTime("When it was finished."),
  allow_failure: flag("Whether it may fail."),
  coverage: Schema.NullOr(Schema.Finite).annotate({ description: "Percent of the code that tests cover." }),
  pipeline_id: integer("ID of the pipeline."),
  author: Schema.NullOr(UserReference).annotate({ description: "Who set it; null when that user is deleted." })
}).annotate({ identifier: "CommitStatus" })
