import { Schema } from "effect"
import { GroupReference, groupId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import { GroupDetails } from "../shapes.ts"

const area = "groups"

export const transferGroupTo = endpoint({
  name: "groups.transfer",
  area,
  method: "POST",
  path: "/groups/:id/transfer",
  summary: "Transfer a group into another one, or to the top level",
  description:
    "With all that is below it; former paths lead there. What would show more than the group into which it comes is limited to what that one shows.",
  access: "user",
  parameters: {
    id: groupId,
    group_id: {
      kind: "integer",
      description: "ID of the group above it from now on. Default: the top level.",
      example: 4
    }
  },
  success: { status: 201, body: GroupDetails },
  refusals: {
    400: "It is there already, its path is taken there, that is below itself, or the caller may not create groups there.",
    403: "Not an Owner.",
    404: "No such group.",
    409: "The group was moved or renamed at the same time."
  }
})

export const bringProject = endpoint({
  name: "groups.bringProject",
  area,
  method: "POST",
  path: "/groups/:id/projects/:project_id",
  summary: "Transfer a project into a group",
  access: "administrator",
  parameters: {
    id: groupId,
    project_id: { kind: "string", required: true, description: "ID or full path of the project.", example: "1" }
  },
  success: { status: 201, body: GroupDetails },
  refusals: { 400: "It is there already, or its name or path is taken there.", 404: "No such group or project." }
})

export const listTransferLocations = endpoint({
  name: "groups.listTransferLocations",
  area,
  method: "GET",
  path: "/groups/:id/transfer_locations",
  summary: "List the groups into which the caller may transfer a group",
  access: "anyone",
  parameters: { id: groupId, search: { kind: "string", description: "Part of name or path." } },
  paginated: true,
  success: { status: 200, body: Schema.Array(GroupReference) },
  refusals: { 401: "No token.", 403: "Not an Owner.", 404: "No such group." }
})
