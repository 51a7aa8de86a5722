import { projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { PipelineDetail } from "./shapes.ts"

const area = "pipelines"
const pipelines = "/projects/:id/pipelines" as const
const pipelineId = { kind: "integer", required: true, description: "ID of the pipeline.", example: 1 } as const
const named = { id: projectId, pipeline_id: pipelineId } as const
const hidden = { 403: "The caller may not do this.", 404: "No such pipeline." }

export const readPipeline = endpoint({
  name: "pipelines.read",
  area,
  method: "GET",
  path: `${pipelines}/:pipeline_id`,
  summary: "Read a pipeline",
  access: "anyone",
  parameters: named,
  success: { status: 200, body: PipelineDetail },
  refusals: hidden
})

export const readLatestPipeline = endpoint({
  name: "pipelines.readLatest",
  area,
  method: "GET",
  path: `${pipelines}/latest`,
  summary: "Read the newest pipeline of the last commit of a branch",
  access: "anyone",
  parameters: { id: projectId, ref: { kind: "string", description: "Branch or tag. Default: the default branch." } },
  success: { status: 200, body: PipelineDetail },
  refusals: { 403: "The caller may not do this.", 404: "No such branch, or no pipeline of its last commit." }
})

export const renamePipeline = endpoint({
  name: "pipelines.rename",
  area,
  method: "PUT",
  path: `${pipelines}/:pipeline_id/metadata`,
  summary: "Name a pipeline",
  access: "user",
  parameters: {
    ...named,
    name: { kind: "string", required: true, description: "The name, of up to 255 characters.", example: "Nightly build" }
  },
  success: { status: 200, body: PipelineDetail },
  refusals: { ...hidden, 400: "The name is too long." }
})

export const cancelPipeline = endpoint({
  name: "pipelines.cancel",
  area,
  method: "POST",
  path: `${pipelines}/:pipeline_id/cancel`,
  summary: "Cancel what waits and runs in a pipeline",
  access: "user",
  parameters: named,
  success: { status: 200, body: PipelineDetail },
  refusals: hidden
})

export const retryPipeline = endpoint({
  name: "pipelines.retry",
  area,
  method: "POST",
  path: `${pipelines}/:pipeline_id/retry`,
  summary: "Run what failed or was canceled in a pipeline again",
  access: "user",
  parameters: named,
  success: { status: 201, body: PipelineDetail },
  refusals: hidden
})

export const deletePipeline = endpoint({
  name: "pipelines.delete",
  area,
  method: "DELETE",
  path: `${pipelines}/:pipeline_id`,
  summary: "Delete a pipeline with its statuses",
  access: "user",
  parameters: named,
  success: { status: 204 },
  refusals: { ...hidden, 412: "The pipeline was changed after `If-Unmodified-Since`." }
})
