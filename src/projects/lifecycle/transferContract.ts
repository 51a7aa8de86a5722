import { Schema } from "effect"
import { GroupReference, projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { FullProject } from "../shapes.ts"

const area = "projects"

export const transferProjectTo = endpoint({
  name: "projects.transfer",
  area,
  method: "PUT",
  path: "/projects/:id/transfer",
  summary: "Transfer a project to another namespace",
  description: "Its members stay, and its former path leads to it. It shows no more than a group that it comes into.",
  access: "user",
  parameters: {
    id: projectId,
    namespace: {
      kind: "string",
      required: true,
      description: "ID or full path of the group or personal namespace.",
      example: "example-group"
    }
  },
  success: { status: 200, body: FullProject },
  refusals: {
    400: "It is there already, its name or path is taken there, or the caller may not bring projects there.",
    403: "Not an Owner.",
    404: "No such project or namespace."
  }
})

export const listTransferLocations = endpoint({
  name: "projects.listTransferLocations",
  area,
  method: "GET",
  path: "/projects/:id/transfer_locations",
  summary: "List the groups to which the caller may transfer a project",
  access: "user",
  parameters: { id: projectId, search: { kind: "string", description: "Words in name or path." } },
  paginated: true,
  success: { status: 200, body: Schema.Array(GroupReference) },
  refusals: { 403: "Not an Owner.", 404: "No such project." }
})
