import { Schema } from "effect"
import { groupId, projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { AnyMilestone, GroupMilestone, ProjectMilestone } from "./shapes.ts"

const area = "milestones"

/** The parameter that names a milestone of a project. */
export const milestoneOfProject = {
  kind: "integer",
  required: true,
  description: "ID of the milestone among all milestones, and not its number in the project or group.",
  example: 1
} as const
/** The same of a group. */
export const milestoneOfGroup = { ...milestoneOfProject, example: 2 } as const

const filters = {
  state: {
    kind: "string",
    values: ["active", "closed", "all"],
    default: "all",
    description: "Only milestones in this state; `all` for any."
  },
  iids: { kind: "integerList", description: "Only milestones with these numbers in their project or group." },
  title: { kind: "string", description: "Only the milestone with exactly this title." },
  search: { kind: "string", description: "Words that are all in the title, or all in the description." },
  include_ancestors: {
    kind: "boolean",
    description: "Whether milestones of the groups above are told too."
  },
  include_parent_milestones: {
    kind: "boolean",
    deprecated: true,
    description: "Former name of `include_ancestors`."
  },
  updated_before: { kind: "dateTime", description: "Only milestones that were last changed at this time or before." },
  updated_after: { kind: "dateTime", description: "Only milestones that were last changed at this time or later." }
} as const

const title = { kind: "string", description: "Title of the milestone, unique in the project or group." } as const
const settings = {
  description: { kind: "string", description: "What the milestone is about." },
  due_date: { kind: "date", description: "Day by which it is to be reached, behind the start date. Null for none." },
  start_date: { kind: "date", description: "Day on which work begins. Null for none." }
} as const

const changes = {
  title: { ...title, example: "Version 1.1" },
  state_event: {
    kind: "string",
    values: ["close", "activate"],
    description: "Closes an active milestone, or activates a closed one."
  },
  ...settings
} as const
const atLeastOne = {
  rule: "atLeastOneOf",
  names: ["title", "description", "start_date", "due_date", "state_event"]
} as const

const missing = { 404: "No such project or group, or milestone." }

export const listOfProject = endpoint({
  name: "milestones.listOfProject",
  area,
  method: "GET",
  path: "/projects/:id/milestones",
  summary: "List the milestones of a project",
  description: "The newest first.",
  access: "anyone",
  parameters: { id: projectId, ...filters },
  paginated: true,
  success: { status: 200, body: Schema.Array(AnyMilestone) },
  refusals: missing
})

export const readOfProject = endpoint({
  name: "milestones.readOfProject",
  area,
  method: "GET",
  path: "/projects/:id/milestones/:milestone_id",
  summary: "Read a milestone of a project",
  access: "anyone",
  parameters: { id: projectId, milestone_id: milestoneOfProject },
  success: { status: 200, body: ProjectMilestone },
  refusals: missing
})

export const addToProject = endpoint({
  name: "milestones.addToProject",
  area,
  method: "POST",
  path: "/projects/:id/milestones",
  summary: "Create a milestone in a project",
  access: "user",
  parameters: { id: projectId, title: { ...title, required: true, example: "Version 1.0" }, ...settings },
  success: { status: 201, body: ProjectMilestone },
  refusals: missing
})

export const changeOfProject = endpoint({
  name: "milestones.changeOfProject",
  area,
  method: "PUT",
  path: "/projects/:id/milestones/:milestone_id",
  summary: "Change, close or activate a milestone of a project",
  access: "user",
  parameters: { id: projectId, milestone_id: milestoneOfProject, ...changes },
  groups: [atLeastOne],
  success: { status: 200, body: ProjectMilestone },
  refusals: missing
})

export const removeFromProject = endpoint({
  name: "milestones.removeFromProject",
  area,
  method: "DELETE",
  path: "/projects/:id/milestones/:milestone_id",
  summary: "Delete a milestone of a project",
  access: "user",
  parameters: { id: projectId, milestone_id: milestoneOfProject },
  success: { status: 204 },
  refusals: missing
})

export const listOfGroup = endpoint({
  name: "milestones.listOfGroup",
  area,
  method: "GET",
  path: "/groups/:id/milestones",
  summary: "List the milestones of a group",
  description: "The newest first.",
  access: "anyone",
  parameters: { id: groupId, ...filters },
  paginated: true,
  success: { status: 200, body: Schema.Array(GroupMilestone) },
  refusals: missing
})

export const readOfGroup = endpoint({
  name: "milestones.readOfGroup",
  area,
  method: "GET",
  path: "/groups/:id/milestones/:milestone_id",
  summary: "Read a milestone of a group",
  access: "anyone",
  parameters: { id: groupId, milestone_id: milestoneOfGroup },
  success: { status: 200, body: GroupMilestone },
  refusals: missing
})

export const addToGroup = endpoint({
  name: "milestones.addToGroup",
  area,
  method: "POST",
  path: "/groups/:id/milestones",
  summary: "Create a milestone in a group",
  description: "Its subgroups and projects use it too.",
  access: "user",
  parameters: { id: groupId, title: { ...title, required: true, example: "Spring" }, ...settings },
  success: { status: 201, body: GroupMilestone },
  refusals: missing
})

export const changeOfGroup = endpoint({
  name: "milestones.changeOfGroup",
  area,
  method: "PUT",
  path: "/groups/:id/milestones/:milestone_id",
  summary: "Change, close or activate a milestone of a group",
  access: "user",
  parameters: { id: groupId, milestone_id: milestoneOfGroup, ...changes },
  groups: [atLeastOne],
  success: { status: 200, body: GroupMilestone },
  refusals: missing
})

export const removeFromGroup = endpoint({
  name: "milestones.removeFromGroup",
  area,
  method: "DELETE",
  path: "/groups/:id/milestones/:milestone_id",
  summary: "Delete a milestone of a group",
  access: "user",
  parameters: { id: groupId, milestone_id: milestoneOfGroup },
  success: { status: 204 },
  refusals: missing
})
