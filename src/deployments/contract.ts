import { Schema } from "effect"
import { projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { Status } from "./events.ts"
import { Deployment } from "./shapes.ts"

const area = "deployments"

const missing = { 404: "No such project or deployment." }
const time = (description: string) => ({ kind: "dateTime", description }) as const
const deploymentId = { kind: "integer", required: true, description: "ID of the deployment.", example: 1 } as const

export const listDeployments = endpoint({
  name: "deployments.list",
  area,
  method: "GET",
  path: "/projects/:id/deployments",
  summary: "List the deployments of a project",
  description: "By their IDs, unless another order is asked for.",
  access: "anyone",
  parameters: {
    id: projectId,
    environment: { kind: "string", description: "Only those into the environment of this name." },
    status: {
      kind: "string",
      values: [...Status.literals, "created", "blocked", "skipped"],
      description: "Only those with this status; none is created, blocked or skipped."
    },
    updated_after: time("Only those last changed at this time or later."),
    updated_before: time("Only those last changed at this time or earlier."),
    finished_after: time("Only those that ended at this time or later."),
    finished_before: time("Only those that ended at this time or earlier."),
    order_by: {
      kind: "string",
      values: ["id", "iid", "created_at", "updated_at", "finished_at", "ref"],
      default: "id",
      description: "What the list is ordered by."
    },
    sort: { kind: "string", values: ["asc", "desc"], default: "asc", description: "Direction of the order." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(Deployment) },
  refusals: missing
})

export const readDeployment = endpoint({
  name: "deployments.read",
  area,
  method: "GET",
  path: "/projects/:id/deployments/:deployment_id",
  summary: "Read a deployment",
  access: "anyone",
  parameters: { id: projectId, deployment_id: deploymentId },
  success: { status: 200, body: Deployment },
  refusals: missing
})

export const createDeployment = endpoint({
  name: "deployments.create",
  area,
  method: "POST",
  path: "/projects/:id/deployments",
  summary: "Tell of a deployment",
  description:
    "An environment that is not there is created, and one that is stopped is available again where the deployment succeeds. What was merged since the last successful deployment has come there by this one.",
  access: "user",
  parameters: {
    id: projectId,
    environment: { kind: "string", required: true, description: "Name of the environment.", example: "production" },
    sha: {
      kind: "string",
      required: true,
      description: "ID of the commit; a branch or tag stands for its last one.",
      example: "main"
    },
    ref: { kind: "string", required: true, description: "The branch or tag that is deployed.", example: "main" },
    tag: { kind: "boolean", required: true, description: "Whether it is a tag.", example: false },
    status: { kind: "string", required: true, values: Status.literals, description: "How it went.", example: "running" }
  },
  success: { status: 201, body: Deployment },
  refusals: { ...missing, 400: "The name of the environment is wrong, or there is no such commit, branch or tag." }
})

export const changeDeployment = endpoint({
  name: "deployments.change",
  area,
  method: "PUT",
  path: "/projects/:id/deployments/:deployment_id",
  summary: "Tell how a deployment ended",
  access: "user",
  parameters: {
    id: projectId,
    deployment_id: deploymentId,
    status: { kind: "string", required: true, values: Status.literals, description: "How it went.", example: "success" }
  },
  success: { status: 200, body: Deployment },
  refusals: { ...missing, 400: "It has ended otherwise." }
})
