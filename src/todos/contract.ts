import { Schema } from "effect"
import { endpoint } from "../http/Endpoint.ts"
import { mergeRequestPath, namedMergeRequest } from "../mergeRequests/MergeRequests.ts"
import { Action } from "./events.ts"
import { Todo } from "./shapes.ts"

const area = "todos"

/** What to-dos may be about in the reference; here those of merge requests come about. */
const types = [
  "Commit",
  "Issue",
  "WorkItem",
  "MergeRequest",
  "DesignManagement::Design",
  "AlertManagement::Alert",
  "Namespace",
  "Project",
  "Key",
  "WikiPage::Meta"
] as const

export const listTodos = endpoint({
  name: "todos.list",
  area,
  method: "GET",
  path: "/todos",
  summary: "List the to-do items of the caller",
  description: "The newest first. Of what the caller may not see any more, nothing is told.",
  access: "user",
  parameters: {
    action: { kind: "string", values: Action.literals, description: "Only those that wait for this reason." },
    author_id: { kind: "integer", description: "Only those that came about by this user." },
    project_id: { kind: "integer", description: "Only those of this project." },
    group_id: { kind: "integer", description: "Only those of the projects of this group, and of groups below it." },
    state: { kind: "string", values: ["pending", "done"], description: "Only those in this state. Default: `pending`." },
    type: { kind: "string", values: types, description: "Only those about this kind of thing." }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(Todo), mayStream: true }
})

export const addForMergeRequest = endpoint({
  name: "todos.addForMergeRequest",
  area,
  method: "POST",
  path: `${mergeRequestPath}/todo`,
  summary: "Add a to-do item for a merge request",
  access: "user",
  parameters: namedMergeRequest,
  success: { status: 201, body: Todo },
  otherSuccesses: [{ status: 304 }],
  refusals: { 403: "Merge requests are not shown to the caller.", 404: "No such merge request." }
})

export const markAsDone = endpoint({
  name: "todos.markAsDone",
  area,
  method: "POST",
  path: "/todos/:id/mark_as_done",
  summary: "Mark a to-do item as done",
  access: "user",
  parameters: { id: { kind: "integer", required: true, description: "ID of the to-do item.", example: 1 } },
  success: { status: 201, body: Todo },
  refusals: { 404: "The caller has no such to-do item, or may not see what it is about." }
})

export const markAllAsDone = endpoint({
  name: "todos.markAllAsDone",
  area,
  method: "POST",
  path: "/todos/mark_as_done",
  summary: "Mark all to-do items as done",
  access: "user",
  parameters: {},
  success: { status: 204 }
})
