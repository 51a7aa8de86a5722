import { Schema } from "effect"
import { invitations } from "../../groups/Groups.ts"
import { GroupReference, projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"

const area = "projects"
const search = { kind: "string", description: "Part of name or path." } as const
const missing = { 404: "No such project." }

export const listProjectGroups = endpoint({
  name: "projects.listGroups",
  area,
  method: "GET",
  path: "/projects/:id/groups",
  summary: "List the groups that a project is in",
  description: "Only those that the caller may see.",
  access: "anyone",
  parameters: {
    id: projectId,
    search,
    skip_groups: { kind: "integerList", description: "Not these groups." },
    with_shared: { kind: "boolean", default: false, description: "Groups too that are invited to the project." },
    shared_visible_only: { kind: "boolean", default: false, description: "No effect: hidden groups are never shown." },
    shared_min_access_level: {
      kind: "integer",
      values: [10, 15, 20, 30, 40, 50],
      description: "Only groups that are invited up to this level, or a higher one."
    }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(GroupReference) },
  refusals: missing
})

export const listInvitedGroups = endpoint({
  name: "projects.listInvitedGroups",
  area,
  method: "GET",
  path: "/projects/:id/invited_groups",
  summary: "List the groups that are invited to a project",
  access: "anyone",
  parameters: {
    id: projectId,
    search,
    min_access_level: {
      kind: "integer",
      values: [5, 10, 20, 30, 40, 50],
      description: "Only groups in which the caller has this level, or a higher one."
    },
    relation: {
      kind: "stringList",
      values: invitations,
      description: "Only groups that are invited to the project itself, or to what is above it. Default: both."
    }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(GroupReference) },
  refusals: missing
})
