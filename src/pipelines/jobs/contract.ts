import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { statuses } from "../status.ts"
import { Job, TestReport, TestReportSummary } from "./shapes.ts"

const area = "pipelines"
const job = "/projects/:id/jobs/:job_id" as const
const pipeline = "/projects/:id/pipelines/:pipeline_id" as const
const pipelineId = { kind: "integer", required: true, description: "ID of the pipeline.", example: 1 } as const
const ofPipeline = { id: projectId, pipeline_id: pipelineId } as const
const named = { id: projectId, job_id: { kind: "integer", required: true, description: "ID of the job.", example: 1 } } as const
const scope = { kind: "stringList", values: statuses, description: "Only those of these statuses." } as const
const full = { 422: "The pipeline has as many jobs as it may." }
const hidden = { 403: "The caller may not do this.", 404: "No such job." }
const hiddenPipeline = { 403: "The caller may not do this.", 404: "No such pipeline." }

/** Gap: the reference tells no order of jobs. Lists begin with what somebody looks for most, which is what was made last. */
const newestFirst = "The newest first."

export const listProjectJobs = endpoint({
  name: "jobs.list",
  area,
  method: "GET",
  path: "/projects/:id/jobs",
  summary: "List the jobs of a project",
  description: newestFirst,
  access: "anyone",
  parameters: {
    id: projectId,
    scope,
    pagination: {
      kind: "string",
      values: ["legacy", "keyset"],
      description: "How pages are found: `legacy` by number, `keyset` by what the page before ended with. Default: `legacy`."
    },
    order_by: { kind: "string", description: "With `pagination=keyset`: what the list is ordered by, which is `id`." },
    sort: {
      kind: "string",
      values: ["asc", "desc"],
      description: "With `pagination=keyset`: direction of the order. Default: `desc`."
    },
    id_after: { kind: "integer", description: "With `pagination=keyset&sort=asc`: only jobs with a greater ID." },
    id_before: { kind: "integer", description: "With `pagination=keyset`, newest first: only jobs with a smaller ID." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(Job) },
  refusals: { 403: "Pipelines are not shown to the caller.", 405: "Pages are found by nothing but the ID." }
})

export const listPipelineJobs = endpoint({
  name: "jobs.listOfPipeline",
  area,
  method: "GET",
  path: `${pipeline}/jobs`,
  summary: "List the jobs of a pipeline",
  description: newestFirst,
  access: "anyone",
  parameters: {
    ...ofPipeline,
    include_retried: { kind: "boolean", default: false, description: "Whether to list those that were run again, too." },
    scope
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(Job) },
  refusals: hiddenPipeline
})

export const listPipelineBridges = endpoint({
  name: "jobs.listBridges",
  area,
  method: "GET",
  path: `${pipeline}/bridges`,
  summary: "List what a pipeline triggers",
  description: "Always empty: pipelines trigger no others.",
  access: "anyone",
  parameters: { ...ofPipeline, scope },
  paginated: true,
  success: { status: 200, body: Schema.Array(Job) },
  refusals: hiddenPipeline
})

export const readTestReport = endpoint({
  name: "pipelines.testReport",
  area,
  method: "GET",
  path: `${pipeline}/test_report`,
  summary: "Read the test report of a pipeline",
  description: "Always empty: executors keep what tests report.",
  access: "anyone",
  parameters: ofPipeline,
  success: { status: 200, body: TestReport },
  refusals: hiddenPipeline
})

export const readTestReportSummary = endpoint({
  name: "pipelines.testReportSummary",
  area,
  method: "GET",
  path: `${pipeline}/test_report_summary`,
  summary: "Read a summary of the test report of a pipeline",
  description: "Always empty: executors keep what tests report.",
  access: "anyone",
  parameters: ofPipeline,
  success: { status: 200, body: TestReportSummary },
  refusals: hiddenPipeline
})

export const readJob = endpoint({
  name: "jobs.read",
  area,
  method: "GET",
  path: job,
  summary: "Read a job",
  access: "anyone",
  parameters: named,
  success: { status: 200, body: Job },
  refusals: hidden
})

export const playJob = endpoint({
  name: "jobs.play",
  area,
  method: "POST",
  path: `${job}/play`,
  summary: "Start a manual job",
  description: "One that has ended is run again. Variables stay with the job when it is run again.",
  access: "user",
  parameters: {
    ...named,
    job_variables_attributes: {
      kind: "hashList",
      description: "Variables of the job, for those who may give pipelines any.",
      fields: {
        key: { kind: "string", required: true, description: "Name of the variable.", example: "DEPLOY_TO" },
        value: { kind: "string", required: true, description: "Value of the variable.", example: "staging" }
      }
    }
  },
  success: { status: 200, body: Job },
  refusals: { ...hidden, ...full, 400: "The job is not manual, or under way, or a variable is wrong." }
})

export const cancelJob = endpoint({
  name: "jobs.cancel",
  area,
  method: "POST",
  path: `${job}/cancel`,
  summary: "Cancel a job",
  description: "One that has ended stays as it is.",
  access: "user",
  parameters: named,
  success: { status: 201, body: Job },
  refusals: hidden
})

export const retryJob = endpoint({
  name: "jobs.retry",
  area,
  method: "POST",
  path: `${job}/retry`,
  summary: "Run a job again",
  description: "There is a new job in its place.",
  access: "user",
  parameters: named,
  success: { status: 201, body: Job },
  refusals: { ...hidden, ...full, 403: "The caller may not do this, or the job has not ended, or was run again already." }
})
