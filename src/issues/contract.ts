import { projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { IssueDetail } from "./shapes.ts"

export const area = "issues"
const issues = "/projects/:id/issues" as const
export const issue = `${issues}/:issue_iid` as const
const iid = { kind: "integer", required: true, description: "Number of the issue in its project.", example: 1 } as const
export const named = { id: projectId, issue_iid: iid } as const
export const missing = { 404: "No such issue, or it is hidden from the caller." }

const title = { kind: "string", description: "What it is about.", example: "Uploads fail" } as const

const settings = {
  description: { kind: "string", description: "More of it, as Markdown." },
  assignee_ids: { kind: "integerList", description: "IDs of the users who work on it; 0 for nobody." },
  assignee_id: { kind: "integer", deprecated: true, description: "ID of the user who works on it; 0 for nobody." },
  milestone_id: { kind: "integer", description: "ID of the milestone with which it is to be done; 0 for none." },
  labels: { kind: "stringList", description: "Titles of all of its labels; those that are not there are made." },
  add_labels: { kind: "stringList", description: "Titles of labels that it gets." },
  remove_labels: { kind: "stringList", description: "Titles of labels that it loses." },
  due_date: { kind: "date", description: "Day by which it is to be done; blank for none." },
  confidential: { kind: "boolean", description: "Whether only Reporters, its author and its assignees see it." },
  discussion_locked: { kind: "boolean", description: "Whether only members comment." },
  issue_type: { kind: "string", values: ["issue"], description: "Always `issue`." }
} as const

export const readIssue = endpoint({
  name: "issues.read",
  area,
  method: "GET",
  path: issue,
  summary: "Read an issue",
  access: "anyone",
  parameters: named,
  success: { status: 200, body: IssueDetail },
  refusals: missing
})

export const createIssue = endpoint({
  name: "issues.create",
  area,
  method: "POST",
  path: issues,
  summary: "Open an issue",
  description: "Labels, milestone, assignees and the due date are set by members alone, and otherwise left out without a word.",
  access: "user",
  takesContent: true,
  parameters: {
    id: projectId,
    title: { ...title, required: true },
    created_at: { kind: "dateTime", description: "When it is said to have been opened. For owners and administrators." },
    ...settings
  },
  success: { status: 201, body: IssueDetail },
  refusals: { 400: "An attribute is wrong.", 403: "The caller may not open issues here." }
})

const changeable = {
  title,
  state_event: { kind: "string", values: ["close", "reopen"], description: "Closes or reopens it." },
  ...settings
} as const

/** In the order of the reference. */
const names = [
  ...[
    "assignee_id",
    "assignee_ids",
    "confidential",
    "created_at",
    "description",
    "discussion_locked",
    "due_date",
    "labels",
    "add_labels"
  ],
  ...["remove_labels", "milestone_id", "state_event", "title", "issue_type"]
]

export const changeIssue = endpoint({
  name: "issues.change",
  area,
  method: "PUT",
  path: issue,
  summary: "Change an issue",
  description: "Reporters change all of it; its author and assignees its texts and its state.",
  access: "user",
  takesContent: true,
  parameters: { ...named, ...changeable },
  groups: [{ rule: "atLeastOneOf", names }],
  success: { status: 200, body: IssueDetail },
  refusals: { ...missing, 400: "An attribute is wrong.", 403: "The caller may not change it." }
})

export const deleteIssue = endpoint({
  name: "issues.delete",
  area,
  method: "DELETE",
  path: issue,
  summary: "Delete an issue",
  access: "user",
  parameters: named,
  success: { status: 204 },
  refusals: { ...missing, 403: "The caller does not own the project.", 412: "It was changed after `If-Unmodified-Since`." }
})
