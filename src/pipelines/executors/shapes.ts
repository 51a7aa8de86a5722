import { Schema } from "effect"
import { flag, integer, nullableText, text, time, url } from "../../http/answer/fields.ts"
import { Job } from "../jobs/shapes.ts"
import { Status } from "../status.ts"

const Variable = Schema.Struct({
  key: text("Name of the variable."),
  value: text("Value of the variable."),
  file: flag("Whether the job gets the path of a file with the value."),
  raw: flag("Whether names of other variables in the value are only text.")
}).annotate({ identifier: "JobVariable" })

const Needed = Schema.Struct({
  id: integer("ID of the job."),
  name: text("Name of the job."),
  artifacts: flag("Whether its artifacts are wanted.")
}).annotate({ identifier: "NeededJob" })

/** What an executor has to know to run a job. */
export const ClaimedJob = Schema.Struct({
  job: Job.annotateKey({ description: "The job." }),
  claim: integer("Number of this run, which the executor names when it is heard of again."),
  lease_expires_at: time("When the job goes back unless the executor is heard of again."),
  git: Schema.Struct({
    repository_url: url("Address of the repository."),
    ref: text("Branch or tag."),
    is_tag: flag("Whether `ref` is a tag."),
    sha: text("ID of the commit."),
    before_sha: text("ID of the commit that the branch named before a push, else 40 zeros.")
  }).annotate({ description: "What the job is to be run on." }),
  variables: Schema.Array(Variable).annotate({ description: "All variables; of those of the same name the last one counts." }),
  needs: Schema.NullOr(Schema.Array(Needed)).annotate({
    description: "The jobs that it waited for; null for those of all stages before."
  }),
  coverage: nullableText("Pattern, with slashes, that finds the coverage in what the job prints."),
  definition: Schema.Record(Schema.String, Schema.Json).annotate({
    description: "The job as the configuration has it: `script`, `image` and so on."
  })
}).annotate({ identifier: "ClaimedJob" })

export const Lease = Schema.Struct({
  status: Status.annotate({ description: "Status of the job." }),
  lease_expires_at: time("When the job goes back unless the executor is heard of again.")
}).annotate({ identifier: "Lease" })
