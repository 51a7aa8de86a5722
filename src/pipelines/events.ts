import { Schema, Struct } from "effect"
import { eventCodec } from "../platform/eventStore/codec.ts"
import { Status } from "./status.ts"

// Storage format: add cases and optional fields, never rename.

/** What made a pipeline. */
export const Source = Schema.Literals([
  "push",
  "web",
  "trigger",
  "schedule",
  "api",
  "external",
  "pipeline",
  "chat",
  "merge_request_event",
  "external_pull_request_event",
  "parent_pipeline",
  "ondemand_dast_scan",
  "ondemand_dast_validation",
  "webide",
  "security_orchestration_policy",
  "container_registry_push"
])
export type Source = typeof Source.Type

/** What a pipeline is when it begins. */
export const NewPipeline = Schema.Struct({
  projectId: Schema.Int,
  /** The number within the project. */
  iid: Schema.Int,
  sha: Schema.String,
  /** The short name of a branch or tag. */
  ref: Schema.String,
  isTag: Schema.Boolean,
  source: Source,
  /** The user who made it. */
  createdBy: Schema.Int
})
export type NewPipeline = typeof NewPipeline.Type

/** What is said of a status that comes from outside. The coverage is in percent. */
export const StatusDetails = Schema.Struct({
  targetUrl: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  coverage: Schema.NullOr(Schema.Finite)
})
export type StatusDetails = typeof StatusDetails.Type

const StatusChanges = StatusDetails.mapFields(Struct.map(Schema.optionalKey))

export const PipelineEvent = Schema.TaggedUnion({
  PipelineCreated: NewPipeline.fields,
  /** A status that a service outside has set. It takes the place of earlier ones of the same name. */
  StatusPosted: {
    id: Schema.Int,
    projectId: Schema.Int,
    sha: Schema.String,
    name: Schema.String,
    /** The short name of a branch or tag, which may be another one than that of the pipeline. */
    ref: Schema.String,
    postedBy: Schema.Int,
    status: Status,
    details: StatusDetails,
    replaces: Schema.Array(Schema.Int)
  },
  /** The details hold only what differs from before. */
  StatusChanged: { id: Schema.Int, status: Status, details: StatusChanges },
  /** The status of the pipeline that follows from those of its jobs. */
  PipelineMoved: {
    status: Status,
    /** Whether it runs for the first time. */
    isStart: Schema.Boolean
  },
  PipelineRenamed: { name: Schema.NullOr(Schema.String) },
  PipelineDeleted: {}
})
export type PipelineEvent = typeof PipelineEvent.Type

export const pipelineCodec = eventCodec(PipelineEvent)
