import { array, none, nothing, object, timeOf } from "./json.ts"
import { lastPart, noteParts } from "./notes.ts"
import { closeLines, openLines, type Records } from "./Records.ts"
import { awards, labelLinks, milestone, stateEvents } from "./shared.ts"

const from = `rm_issues.issues i join rm_issues.texts t on t.project_id = i.project_id and t.iid = i.iid where i.project_id = $1`
const order = "i.id"

const attributes = `i.title, i.author_id, i.project_id, ${timeOf("i", "created_at")}, ${timeOf("i", "updated_at")}, t.description, i.iid,
  ${nothing("updated_by_id")}, i.is_confidential as confidential, ${timeOf("i", "closed_at")}, i.closed_by_id, i.due_date,
  0 as lock_version, ${nothing("weight")}, 0 as time_estimate, ${nothing("relative_position", "last_edited_at", "last_edited_by_id")},
  i.is_discussion_locked as discussion_locked, ${nothing("health_status")}, 'issue' as issue_type, i.state,
  ${none("events", "timelogs")}`

const nested = `${labelLinks("rm_issues.labels", "Issue", "i")} as label_links, ${milestone("i.milestone_id")} as milestone,
  ${none("resource_label_events", "resource_milestone_events")}, ${stateEvents("Issue", "i")} as resource_state_events,
  ${none("designs", "design_versions")},
  ${array(`select _p.user_id from rm_issues.assignees _p where _p.project_id = i.project_id and _p.iid = i.iid order by _p.place`)}
    as issue_assignees,
  ${none("zoom_meetings")}, ${nothing("sentry_issue")}, ${awards("Issue", "i.id")} as award_emoji,
  ${object("select 'issue' as base_type")} as work_item_type`

const numbered = `select i.project_id, i.iid, row_number() over (order by ${order}) as record from rm_issues.issues i where i.project_id = $1`

export const issues: Records = {
  relation: "issues",
  statements: [
    openLines(attributes, "notes", { from, order }),
    noteParts("Issue", "issue", numbered),
    closeLines(nested, lastPart, { from, order })
  ]
}
