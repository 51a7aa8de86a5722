import { Schema } from "effect"
import { type Fault, faultsOf } from "../../../kernel/faults.ts"
import { openingFaults } from "../../../mergeRequests/decisions/faults.ts"
import { nameFault } from "../../../pipelines/creation/nameFault.ts"
import { Source } from "../../../pipelines/events.ts"
import { statuses } from "../../../pipelines/status.ts"
import { type StatusTexts, faultsOf as statusFaults } from "../../../pipelines/statuses/faults.ts"
import { settingsFaults as scheduleFaults } from "../../../schedules/faults.ts"
import { textFaults } from "./issuables.ts"
import { among, flag, Iid, judgedBy, list, ObjectId, orNull, RefName, Sha, Small, Text, Time, times } from "./values.ts"

/** What is not known here was not over. */
const status = among(statuses, "canceled")

const Named = Schema.Struct({
  name: Text,
  status,
  created_at: Time,
  queued_at: orNull(Time),
  started_at: orNull(Time),
  finished_at: orNull(Time),
  coverage: orNull(Schema.Finite),
  allow_failure: flag,
  failure_reason: orNull(Text),
  ref: orNull(RefName),
  user_id: orNull(Schema.Int),
  target_url: orNull(Text),
  description: orNull(Text),
  retried: flag,
  type: orNull(Text)
})

const faultsOfTexts = (texts: StatusTexts): ReadonlyArray<Fault> =>
  Object.entries(statusFaults(texts) ?? {}).flatMap(([attribute, found]) => faultsOf(attribute, found))

/** One that was posted, with the texts that came with it. */
const Posted = Named.check(judgedBy(faultsOfTexts))

export const Job = Named.check(judgedBy((job) => faultsOfTexts(job.type === "GenericCommitStatus" ? job : { name: job.name })))
export type Job = typeof Job.Type

export const Pipeline = Schema.Struct({
  ref: orNull(RefName),
  sha: ObjectId,
  before_sha: Sha,
  ...times,
  tag: flag,
  yaml_errors: orNull(Text),
  status,
  started_at: orNull(Time),
  finished_at: orNull(Time),
  user_id: orNull(Schema.Int),
  source: among(Source.literals, "push"),
  iid: orNull(Iid),
  stages: list(
    Schema.Struct({
      name: Text,
      position: orNull(Small),
      builds: list(Job),
      generic_commit_statuses: list(Posted),
      /** Of older exports: jobs of both kinds. */
      statuses: list(Job),
      /** Jobs that start pipelines elsewhere. */
      bridges: list(Schema.Struct({ name: orNull(Schema.Unknown) }))
    })
  ),
  merge_request: orNull(
    Schema.Struct({
      iid: Iid,
      title: Text,
      source_branch: Text,
      target_branch: Text,
      squash: flag
    }).check(
      judgedBy(({ source_branch: branch, target_branch: targetBranch, title }) =>
        openingFaults({ attributes: { title, description: null, targetBranch }, source: { branch } })
      )
    )
  ),
  pipeline_metadata: orNull(
    Schema.Struct({ name: orNull(Text) }).check(judgedBy(({ name }) => textFaults("name", nameFault(name))))
  )
})
export type Pipeline = typeof Pipeline.Type

export const PipelineSchedule = Schema.Struct({
  description: Text,
  ref: RefName,
  cron: Text,
  cron_timezone: Text,
  owner_id: orNull(Schema.Int),
  ...times
}).check(
  judgedBy(
    ({ cron, cron_timezone: cronTimezone, description, ref }) =>
      scheduleFaults({ description, ref, cron, cronTimezone, isActive: false }),
    { cronTimezone: "cron_timezone" }
  )
)
export type PipelineSchedule = typeof PipelineSchedule.Type
