import { array, none, nothing, object, timeOf, timeUnder } from "./json.ts"
import { lastPart, noteParts } from "./notes.ts"
import { closeLines, openLines, type Records } from "./Records.ts"
import { awards, label, labelLinks, milestone, stateEvents } from "./shared.ts"

const from = `rm_merge_requests.merge_requests m join rm_merge_requests.texts t on t.project_id = m.project_id and t.iid = m.iid
  where m.project_id = $1`
const order = "m.id"

const ofRequest = (alias: string): string => `${alias}.project_id = m.project_id and ${alias}.iid = m.iid`

/** As `mergeStatusOf` has it. */
const mergeStatus = `case
  when m.verdict is null then case when m.prepared_at is null then 'preparing' else 'unchecked' end
  when m.verdict = 'mergeable' then case when m.is_outdated then 'unchecked' else 'can_be_merged' end
  when m.is_outdated then 'cannot_be_merged_recheck' else 'cannot_be_merged' end`

/** What is told of a merge request, the row `m` with its texts `t`, wherever that is. */
export const mergeRequestColumns = `m.target_branch, m.source_branch, m.source_project_id, m.author_id, m.title,
  ${timeOf("m", "created_at")}, ${timeOf("m", "updated_at")}, ${mergeStatus} as merge_status, m.project_id as target_project_id, m.iid,
  t.description, ${nothing("updated_by_id")}, m.merge_error,
  ${object("select m.removes_source_branch as force_remove_source_branch, m.should_remove_source_branch")} as merge_params,
  coalesce(m.merge_user_id, m.auto_merge_user_id) as merge_user_id, m.merge_sha as merge_commit_sha, m.squash_sha as squash_commit_sha, ${nothing("in_progress_merge_commit_sha")},
  0 as lock_version, m.approvals_before_merge, ${nothing("rebase_commit_sha")}, m.time_estimate, m.squash,
  ${nothing("last_edited_at", "last_edited_by_id")}, m.is_discussion_locked as discussion_locked,
  m.allows_collaboration as allow_maintainer_to_push, ${nothing("merge_ref_sha")},
  m.title ~* '^(\\[draft\\]|\\(draft\\)|draft:)' as draft, m.sha as diff_head_sha, m.sha as source_branch_sha,
  m.start_sha as target_branch_sha, m.state`

const approvals =
  array(`select _p.user_id, ${timeUnder("created_at", "_p", "approved_at")}, ${timeUnder("updated_at", "_p", "approved_at")}
  from rm_merge_requests.approvals _p where ${ofRequest("_p")} order by _p.approved_at, _p.user_id`)

const metrics = object(`select ${timeOf("m", "created_at")}, ${timeOf("m", "updated_at")}, m.closed_by_id as latest_closed_by_id,
  ${timeUnder("latest_closed_at", "m", "closed_at")}, m.merge_user_id as merged_by_id, ${timeOf("m", "merged_at")},
  ${nothing("latest_build_started_at", "latest_build_finished_at", "first_deployed_to_production_at")},
  (select ${timeUnder("at", "_f", "at")} from (
    select min(_n.created_at) as at from rm_notes.notes _n
    where _n.project_id = m.project_id and _n.noteable_type = 'mergeRequest' and _n.iid = m.iid and not _n.is_system) _f) as first_comment_at,
  ${nothing("first_commit_at", "last_commit_at", "diff_size", "modified_paths_size")}, m.commits as commits_count,
  (select ${timeUnder("at", "_f", "at")} from (
    select min(_p.approved_at) as at from rm_merge_requests.approvals _p where ${ofRequest("_p")}) _f) as first_approved_at,
  ${nothing("first_reassigned_at", "added_lines", "removed_lines")}, m.project_id as target_project_id`)

const people = (role: "assignee" | "reviewer", more = ""): string =>
  array(`select _p.user_id, ${timeOf("_p", "created_at")}${more} from rm_merge_requests.people _p
    where ${ofRequest("_p")} and _p.role = '${role}' order by _p.place`)

const reviewState = `, case when exists (select from rm_merge_requests.approvals _v where ${ofRequest("_v")} and _v.user_id = _p.user_id)
  then 'approved' else 'unreviewed' end as state`

const attributes = `${mergeRequestColumns}, ${approvals} as approvals, ${metrics} as metrics,
  ${awards("MergeRequest", "m.id")} as award_emoji, ${people("assignee")} as merge_request_assignees,
  ${people("reviewer", reviewState)} as merge_request_reviewers`

const diff = object(`select 'collected' as state, ${timeOf("_v", "created_at")}, ${timeUnder("updated_at", "_v", "created_at")},
  _v.base_sha as base_commit_sha, _v.files || case when _v.is_cut then '+' else '' end as real_size, _v.head_sha as head_commit_sha,
  _v.start_sha as start_commit_sha, _v.commits as commits_count, _v.files as files_count, true as sorted, 'regular' as diff_type,
  ${none("merge_request_diff_commits", "merge_request_diff_files")}
  from rm_merge_requests.versions _v where _v.id = m.version_id`)

const timelogs = array(`select _t.seconds as time_spent, _t.user_id, _t.project_id, ${timeUnder("spent_at", "_t", "created_at")},
  ${timeOf("_t", "created_at")}, ${timeUnder("updated_at", "_t", "created_at")}, _t.summary
  from rm_merge_requests.timelogs _t where ${ofRequest("_t")} order by _t.id`)

const labelEvents =
  array(`select case when _e.is_added then 'add' else 'remove' end as action, _e.user_id, ${timeOf("_e", "created_at")},
  ${label("_e.label_id")} as label from rm_merge_requests.label_events _e where ${ofRequest("_e")} order by _e.id`)

const milestoneEvents =
  array(`select _e.user_id, case when _e.is_added then 'add' else 'remove' end as action, ${timeOf("_e", "created_at")},
  _e.state, ${milestone("_e.milestone_id")} as milestone
  from rm_merge_requests.milestone_events _e where ${ofRequest("_e")} order by _e.id`)

const nested = `${diff} as merge_request_diff, ${none("events")}, ${timelogs} as timelogs,
  ${labelLinks("rm_merge_requests.labels", "MergeRequest", "m")} as label_links, ${milestone("m.milestone_id")} as milestone,
  ${labelEvents} as resource_label_events, ${milestoneEvents} as resource_milestone_events,
  ${stateEvents("MergeRequest", "m")} as resource_state_events`

const numbered = `select m.project_id, m.iid, row_number() over (order by ${order}) as record
  from rm_merge_requests.merge_requests m where m.project_id = $1`

export const mergeRequests: Records = {
  relation: "merge_requests",
  statements: [
    openLines(attributes, "notes", { from, order }),
    noteParts("MergeRequest", "mergeRequest", numbered),
    closeLines(nested, lastPart, { from, order })
  ]
}
