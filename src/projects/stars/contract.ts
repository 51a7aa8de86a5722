import { Schema } from "effect"
import { endpoint } from "../../http/Endpoint.ts"
import { UserReference } from "../../http/shapes.ts"
import { listUserProjects } from "../contract.ts"
import { FullProject } from "../shapes.ts"

const area = "projects"

const id = { kind: "string", required: true, description: "ID or full path of the project." } as const
const missing = { 404: "No such project." }

const starring = (action: "star" | "unstar", summary: string, unchanged: string) =>
  endpoint({
    name: `projects.${action}`,
    area,
    method: "POST",
    path: `/projects/:id/${action}`,
    summary,
    access: "user",
    parameters: { id },
    success: { status: 201, body: FullProject },
    refusals: { ...missing, 304: unchanged }
  })

export const starProject = starring("star", "Star a project", "The caller has starred it already.")
export const unstarProject = starring("unstar", "Take back a star", "The caller has not starred it.")

export const Starrer = Schema.Struct({ starred_since: Schema.String, user: UserReference }).annotate({ identifier: "Starrer" })

export const listStarrers = endpoint({
  name: "projects.listStarrers",
  area,
  method: "GET",
  path: "/projects/:id/starrers",
  summary: "List the users who starred a project",
  access: "anyone",
  parameters: {
    id,
    search: { kind: "string", description: "Part of name or user name, or a whole public email address." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(Starrer) },
  refusals: missing
})

export const listStarredProjects = endpoint({
  ...listUserProjects,
  name: "projects.listStarred",
  path: "/users/:user_id/starred_projects",
  summary: "List the projects that a user has starred"
})
