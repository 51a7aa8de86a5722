import {
  awarding,
  finding,
  makingPipelines,
  merging,
  reading,
  readingAsUser,
  readingAwards,
  rebasing,
  removing,
  resetting,
  timing
} from "./mergeRequestRights.ts"
import { developing } from "./rights.ts"
import type { Row } from "./row.ts"
import type { InProject } from "./useWorld.ts"

const kept = ({ mergeRequests }: InProject) => ({
  path: { merge_request_iid: mergeRequests.kept, version_id: mergeRequests.version }
})
const event =
  (name: "labelEvent" | "milestoneEvent") =>
  ({ mergeRequests }: InProject) => ({ path: { merge_request_iid: mergeRequests.kept, event_id: mergeRequests[name] } })
const sending = (json: object) => (at: InProject) => ({ ...kept(at), json })
const own =
  (name: "doomed" | "merged") =>
  ({ mergeRequests }: InProject) => ({ path: { merge_request_iid: mergeRequests[name] } })
const waiting = ({ mergeRequests: { block, doomed, keptId } }: InProject) => ({
  path: { merge_request_iid: doomed, block_id: block },
  json: { blocking_merge_request_id: keptId }
})
/** The last commit of the default branch, beside those of one's own. */
const naming = (at: InProject) => ({ ...own("merged")(at), json: { commits: ["main"] } })
const proposing = ({ own: slug }: InProject) => ({
  json: { title: "Add c", source_branch: `propose-${slug}`, target_branch: "main" }
})

const approved = ({ mergeRequests }: InProject) => ({
  path: {
    merge_request_iid: mergeRequests.approved,
    approval_rule_id: mergeRequests.rule,
    event_id: mergeRequests.closed,
    award_id: mergeRequests.award
  }
})
const ruling = (at: InProject) => sending({ name: at.own, approvals_required: 1 })(at)

const one = "/projects/:id/merge_requests/:merge_request_iid"

export const mergeRequestRows: ReadonlyArray<Row<InProject>> = [
  ["GET /projects/:id/merge_requests", 200, reading],
  ["POST /projects/:id/merge_requests", 201, developing, proposing],
  [`GET ${one}`, 200, reading, kept],
  [`GET ${one}/changes`, 200, reading, kept],
  [`GET ${one}/diffs`, 200, reading, kept],
  [`GET ${one}/raw_diffs`, 200, reading, kept],
  [`GET ${one}/commits`, 200, reading, kept],
  [`GET ${one}/closes_issues`, 200, reading, kept],
  [`GET ${one}/related_issues`, 200, reading, kept],
  [`GET ${one}/versions`, 200, readingAsUser, kept],
  [`GET ${one}/versions/:version_id`, 200, readingAsUser, kept],
  [`GET ${one}/pipelines`, 200, reading, kept],
  [`POST ${one}/pipelines`, 200, makingPipelines, kept],
  [`GET ${one}/merge_ref`, 200, finding, kept],
  [`GET ${one}/time_stats`, 200, finding, kept],
  [`POST ${one}/time_estimate`, 200, timing, sending({ duration: "1h" })],
  [`POST ${one}/add_spent_time`, 201, timing, sending({ duration: "1h" })],
  [`POST ${one}/reset_time_estimate`, 200, timing, kept],
  [`POST ${one}/reset_spent_time`, 200, timing, kept],
  [`GET ${one}/participants`, 200, reading, kept],
  [`GET ${one}/reviewers`, 200, reading, kept],
  [`POST ${one}/subscribe`, 201, developing, kept],
  [`POST ${one}/unsubscribe`, 201, developing, own("merged")],
  [`GET ${one}/resource_label_events`, 200, finding, kept],
  [`GET ${one}/resource_label_events/:event_id`, 200, finding, event("labelEvent")],
  [`GET ${one}/resource_milestone_events`, 200, finding, kept],
  [`GET ${one}/resource_milestone_events/:event_id`, 200, finding, event("milestoneEvent")],
  [`PUT ${one}`, 200, developing, sending({ title: "Add c again" })],
  [`POST ${one}/cancel_merge_when_pipeline_succeeds`, 201, merging, kept],
  [`PUT ${one}/merge`, 200, merging, own("merged")],
  [`GET ${one}/blocks`, 200, reading, kept],
  [`POST ${one}/blocks`, 201, developing, waiting],
  [`DELETE ${one}/blocks/:block_id`, 204, developing, waiting],
  [`GET ${one}/context_commits`, 200, reading, kept],
  [`POST ${one}/context_commits`, 201, developing, naming],
  [`DELETE ${one}/context_commits`, 204, developing, naming],
  [`PUT ${one}/rebase`, 202, rebasing, own("doomed")],
  [`DELETE ${one}`, 204, removing, own("doomed")],
  [`GET ${one}/approvals`, 200, reading, kept],
  [`GET ${one}/approval_state`, 200, reading, kept],
  [`GET ${one}/approval_rules`, 200, reading, kept],
  [`POST ${one}/approve`, 201, developing, kept],
  [`POST ${one}/unapprove`, 201, developing, approved],
  [`PUT ${one}/reset_approvals`, 202, resetting, kept],
  [`POST ${one}/approval_rules`, 201, developing, ruling],
  [`DELETE ${one}/approval_rules/:approval_rule_id`, 204, developing, approved],
  [`GET ${one}/resource_state_events`, 200, finding, kept],
  [`GET ${one}/resource_state_events/:event_id`, 200, finding, approved],
  [`POST ${one}/todo`, 201, readingAsUser, kept],
  [`GET ${one}/award_emoji`, 200, readingAwards, kept],
  [`GET ${one}/award_emoji/:award_id`, 200, readingAwards, approved],
  [`POST ${one}/award_emoji`, 201, awarding, sending({ name: "thumbsup" })],
  [`DELETE ${one}/award_emoji/:award_id`, 204, awarding, approved]
]
