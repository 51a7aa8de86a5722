import { Schema } from "effect"
import { groupId, projectId } from "../../http/answer/references.ts"
import { endpoint } from "../../http/Endpoint.ts"
import type { ParameterGroup } from "../../http/parameters/parameters.ts"
import { ListedIssue } from "../shapes.ts"

const time = (description: string) => ({ kind: "dateTime", description }) as const
const text = (description: string) => ({ kind: "string", description }) as const
const number = (description: string) => ({ kind: "integer", description }) as const
const milestones = ["None", "Any", "Upcoming", "Started", "none", "any", "upcoming", "started", ""] as const

const excluded = {
  kind: "hash",
  description: "What is left out.",
  fields: {
    labels: { kind: "stringList", description: "Those with one of these labels." },
    milestone: text("Those of the milestone with this title."),
    milestone_id: { kind: "string", values: milestones, description: "Those of such milestones." },
    iids: { kind: "integerList", description: "Those with these numbers." },
    author_id: number("Those of this author."),
    author_username: text("Those of the author with this user name."),
    assignee_id: number("Those with this assignee."),
    assignee_username: { kind: "stringList", description: "Those with all assignees of these user names." },
    my_reaction_emoji: text("Those to which the caller awarded this emoji.")
  }
} as const

/** What issues are chosen by in every list of them. */
const filters = {
  state: { kind: "string", values: ["opened", "closed", "all"], default: "all", description: "Only those in this state." },
  labels: {
    kind: "stringList",
    description: "Only those with all of these labels; `None` for those without, `Any` for those with one."
  },
  milestone: text("Only those of the milestone with this title; `None`, `Any`, `#upcoming`, `#started`."),
  milestone_id: { kind: "string", values: milestones, description: "Only those of such milestones." },
  iids: { kind: "integerList", description: "Only those with these numbers." },
  author_id: number("Only those of this author."),
  author_username: text("Only those of the author with this user name."),
  assignee_id: text("Only those with this assignee: an ID, `None` or `Any`."),
  assignee_username: { kind: "stringList", description: "Only those with all assignees of these user names." },
  my_reaction_emoji: text("Only those to which the caller awarded this emoji, or any with `Any`, or none with `None`."),
  search: text("Only those whose title or description holds all of these words."),
  in: text("Where to search: `title`, `description`, or both with a comma."),
  confidential: { kind: "boolean", description: "Only confidential ones, or only others." },
  due_date: {
    kind: "string",
    values: ["0", "any", "today", "tomorrow", "overdue", "week", "month", "next_month_and_previous_two_weeks", ""],
    description: "Only those that are due then; `0` for those without a date."
  },
  issue_type: { kind: "string", values: ["issue", "incident", "test_case", "task"], description: "All are of type `issue`." },
  created_after: time("Only those opened at this time or later."),
  created_before: time("Only those opened at this time or earlier."),
  updated_after: time("Only those last changed at this time or later."),
  updated_before: time("Only those last changed at this time or earlier."),
  with_labels_details: { kind: "boolean", default: false, description: "Whether labels are told with all that they have." },
  order_by: {
    kind: "string",
    values: ["created_at", "due_date", "title", "updated_at"],
    default: "created_at",
    description: "What the list is ordered by."
  },
  sort: { kind: "string", values: ["asc", "desc"], default: "desc", description: "Direction of the order." },
  not: excluded
} as const

const scope = (meaning: string) =>
  ({
    kind: "string",
    values: ["created_by_me", "assigned_to_me", "created-by-me", "assigned-to-me", "all"],
    description: `Only those of the caller's, or assigned to the caller. ${meaning}`
  }) as const

const groups: ReadonlyArray<ParameterGroup> = [
  { rule: "mutuallyExclusive", names: ["milestone_id", "milestone"] },
  { rule: "mutuallyExclusive", names: ["author_id", "author_username"] },
  { rule: "mutuallyExclusive", names: ["assignee_id", "assignee_username"] }
]

const nonArchived = { kind: "boolean", default: true, description: "Whether archived projects are left out." } as const
export const success = { status: 200, body: Schema.Array(ListedIssue), mayStream: true } as const

export const listIssues = endpoint({
  name: "issues.list",
  area: "issues",
  method: "GET",
  path: "/issues",
  summary: "List issues",
  description: "Without a token only with `scope=all`.",
  access: "anyone",
  parameters: { ...filters, scope: scope("Default: `created_by_me`."), non_archived: nonArchived },
  groups,
  paginated: true,
  success,
  refusals: { 401: "The scope needs a caller." }
})

export const listProjectIssues = endpoint({
  name: "issues.listOfProject",
  area: "issues",
  method: "GET",
  path: "/projects/:id/issues",
  summary: "List issues of a project",
  description: "None where the caller may not see issues.",
  access: "anyone",
  parameters: { id: projectId, ...filters, scope: scope("Default: `all`.") },
  groups,
  paginated: true,
  success
})

export const listGroupIssues = endpoint({
  name: "issues.listOfGroup",
  area: "issues",
  method: "GET",
  path: "/groups/:id/issues",
  summary: "List issues of a group",
  description: "Those of its projects and of projects in groups below it.",
  access: "anyone",
  parameters: { id: groupId, ...filters, scope: scope("Default: `all`."), non_archived: nonArchived },
  groups,
  paginated: true,
  success,
  refusals: { 404: "No such group, or it is hidden." }
})
