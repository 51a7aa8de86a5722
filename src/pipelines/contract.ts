import { Schema } from "effect"
import { projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { Source } from "./events.ts"
import { ListedPipeline, PipelineDetail } from "./shapes.ts"
import { statuses } from "./status.ts"

const area = "pipelines"
const pipelines = "/projects/:id/pipelines" as const
const pipelineId = { kind: "integer", required: true, description: "ID of the pipeline.", example: 1 } as const
const named = { id: projectId, pipeline_id: pipelineId } as const
const hidden = { 403: "The caller may not do this.", 404: "No such pipeline." }

export const listPipelines = endpoint({
  name: "pipelines.list",
  area,
  method: "GET",
  path: pipelines,
  summary: "List pipelines",
  access: "anyone",
  parameters: {
    id: projectId,
    scope: {
      kind: "string",
      values: ["running", "pending", "finished", "branches", "tags"],
      description: "Only those of such a status; or only the newest of each branch, or of each tag."
    },
    status: { kind: "string", values: statuses, description: "Only those of this status." },
    source: { kind: "string", values: [...Source.literals, "scheduled"], description: "Only those that this made." },
    ref: { kind: "string", description: "Only those of this branch or tag." },
    sha: { kind: "string", description: "Only those of the commit with this full ID." },
    yaml_errors: { kind: "boolean", description: "Only those whose configuration is wrong, or only others." },
    username: { kind: "string", description: "Only those that this user made." },
    name: { kind: "string", description: "Only those of exactly this name." },
    updated_before: { kind: "dateTime", description: "Only those last changed at this time or earlier." },
    updated_after: { kind: "dateTime", description: "Only those last changed at this time or later." },
    created_before: { kind: "dateTime", description: "Only those made at this time or earlier." },
    created_after: { kind: "dateTime", description: "Only those made at this time or later." },
    order_by: {
      kind: "string",
      values: ["id", "status", "ref", "updated_at", "user_id"],
      default: "id",
      description: "What the list is ordered by."
    },
    sort: { kind: "string", values: ["asc", "desc"], default: "desc", description: "Direction of the order." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(ListedPipeline) },
  refusals: { 403: "Pipelines are not shown to the caller." }
})

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
