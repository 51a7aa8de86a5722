import { Schema } from "effect"
import { groupId, projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { GroupLabel, ProjectLabel } from "./shapes.ts"

const area = "labels"

/** Digits are an id. Paths hold it as one segment, in which `/` is `%2F`. */
const labelOfProject = { kind: "string", required: true, description: "ID or title of the label.", example: "bug" } as const
const labelOfGroup = { ...labelOfProject, example: "security" } as const

const withAncestors = {
  kind: "boolean",
  default: true,
  description: "Whether labels of the groups above are told too."
} as const

const filters = {
  with_counts: { kind: "boolean", default: false, description: "Whether issues and merge requests with each label are counted." },
  include_ancestor_groups: withAncestors,
  search: { kind: "string", description: "Words that are all in the title, or all in the description." }
} as const

const color = {
  kind: "string",
  description: "`#` with three or six hexadecimal digits, or a named color of CSS.",
  example: "#D9534F"
} as const
const description = { kind: "string", description: "What the label is for." } as const
const priority = {
  kind: "integer",
  description: "Priority of the label in the project, from 0 on: the lower, the more urgent. Null for none."
} as const
const title = {
  kind: "string",
  required: true,
  description: "Title of the label: up to 255 characters, without comma. Unique in the project or group, and in the groups above."
} as const
const newTitle = { kind: "string", description: "New title of the label." } as const

const missing = { 404: "No such project or group, or label." }
const taken = { 409: "A label with this title may be used here already." }
const changed = { 412: "The label was changed after `If-Unmodified-Since`." }

export const listOfProject = endpoint({
  name: "labels.listOfProject",
  area,
  method: "GET",
  path: "/projects/:id/labels",
  summary: "List the labels of a project",
  description: "By title. Where the project has neither issues nor merge requests for the caller, there are none.",
  access: "anyone",
  parameters: { id: projectId, ...filters },
  paginated: true,
  success: { status: 200, body: Schema.Array(ProjectLabel) },
  refusals: missing
})

export const readOfProject = endpoint({
  name: "labels.readOfProject",
  area,
  method: "GET",
  path: "/projects/:id/labels/:name",
  summary: "Read a label of a project",
  access: "anyone",
  parameters: { id: projectId, name: labelOfProject, include_ancestor_groups: withAncestors },
  success: { status: 200, body: ProjectLabel },
  refusals: missing
})

export const addToProject = endpoint({
  name: "labels.addToProject",
  area,
  method: "POST",
  path: "/projects/:id/labels",
  summary: "Create a label in a project",
  access: "user",
  parameters: {
    id: projectId,
    name: { ...title, example: "bug" },
    color: { ...color, required: true },
    description,
    priority
  },
  success: { status: 201, body: ProjectLabel },
  refusals: { ...missing, ...taken }
})

export const changeOfProject = endpoint({
  name: "labels.changeOfProject",
  area,
  method: "PUT",
  path: "/projects/:id/labels/:name",
  summary: "Change a label of a project",
  description: "Labels of groups are changed in their group.",
  access: "user",
  parameters: { id: projectId, name: labelOfProject, new_name: newTitle, color, description, priority },
  groups: [{ rule: "atLeastOneOf", names: ["new_name", "color", "description", "priority"] }],
  success: { status: 200, body: ProjectLabel },
  refusals: missing
})

export const removeFromProject = endpoint({
  name: "labels.removeFromProject",
  area,
  method: "DELETE",
  path: "/projects/:id/labels/:name",
  summary: "Delete a label of a project",
  access: "user",
  parameters: { id: projectId, name: labelOfProject },
  success: { status: 204 },
  refusals: { ...missing, ...changed }
})

/** What names a label beside the path, in the older form of changes and deletions. */
const named = {
  label_id: { kind: "integer", description: "ID of the label." },
  name: { kind: "string", description: "Title of the label." }
} as const
const oneName = { rule: "exactlyOneOf", names: ["label_id", "name"] } as const
const olderForm = { description: "Use the form with the label in the path.", deprecated: true } as const

export const changeNamedOfProject = endpoint({
  name: "labels.changeNamedOfProject",
  area,
  method: "PUT",
  path: "/projects/:id/labels",
  summary: "Change a label of a project that a parameter names",
  ...olderForm,
  access: "user",
  parameters: {
    id: projectId,
    ...named,
    name: { ...named.name, example: "bug" },
    new_name: newTitle,
    color,
    description,
    priority
  },
  groups: [{ rule: "atLeastOneOf", names: ["new_name", "color", "description", "priority"] }, oneName],
  success: { status: 200, body: ProjectLabel },
  refusals: missing
})

export const removeNamedFromProject = endpoint({
  name: "labels.removeNamedFromProject",
  area,
  method: "DELETE",
  path: "/projects/:id/labels",
  summary: "Delete a label of a project that a parameter names",
  ...olderForm,
  access: "user",
  parameters: { id: projectId, ...named },
  groups: [oneName],
  success: { status: 204 },
  refusals: { ...missing, ...changed }
})

export const listOfGroup = endpoint({
  name: "labels.listOfGroup",
  area,
  method: "GET",
  path: "/groups/:id/labels",
  summary: "List the labels of a group",
  description: "By title.",
  access: "anyone",
  parameters: { id: groupId, ...filters },
  paginated: true,
  success: { status: 200, body: Schema.Array(GroupLabel) },
  refusals: missing
})

export const readOfGroup = endpoint({
  name: "labels.readOfGroup",
  area,
  method: "GET",
  path: "/groups/:id/labels/:name",
  summary: "Read a label of a group",
  access: "anyone",
  parameters: { id: groupId, name: labelOfGroup, include_ancestor_groups: withAncestors },
  success: { status: 200, body: GroupLabel },
  refusals: missing
})

export const addToGroup = endpoint({
  name: "labels.addToGroup",
  area,
  method: "POST",
  path: "/groups/:id/labels",
  summary: "Create a label in a group",
  description: "Its subgroups and projects use it too.",
  access: "user",
  parameters: {
    id: groupId,
    name: { ...title, example: "security" },
    color: { ...color, required: true },
    description
  },
  success: { status: 201, body: GroupLabel },
  refusals: { ...missing, ...taken }
})

export const changeOfGroup = endpoint({
  name: "labels.changeOfGroup",
  area,
  method: "PUT",
  path: "/groups/:id/labels/:name",
  summary: "Change a label of a group",
  access: "user",
  parameters: { id: groupId, name: labelOfGroup, new_name: newTitle, color, description },
  groups: [{ rule: "atLeastOneOf", names: ["new_name", "color", "description"] }],
  success: { status: 200, body: GroupLabel },
  refusals: missing
})

export const removeFromGroup = endpoint({
  name: "labels.removeFromGroup",
  area,
  method: "DELETE",
  path: "/groups/:id/labels/:name",
  summary: "Delete a label of a group",
  access: "user",
  parameters: { id: groupId, name: labelOfGroup },
  success: { status: 204 },
  refusals: { ...missing, ...changed }
})

export const changeNamedOfGroup = endpoint({
  name: "labels.changeNamedOfGroup",
  area,
  method: "PUT",
  path: "/groups/:id/labels",
  summary: "Change a label of a group that a parameter names",
  ...olderForm,
  access: "user",
  parameters: { id: groupId, ...named, name: { ...named.name, example: "security" }, new_name: newTitle, color, description },
  groups: [{ rule: "atLeastOneOf", names: ["new_name", "color", "description"] }, oneName],
  success: { status: 200, body: GroupLabel },
  refusals: missing
})

export const removeNamedFromGroup = endpoint({
  name: "labels.removeNamedFromGroup",
  area,
  method: "DELETE",
  path: "/groups/:id/labels",
  summary: "Delete a label of a group that a parameter names",
  ...olderForm,
  access: "user",
  parameters: { id: groupId, name: { ...named.name, required: true, example: "security" } },
  success: { status: 204 },
  refusals: { ...missing, ...changed }
})
