import { branches, developing, pipelines, removingPipelines } from "./rights.ts"
import type { Row } from "./row.ts"
import type { InProject } from "./useWorld.ts"

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
  ["POST /projects/:id/pipelines/:pipeline_id/cancel", 200, developing, ({ pipeline }) => ({ path: { pipeline_id: pipeline } })],
  [
    "DELETE /projects/:id/pipelines/:pipeline_id",
    204,
    removingPipelines,
    ({ doomedPipeline }) => ({ path: { pipeline_id: doomedPipeline } })
  ],
  ["GET /projects/:id/repository/commits/:sha/statuses", 200, branches, ({ first }) => ({ path: { sha: first } })],
  [
    "POST /projects/:id/statuses/:sha",
    201,
    developing,
    ({ first, own }) => ({ path: { sha: first }, json: { state: "success", name: own } })
  ]
]
