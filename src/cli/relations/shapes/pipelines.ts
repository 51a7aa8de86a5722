import { Schema } from "effect"
import { Source } from "../../../pipelines/events.ts"
import { statuses } from "../../../pipelines/status.ts"
import { among, flag, Iid, list, ObjectId, orNull, Sha, Small, Text, Time, times } from "./values.ts"

/** What is not known here was not over. */
const status = among(statuses, "canceled")

export const Job = Schema.Struct({
  name: Text,
  status,
  created_at: Time,
  queued_at: orNull(Time),
  started_at: orNull(Time),
  finished_at: orNull(Time),
  coverage: orNull(Schema.Finite),
  allow_failure: flag,
  failure_reason: orNull(Text),
  ref: orNull(Text),
  user_id: orNull(Schema.Int),
  target_url: orNull(Text),
  description: orNull(Text),
  retried: flag,
  type: orNull(Text)
})
export type Job = typeof Job.Type

export const Pipeline = Schema.Struct({
  ref: orNull(Text),
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
      generic_commit_statuses: list(Job),
      /** Of older exports: jobs of both kinds. */
      statuses: list(Job)
    })
  ),
  merge_request: orNull(
    Schema.Struct({
      iid: Iid,
      title: Text,
      source_branch: Text,
      target_branch: Text,
      squash: flag
    })
  ),
  pipeline_metadata: orNull(Schema.Struct({ name: orNull(Text) }))
})
export type Pipeline = typeof Pipeline.Type

export const PipelineSchedule = Schema.Struct({
  description: Text,
  ref: Text,
  cron: Text,
  cron_timezone: Text,
  owner_id: orNull(Schema.Int),
  ...times
})
export type PipelineSchedule = typeof PipelineSchedule.Type
