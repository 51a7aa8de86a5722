import { projectId } from "../http/answer/references.ts"
import { endpoint } from "../http/Endpoint.ts"
import { MergeRequestDetail } from "./shapes.ts"

export const area = "mergeRequests"
export const mergeRequests = "/projects/:id/merge_requests" as const
export const mergeRequest = `${mergeRequests}/:merge_request_iid` as const
const iid = { kind: "integer", required: true, description: "Number of the merge request in its project.", example: 1 } as const
export const named = { id: projectId, merge_request_iid: iid } as const
export const missing = { 404: "No such merge request." }

const first = {
  assignee_id: { kind: "integer", description: "ID of the user who works on it; 0 for nobody." },
  assignee_ids: { kind: "integerList", description: "IDs of the users who work on it; 0 for nobody." },
  reviewer_ids: { kind: "integerList", description: "IDs of the users who are to review it; 0 for nobody." },
  description: { kind: "string", description: "What it does, as Markdown." },
  labels: {
    kind: "stringList",
    description: "Titles of its labels. Those that are not there are made in the project.",
    example: ["feature"]
  }
} as const

const last = {
  milestone_id: { kind: "integer", description: "ID of its milestone among all milestones; 0 for none.", example: 1 },
  remove_source_branch: { kind: "boolean", description: "Whether a merge removes the source branch." },
  allow_collaboration: { kind: "boolean", description: "Whether those who may merge may push to the source branch of a fork." },
  allow_maintainer_to_push: { kind: "boolean", deprecated: true, description: "The same as `allow_collaboration`." },
  squash: { kind: "boolean", description: "Whether its commits are to become one." }
} as const

const invalid = "An attribute is wrong, or the branch is not there."

export const readMergeRequest = endpoint({
  name: "mergeRequests.read",
  area,
  method: "GET",
  path: mergeRequest,
  summary: "Read a merge request",
  access: "anyone",
  parameters: {
    ...named,
    include_diverged_commits_count: { kind: "boolean", description: "Adds how many commits the source branch lacks." },
    include_rebase_in_progress: { kind: "boolean", description: "Adds whether it is being rebased." },
    render_html: { kind: "boolean", description: "Adds title and description as HTML." }
  },
  success: { status: 200, body: MergeRequestDetail },
  refusals: { ...missing, 403: "Merge requests are not shown to the caller." }
})

export const createMergeRequest = endpoint({
  name: "mergeRequests.create",
  area,
  method: "POST",
  path: mergeRequests,
  summary: "Open a merge request",
  description: "The project is the one with the source branch.",
  access: "user",
  takesContent: true,
  parameters: {
    id: projectId,
    title: { kind: "string", required: true, description: "What it is about.", example: "Add a README" },
    source_branch: { kind: "string", required: true, description: "Branch with its commits.", example: "feature" },
    target_branch: { kind: "string", required: true, description: "Branch into which it is to be merged.", example: "main" },
    target_project_id: {
      kind: "integer",
      description: "ID of the project of the target branch; that of a fork may be its source."
    },
    ...first,
    ...last,
    approvals_before_merge: { kind: "integer", deprecated: true, description: "How many have to approve it, whoever they are." }
  },
  success: { status: 201, body: MergeRequestDetail },
  refusals: {
    400: invalid,
    403: "The caller may not open one in these projects.",
    409: "Another one is open for these branches.",
    422: "Source and target do not fit together."
  }
})

const changeable = {
  ...first,
  add_labels: { kind: "stringList", description: "Titles of labels to add. Those that are not there are made in the project." },
  remove_labels: { kind: "stringList", description: "Titles of labels to take away." },
  ...last,
  target_branch: { kind: "string", allowBlank: false, description: "Branch into which it is to be merged." },
  title: { kind: "string", allowBlank: false, description: "What it is about.", example: "Add a better README" },
  state_event: { kind: "string", values: ["close", "reopen"], description: "Closes or reopens it." },
  discussion_locked: { kind: "boolean", description: "Whether only members comment." }
} as const

export const changeMergeRequest = endpoint({
  name: "mergeRequests.change",
  area,
  method: "PUT",
  path: mergeRequest,
  summary: "Change a merge request",
  access: "user",
  takesContent: true,
  parameters: { ...named, ...changeable },
  groups: [{ rule: "atLeastOneOf", names: Object.keys(changeable) }],
  success: { status: 200, body: MergeRequestDetail },
  refusals: {
    ...missing,
    400: invalid,
    403: "The caller may not change it.",
    409: "Another one is open for these branches.",
    422: "Source and target are the same branch."
  }
})

export const deleteMergeRequest = endpoint({
  name: "mergeRequests.delete",
  area,
  method: "DELETE",
  path: mergeRequest,
  summary: "Delete a merge request",
  access: "user",
  parameters: named,
  success: { status: 204 },
  refusals: { ...missing, 403: "The caller does not own the project.", 412: "It was changed after `If-Unmodified-Since`." }
})
