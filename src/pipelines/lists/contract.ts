import { Schema } from "effect"
import { projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { Source } from "../events.ts"
import { ListedPipeline } from "../shapes.ts"
import { listFilters } from "./filters.ts"

const { scope, status, ...times } = listFilters

export const listPipelines = endpoint({
  name: "pipelines.list",
  area: "pipelines",
  method: "GET",
  path: "/projects/:id/pipelines",
  summary: "List pipelines",
  access: "anyone",
  parameters: {
    id: projectId,
    scope,
    status,
    source: { kind: "string", values: [...Source.literals, "scheduled"], description: "Only those that this made." },
    ref: { kind: "string", description: "Only those of this branch or tag." },
    sha: { kind: "string", description: "Only those of the commit with this full ID." },
    yaml_errors: { kind: "boolean", description: "Only those whose configuration is wrong, or only others." },
    username: { kind: "string", description: "Only those that this user made." },
    name: { kind: "string", description: "Only those of exactly this name." },
    ...times,
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
