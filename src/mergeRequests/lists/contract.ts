import { Schema } from "effect"
import { groupId, projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import type { Decoded, ParameterGroup } from "../../http/parameters/parameters.ts"
import { orders, ordersOfProjects } from "../Queries.ts"
import { ListedMergeRequest, SimpleMergeRequest } from "../shapes.ts"
import { excludedLabelings, labelingFilters } from "./labelingParameters.ts"

const time = (description: string) => ({ kind: "dateTime", description }) as const
const person = (role: string) =>
  ({ kind: "string", description: `Only those with this ${role}: an ID, \`None\` or \`Any\`.` }) as const
const username = (role: string) => ({ kind: "string", description: `Only those with the ${role} of this user name.` }) as const
const approvers = (role: string) =>
  ({ kind: "stringList", description: `Only those ${role}: up to five IDs, or \`None\` or \`Any\`.` }) as const
const userId = (role: string) => ({ kind: "integer", description: `Only those without this ${role}.` }) as const

const usernames = (role: string) =>
  ({ kind: "stringList", description: `Only those with all ${role}s of these user names.` }) as const

/** Two ways to name the same person. */
const exclusive = (role: string): ParameterGroup => ({ rule: "mutuallyExclusive", names: [`${role}_id`, `${role}_username`] })

const excluded = {
  kind: "hash",
  description: "What is left out.",
  groups: [exclusive("author"), exclusive("assignee"), exclusive("reviewer")],
  fields: {
    ...excludedLabelings,
    author_id: userId("author"),
    author_username: { kind: "string", description: "Only those without the author of this user name." },
    assignee_id: userId("assignee"),
    assignee_username: { kind: "stringList", description: "Only those without an assignee of these user names." },
    reviewer_id: userId("reviewer"),
    reviewer_username: { kind: "string", description: "Only those without the reviewer of this user name." },
    my_reaction_emoji: { kind: "string", description: "Only those to which the caller did not award this emoji." }
  }
} as const

/** What merge requests are chosen by in every list of them. */
const filters = {
  state: {
    kind: "string",
    values: ["opened", "closed", "locked", "merged", "all"],
    allowBlank: true,
    default: "all",
    description: "Only those in this state."
  },
  order_by: {
    kind: "string",
    values: orders,
    default: "created_at",
    description:
      "What the list is ordered by: `milestone_due` is the due date of the milestone, and what has none comes last, `popularity` the number of `thumbsup`."
  },
  sort: { kind: "string", values: ["asc", "desc"], default: "desc", description: "Direction of the order." },
  view: { kind: "string", values: ["simple"], description: "Little of each, with `simple`." },
  created_after: time("Only those opened at this time or later."),
  created_before: time("Only those opened at this time or earlier."),
  updated_after: time("Only those last changed at this time or later."),
  updated_before: time("Only those last changed at this time or earlier."),
  author_id: { kind: "integer", description: "Only those of this author." },
  author_username: username("author"),
  assignee_id: person("assignee"),
  assignee_username: usernames("assignee"),
  reviewer_id: person("reviewer"),
  reviewer_username: { kind: "string", description: "Only those with the reviewer of this user name, `None` or `Any`." },
  merge_user_id: { kind: "integer", description: "Only those that this user merged." },
  merge_user_username: { kind: "string", description: "Only those that the user of this name merged." },
  source_branch: { kind: "string", description: "Only those from branches of this name." },
  target_branch: { kind: "string", description: "Only those into branches of this name." },
  source_project_id: { kind: "integer", description: "Only those from this project." },
  search: {
    kind: "string",
    description:
      "Only those whose title or description holds all of these words, and phrases in double quotes. Those below three characters count only where all are."
  },
  in: { kind: "string", description: "Where to search: `title`, `description`, or both with a comma." },
  ...labelingFilters,
  my_reaction_emoji: {
    kind: "string",
    description: "Only those to which the caller awarded this emoji, or any with `Any`, or none with `None`."
  },
  approved_by_ids: approvers("approved by all of these users"),
  approver_ids: approvers("with rules of approvals that name all of these users"),
  approved: {
    kind: "string",
    values: ["yes", "no"],
    description: "Only those that somebody approved, or others. No effect unless the feature `mr_approved_filter` is on."
  },
  approved_by_usernames: {
    kind: "stringList",
    description: "Only those approved by all of these user names, up to five, or `None` or `Any`."
  },
  environment: { kind: "string", description: "Only those that were deployed into the environment of this name." },
  deployed_after: { kind: "string", description: "Only those that were deployed after this time; what is none is ignored." },
  deployed_before: { kind: "string", description: "Only those that were deployed before this time; what is none is ignored." },
  wip: { kind: "string", values: ["yes", "no"], description: "Only drafts, or only others." },
  with_merge_status_recheck: {
    kind: "boolean",
    description: "Whether it is found out again which of them can be merged. It is anyway."
  },
  not: excluded
} as const

const orderInProject = {
  ...filters.order_by,
  values: ordersOfProjects,
  description: `${filters.order_by.description} \`label_priority\` is the priority of the most urgent label but those that are asked for, \`priority\` the due date of the milestone, and then that label.`
} as const

const scope = (meaning: string) =>
  ({
    kind: "string",
    values: ["created_by_me", "assigned_to_me", "created-by-me", "assigned-to-me", "all"],
    description: `Only those of the caller's, or assigned to the caller. ${meaning}`
  }) as const

const groups: ReadonlyArray<ParameterGroup> = [
  exclusive("author"),
  exclusive("assignee"),
  exclusive("reviewer"),
  exclusive("merge_user"),
  { rule: "mutuallyExclusive", names: ["approved_by_ids", "approved_by_usernames"] }
]

export const success = {
  status: 200,
  body: Schema.Array(Schema.Union([ListedMergeRequest, SimpleMergeRequest])),
  mayStream: true
} as const
const iids = { kind: "integerList", description: "Only those with these numbers." } as const

export const listMergeRequests = endpoint({
  name: "mergeRequests.list",
  area: "mergeRequests",
  method: "GET",
  path: "/merge_requests",
  summary: "List merge requests",
  description: "Without a token only with `scope=all`.",
  access: "anyone",
  parameters: { ...filters, scope: scope("Default: `created_by_me`.") },
  groups,
  paginated: true,
  success,
  refusals: { 401: "The scope needs a caller." }
})

export const listProjectMergeRequests = endpoint({
  name: "mergeRequests.listOfProject",
  area: "mergeRequests",
  method: "GET",
  path: "/projects/:id/merge_requests",
  summary: "List merge requests of a project",
  access: "anyone",
  parameters: { id: projectId, ...filters, order_by: orderInProject, scope: scope("Default: `all`."), iids },
  groups,
  paginated: true,
  success,
  refusals: { 403: "Merge requests are not shown to the caller." }
})

export const listGroupMergeRequests = endpoint({
  name: "mergeRequests.listOfGroup",
  area: "mergeRequests",
  method: "GET",
  path: "/groups/:id/merge_requests",
  summary: "List merge requests of a group",
  description: "Those of its projects and of projects in groups below it.",
  access: "anyone",
  parameters: {
    id: groupId,
    ...filters,
    scope: scope("Default: `all`."),
    non_archived: { kind: "boolean", default: true, description: "Whether archived projects are left out." }
  },
  groups,
  paginated: true,
  success,
  refusals: { 404: "No such group, or it is hidden." }
})

/** What a list may be asked for, wherever it is of. */
export type Filters = Omit<Decoded<(typeof listProjectMergeRequests)["parameters"]>, "id" | "iids">
