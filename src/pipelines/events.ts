import { Schema, Struct } from "effect"
import { eventCodec, type Upcaster } from "../platform/eventStore/codec.ts"
import { SealedText } from "../platform/eventStore/secretTexts.ts"
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

/** The merge request for which a pipeline is, as it was then. */
export const MergeRequestOrigin = Schema.Struct({
  id: Schema.Int,
  /** The number within the project into which it is to be merged. */
  iid: Schema.Int,
  projectId: Schema.Int,
  /** The full path, such as `group/project`. */
  projectPath: Schema.String,
  targetBranch: Schema.String,
  isTargetProtected: Schema.Boolean,
  sourceProjectId: Schema.Int,
  sourceProjectPath: Schema.String,
  sourceBranch: Schema.String,
  isSourceProtected: Schema.Boolean,
  title: Schema.String,
  /** The beginning of a long one. */
  description: Schema.NullOr(Schema.String),
  isDescriptionCut: Schema.Boolean,
  /** User names. */
  assignees: Schema.Array(Schema.String),
  /** Whether a merge makes one commit of its commits. */
  squash: Schema.Boolean,
  versionId: Schema.Int,
  /** Where both branches parted. */
  baseSha: Schema.String
})
export type MergeRequestOrigin = typeof MergeRequestOrigin.Type

/** What a pipeline is when it begins. */
export const NewPipeline = Schema.Struct({
  projectId: Schema.Int,
  /** The number within the project. */
  iid: Schema.Int,
  sha: Schema.String,
  /** The short name of a branch or tag, or the full one of a ref of a merge request. */
  ref: Schema.String,
  isTag: Schema.Boolean,
  source: Source,
  /** The user who made it. */
  createdBy: Schema.Int,
  /** The commit that the branch named before a push. */
  beforeSha: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  /** The schedule that made it. */
  scheduleId: Schema.optionalKey(Schema.Int),
  /** The slot of the schedule for which it is, in milliseconds since 1970. */
  scheduledFor: Schema.optionalKey(Schema.Int),
  /** What the schedule was called then. */
  scheduleDescription: Schema.optionalKey(Schema.String),
  /** The variables of the pipeline; they are sealed. */
  variables: Schema.optionalKey(SealedText),
  /** Whether the message of the commit skips it, for which there are no jobs. */
  isSkipped: Schema.optionalKey(Schema.Boolean),
  /** What is wrong with the configuration, for which there are no jobs. */
  yamlErrors: Schema.optionalKey(Schema.String),
  mergeRequest: Schema.optionalKey(MergeRequestOrigin),
  /** Some of those that were open of its branch then, such as `tools/uploader!14`. */
  openMergeRequests: Schema.optionalKey(Schema.Array(Schema.String))
})
export type NewPipeline = typeof NewPipeline.Type

/** What is said of a status that comes from outside. The coverage is in percent. */
export const StatusDetails = Schema.Struct({
  targetUrl: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  coverage: Schema.NullOr(Schema.Finite)
})
export type StatusDetails = typeof StatusDetails.Type

/** When a job begins: by how those before it ended, or by hand. */
export const When = Schema.Literals(["on_success", "on_failure", "always", "manual"])
export type When = typeof When.Type

