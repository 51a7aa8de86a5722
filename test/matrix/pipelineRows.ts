import { commitStatuses, developing, executing, pipelineSecrets, pipelines, removingPipelines } from "./rights.ts"
import type { Row } from "./row.ts"
import type { InProject } from "./useWorld.ts"

const ofPipeline = ({ pipeline }: InProject) => ({ path: { pipeline_id: pipeline } })

export const pipelineRows: ReadonlyArray<Row<InProject>> = [
  ["GET /projects/:id/pipelines", 200, pipelines],
  ["GET /projects/:id/pipelines/latest", 200, pipelines, () => ({ query: { ref: "topic" } })],
  ["GET /projects/:id/pipelines/:pipeline_id", 200, pipelines, ({ pipeline }) => ({ path: { pipeline_id: pipeline } })],
  [
    "PUT /projects/:id/pipelines/:pipeline_id/metadata",
    200,
    developing,
    ({ own, pipeline }) => ({ path: { pipeline_id: pipeline }, json: { name: own } })
  ],
  [
    "DELETE /projects/:id/pipelines/:pipeline_id",
    204,
    removingPipelines,
    ({ doomedPipeline }) => ({ path: { pipeline_id: doomedPipeline } })
  ],
  ["POST /projects/:id/pipeline", 201, developing, () => ({ json: { ref: "topic" } })],
  ["GET /projects/:id/pipelines/:pipeline_id/variables", 200, pipelineSecrets, ofPipeline],
  ["GET /projects/:id/pipelines/:pipeline_id/jobs", 200, pipelines, ofPipeline],
  ["GET /projects/:id/pipelines/:pipeline_id/bridges", 200, pipelines, ofPipeline],
  ["GET /projects/:id/pipelines/:pipeline_id/test_report", 200, pipelines, ofPipeline],
  ["GET /projects/:id/pipelines/:pipeline_id/test_report_summary", 200, pipelines, ofPipeline],
  ["GET /projects/:id/jobs", 200, pipelines],
  ["GET /projects/:id/jobs/:job_id", 200, pipelines, ({ jobs }) => ({ path: { job_id: jobs.waiting } })],
  ["POST /projects/:id/jobs/claim", 201, executing, ({ own }) => ({ json: { executor: own } })],
  [
    "POST /projects/:id/jobs/:job_id/heartbeat",
    200,
    executing,
    ({ claim, jobs }) => ({ path: { job_id: jobs.running }, json: { claim } })
  ],
  [
    "POST /projects/:id/jobs/:job_id/finish",
    200,
    executing,
    ({ claim, jobs }) => ({ path: { job_id: jobs.running }, json: { claim, status: "success" } })
  ],
  ["POST /projects/:id/jobs/:job_id/play", 200, developing, ({ jobs }) => ({ path: { job_id: jobs.manual } })],
  ["POST /projects/:id/jobs/:job_id/cancel", 201, developing, ({ jobs }) => ({ path: { job_id: jobs.waiting } })],
  ["POST /projects/:id/jobs/:job_id/retry", 201, developing, ({ jobs }) => ({ path: { job_id: jobs.canceled } })],
  ["POST /projects/:id/pipelines/:pipeline_id/cancel", 200, developing, ofPipeline],
  ["POST /projects/:id/pipelines/:pipeline_id/retry", 201, developing, ofPipeline],
  ["GET /projects/:id/repository/commits/:sha/statuses", 200, commitStatuses, ({ first }) => ({ path: { sha: first } })],
  [
    "POST /projects/:id/statuses/:sha",
    201,
    developing,
    ({ first, own }) => ({ path: { sha: first }, json: { state: "success", name: own } })
  ]
]
