import { isoMillis, nullableIsoMillis } from "../http/answer/jsonTimes.ts"
import { userReference } from "../http/answer/shapes.ts"
import { type Place, presentReferences } from "../issuables/references.ts"
import { presentTimeStats } from "../issuables/timeStats.ts"
import { defined } from "../kernel/defined.ts"
import { presentDetails } from "../labels/Labels.ts"
import { presentMilestone } from "../milestones/Milestones.ts"
import type { IssueRow } from "./Queries.ts"
import type { BasicIssue, IssueDetail, ListedIssue } from "./shapes.ts"

/** What presents issues. */
export interface View extends Place {
  /** The time is in milliseconds since 1970: milestones that were due before have expired. */
  readonly now: number
  readonly withLabelDetails?: boolean
}

/** An issue as others show it. */
export const presentBasic = (row: IssueRow, view: View): typeof BasicIssue.Type => {
  const { externalUrl, withLabelDetails } = view
  const assignees = row.assignees.map((user) => userReference(user, externalUrl))
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: isoMillis(row.created_at),
    updated_at: isoMillis(row.updated_at),
    closed_at: nullableIsoMillis(row.closed_at),
    closed_by: row.closed_by && userReference(row.closed_by, externalUrl),
    labels: withLabelDetails ? row.labels.map(presentDetails) : row.labels.map(({ title }) => title),
    milestone: row.milestone && presentMilestone(row.milestone, view),
    assignees,
    author: row.author && userReference(row.author, externalUrl),
    type: "ISSUE",
    assignee: assignees[0] ?? null,
    user_notes_count: row.user_notes_count,
    merge_requests_count: row.merge_requests,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    due_date: row.due_date,
    confidential: row.is_confidential,
    discussion_locked: row.is_discussion_locked,
    issue_type: "issue",
    web_url: `${externalUrl}/${row.project_path}/-/issues/${row.iid}`,
    time_stats: presentTimeStats({ time_estimate: 0, time_spent: 0 }),
    task_completion_status: { count: row.tasks, completed_count: row.completed_tasks },
    blocking_issues_count: 0
  }
}

const taskStatus = ({ completed_tasks, tasks }: IssueRow): string | undefined =>
  tasks === 0 ? undefined : `${completed_tasks} of ${tasks} checklist ${tasks === 1 ? "item" : "items"} completed`

const linksOf = ({ iid, project_id }: IssueRow, { externalUrl }: View) => {
  const project = `${externalUrl}/api/v4/projects/${project_id}`
  const self = `${project}/issues/${iid}`
  return { self, notes: `${self}/notes`, award_emoji: `${self}/award_emoji`, project, closed_as_duplicate_of: null }
}

const first = (row: IssueRow, view: View) => ({
  ...presentBasic(row, view),
  has_tasks: row.tasks > 0,
  ...defined({ task_status: taskStatus(row) }),
  _links: linksOf(row, view),
  references: presentReferences(`#${row.iid}`, row.project_path, view),
  severity: "UNKNOWN" as const
})

const last = { moved_to_id: null, imported: false, imported_from: "none", service_desk_reply_to: null } as const

export const presentListed = (row: IssueRow, view: View): typeof ListedIssue.Type => ({ ...first(row, view), ...last })

export const presentDetail = (row: IssueRow, isSubscribed: boolean, view: View): typeof IssueDetail.Type => ({
  ...first(row, view),
  subscribed: isSubscribed,
  ...last
})
