import { Schema } from "effect"
import { time } from "../../http/answer/fields.ts"
import { projectId } from "../../http/answer/references.ts"
import { UserReference } from "../../http/answer/shapes.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { actionOn, listUserProjects } from "../contract.ts"

const area = "projects"

const unchanged = (description: string) => ({ otherSuccesses: [{ status: 304, description }] }) as const

export const starProject = endpoint({
  ...actionOn("star", "Star a project"),
  ...unchanged("The caller has starred it already.")
})
export const unstarProject = endpoint({
  ...actionOn("unstar", "Take back a star"),
  ...unchanged("The caller has not starred it.")
})

export const Starrer = Schema.Struct({
  starred_since: time("When the user starred the project."),
  user: UserReference.annotateKey({ description: "Who starred it." })
}).annotate({ identifier: "Starrer" })

export const listStarrers = endpoint({
  name: "projects.listStarrers",
  area,
  method: "GET",
  path: "/projects/:id/starrers",
  summary: "List the users who starred a project",
  access: "anyone",
  parameters: {
    id: projectId,
    search: { kind: "string", description: "Part of name or user name, or a whole public email address." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(Starrer) },
  refusals: { 404: "No such project." }
})

export const listStarredProjects = endpoint({
  ...listUserProjects,
  name: "projects.listStarred",
  path: "/users/:user_id/starred_projects",
  summary: "List the projects that a user has starred"
})
