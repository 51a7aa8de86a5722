import { Schema } from "effect"
import {
  flag,
  integer,
  literal,
  nothing,
  nullableDay,
  nullableFlag,
  nullableText,
  nullableTime,
  text,
  time,
  url
} from "../http/answer/fields.ts"
import { UserReference } from "../http/answer/shapes.ts"
import { References } from "../issuables/references.ts"
import { TimeStats } from "../issuables/timeStats.ts"
import { LabelDetails } from "../labels/Labels.ts"
import { AnyMilestone } from "../milestones/Milestones.ts"

const someone = (description: string) => Schema.NullOr(UserReference).annotate({ description })

const basicFields = {
  id: integer("ID of the issue."),
  iid: integer("Number of the issue in its project."),
  project_id: integer("ID of the project."),
  title: text("What it is about."),
  description: nullableText("More of it, as Markdown."),
  state: Schema.Literals(["opened", "closed"]).annotate({ description: "Whether it is open." }),
  created_at: time("When it was opened."),
  updated_at: time("When it was last changed."),
  closed_at: nullableTime("When it was closed; null while it is open."),
  closed_by: someone("Who closed it; null while it is open."),
  labels: Schema.Union([Schema.Array(Schema.String), Schema.Array(LabelDetails)]).annotate({
    description: "Titles of its labels, in alphabetical order; the whole labels, if asked for."
  }),
  milestone: Schema.NullOr(AnyMilestone).annotate({ description: "With what it is to be done; null for none." }),
  assignees: Schema.Array(UserReference).annotate({ description: "Who works on it." }),
  author: someone("Who opened it; null when that user is deleted."),
  type: literal("ISSUE", "Always `ISSUE`."),
  assignee: someone("The first of the assignees."),
  user_notes_count: integer("Comments of people."),
  merge_requests_count: integer("How many merge requests close it."),
  upvotes: integer("How many people like it."),
  downvotes: integer("How many people dislike it."),
  due_date: nullableDay("Day by which it is to be done."),
  confidential: flag("Whether only Reporters, its author and its assignees see it."),
  discussion_locked: nullableFlag("Whether only members comment; null until that is set."),
  issue_type: literal("issue", "Always `issue`."),
  web_url: url("Page of the issue."),
  time_stats: TimeStats.annotateKey({ description: "How much time it is to take, and took." }),
  task_completion_status: Schema.Struct({
    count: integer("Tasks in the description."),
    completed_count: integer("Those of them that are done.")
  }).annotate({ description: "Tasks in the description." }),
  blocking_issues_count: integer("0: issues do not block each other.")
}

/** An issue where something else is the matter. */
export const BasicIssue = Schema.Struct(basicFields).annotate({ identifier: "BasicIssue" })

const Links = Schema.Struct({
  self: url("Address of the issue."),
  notes: url("Address of its comments."),
  award_emoji: url("Address of its award emoji."),
  project: url("Address of the project."),
  closed_as_duplicate_of: nothing("Null: nothing is marked as a duplicate.")
}).annotate({ identifier: "IssueLinks" })

const fields = {
  ...basicFields,
  has_tasks: flag("Whether there are tasks in the description."),
  task_status: Schema.optionalKey(Schema.String).annotate({
    description: "How many tasks are done, in words, where there are any."
  }),
  _links: Links.annotateKey({ description: "Where more of it is found." }),
  references: References.annotateKey({ description: "How others refer to it." }),
  severity: literal("UNKNOWN", "Always `UNKNOWN`.")
}

const lastFields = {
  moved_to_id: nothing("Null: issues are not moved."),
  imported: flag("False: it was made here."),
  imported_from: text("Always `none`."),
  service_desk_reply_to: nothing("Null: there is no service desk.")
}

/** An issue of a list. */
export const ListedIssue = Schema.Struct({ ...fields, ...lastFields }).annotate({ identifier: "Issue" })

/** An issue that is shown alone. */
export const IssueDetail = Schema.Struct({
  ...fields,
  subscribed: flag("Whether the caller has a part in it."),
  ...lastFields
}).annotate({ identifier: "IssueDetails" })
