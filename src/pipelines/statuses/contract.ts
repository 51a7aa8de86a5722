import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { CommitStatus } from "../shapes.ts"
import { targetStatuses } from "../status.ts"

const area = "pipelines"
const sha = { kind: "string", required: true, description: "Branch, tag or commit.", example: "main" } as const

export const listCommitStatuses = endpoint({
  name: "pipelines.commitStatuses",
  area,
  method: "GET",
  path: "/projects/:id/repository/commits/:sha/statuses",
  summary: "List the statuses of a commit",
  description: "The latest of each name in each pipeline, or all.",
  access: "user",
  parameters: {
    id: projectId,
    sha,
    ref: { kind: "string", description: "Branch or tag of the pipeline." },
    stage: { kind: "string", description: "Name of the stage." },
    name: { kind: "string", description: "Name of the status." },
    pipeline_id: { kind: "integer", description: "ID of the pipeline." },
    all: { kind: "boolean", default: false, description: "Whether to list those that a later one of the same name replaced." },
    order_by: { kind: "string", values: ["id", "pipeline_id"], default: "id", description: "What the list is ordered by." },
    sort: { kind: "string", values: ["asc", "desc"], default: "asc", description: "Direction of the order." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(CommitStatus) },
  refusals: { 403: "The caller may not do this.", 404: "No such commit." }
})

export const postCommitStatus = endpoint({
  name: "pipelines.postCommitStatus",
  area,
  method: "POST",
  path: "/projects/:id/statuses/:sha",
  summary: "Set the status of a commit",
  description:
    "A status of the same name that waits or runs moves on; else there is a new one. It belongs to the newest pipeline of the commit, or to a new one.",
  access: "user",
  parameters: {
    id: projectId,
    sha: { ...sha, description: "Full ID of the commit." },
    state: { kind: "string", required: true, values: targetStatuses, description: "The status.", example: "success" },
    ref: {
      kind: "string",
      description: "Branch or tag, also by its full name. Default: that of the pipeline, else the first branch with the commit.",
      example: "main"
    },
    target_url: { kind: "string", description: "Address of what tells more, with http or https." },
    description: { kind: "string", description: "What it says, up to 255 characters." },
    name: { kind: "string", description: "Name of the status. Default: `default`." },
    context: { kind: "string", description: "The same as `name`." },
    coverage: { kind: "float", description: "Percent of the code that tests cover." },
    pipeline_id: { kind: "integer", description: "ID of the pipeline of the commit. Default: the newest one." }
  },
  success: { status: 201, body: CommitStatus },
  refusals: {
    400: "There is no way from the present status to this one.",
    403: "The caller may not do this.",
    404: "No such commit or pipeline, or no branch has the commit.",
    422: "The pipeline has as many jobs as it may."
  }
})