/** A job as the configuration has it. */
export const NewJob = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  stage: Schema.String,
  /** The place of the stage among the stages, from 0. */
  stageIndex: Schema.Int,
  when: When,
  /** Whether the others go on when it fails. */
  allowFailure: Schema.Boolean,
  /** With these codes of exit alone it may fail. */
  allowFailureExitCodes: Schema.optionalKey(Schema.Array(Schema.Int)),
  /** The names of the jobs that it waits for; without it, those of all stages before. */
  needs: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Those of them whose artifacts are not handed on. */
  needsWithoutArtifacts: Schema.optionalKey(Schema.Array(Schema.String)),
  /** How often it is run again when it fails in one of these ways. */
  retry: Schema.Struct({
    max: Schema.Int,
    when: Schema.Array(Schema.String),
    exitCodes: Schema.Array(Schema.Int)
  }),
  interruptible: Schema.Boolean,
  /** Its place among the jobs that one of the configuration became, from 1. */
  parallel: Schema.optionalKey(Schema.Struct({ index: Schema.Int, total: Schema.Int })),
  /** The pattern that finds the coverage in what it prints. */
  coverage: Schema.optionalKey(Schema.String),
  tags: Schema.Array(Schema.String),
  /** Those of the configuration. */
  variables: Schema.Array(Schema.Struct({ key: Schema.String, value: Schema.String, isExpanded: Schema.Boolean })),
  /** Those with which somebody started it, or the job whose place it takes, by hand; sealed. */
  playVariables: Schema.optionalKey(SealedText),
  /** What executors are handed as it stands in the configuration. */
  definition: Schema.Record(Schema.String, Schema.Json)
})
export type NewJob = typeof NewJob.Type

/** The needs of a job as its events hold them. */
export const storedNeeds = (
  needs: ReadonlyArray<{ readonly name: string; readonly artifacts: boolean }> | undefined
): Pick<NewJob, "needs" | "needsWithoutArtifacts"> => {
  const without = needs?.filter(({ artifacts }) => !artifacts) ?? []
  const names = needs?.map(({ name }) => name)
  return { ...(names && { needs: names }), ...(without.length > 0 && { needsWithoutArtifacts: without.map(({ name }) => name) }) }
}

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
  /** Jobs of the configuration, with what they share with the pipeline. Each takes the place of earlier ones. */
  JobsAdded: {
    projectId: Schema.Int,
    sha: Schema.String,
    ref: Schema.String,
    isTag: Schema.Boolean,
    /** The user as whom they run. */
    by: Schema.Int,
    jobs: Schema.Array(NewJob),
    replaces: Schema.Array(Schema.Int)
  },
  /** A job waits, is skipped or canceled. `by` is the user who did it, as whom it runs from now on. */
  JobMoved: {
    id: Schema.Int,
    status: Status,
    by: Schema.optionalKey(Schema.Int),
    /** Those with which somebody started it, sealed. */
    variables: Schema.optionalKey(SealedText)
  },
  /** An executor runs a job. `claim` tells one run of it from the others. */
  JobClaimed: { id: Schema.Int, claim: Schema.Int, executor: Schema.String, by: Schema.Int },
  /** The executor of a job was not heard of for too long: the job waits again. */
  JobReturned: { id: Schema.Int, claim: Schema.Int },
  /** A job ended. The coverage is in percent. */
  JobEnded: {
    id: Schema.Int,
    status: Status,
    allowFailure: Schema.optionalKey(Schema.Boolean),
    coverage: Schema.optionalKey(Schema.Finite),
    exitCode: Schema.optionalKey(Schema.Int),
    failureReason: Schema.optionalKey(Schema.String)
  },
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

const JobsAddedV1 = Schema.StructWithRest(
  Schema.Struct({
    jobs: Schema.Array(
      Schema.StructWithRest(
        Schema.Struct({
          needs: Schema.optionalKey(Schema.Array(Schema.Struct({ name: Schema.String, artifacts: Schema.Boolean })))
        }),
        [Schema.Record(Schema.String, Schema.Unknown)]
      )
    )
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)
const decodeJobsAddedV1 = Schema.decodeUnknownSync(JobsAddedV1)

/** In the first version each need said whether artifacts are handed on, which made most of the event of a pipeline with many needs. */
const jobsAddedFromV1: Upcaster = (data) => {
  const { jobs, ...others } = decodeJobsAddedV1(data)
  return { ...others, jobs: jobs.map(({ needs, ...job }) => ({ ...job, ...storedNeeds(needs) })) }
}

export const pipelineCodec = eventCodec(PipelineEvent, { JobsAdded: [jobsAddedFromV1] })
