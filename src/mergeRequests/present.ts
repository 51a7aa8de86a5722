import { isoMillis, nullableIsoMillis } from "../http/answer/jsonTimes.ts"
import type { Presented } from "../http/answer/Presented.ts"
import { userReference } from "../http/answer/shapes.ts"
import { type Place, presentReferences } from "../issuables/references.ts"
import { presentTimeStats } from "../issuables/timeStats.ts"
import type { LabelDetails } from "../labels/Labels.ts"
import { presentMilestone } from "../milestones/Milestones.ts"
import type { PipelineDetail, PipelineReference } from "../pipelines/Pipelines.ts"
import { factsOf, isDiscussed } from "./factsOf.ts"
import type { DescribedMergeRequestRow, MergeRequestRow } from "./Queries.ts"
import type { ListedMergeRequest, MergeRequestDetail, SimpleMergeRequest } from "./shapes.ts"
import { detailedMergeStatus, type MergeFacts } from "./status/detailedMergeStatus.ts"
import { nextMergeStatus } from "./status/mergeStatusTransitions.ts"
import { publicMergeStatus } from "./status/publicMergeStatus.ts"
import { isDraft } from "./text/drafts.ts"

/** How merge requests are shown. */
export interface View extends Place {
  /** The time, in milliseconds since 1970. */
  readonly now: number
  /** Labels by their ids, where more than their titles is shown. */
  readonly labels?: ReadonlyMap<number, typeof LabelDetails.Type>
}

/** The page of a merge request. */
export const urlOf = ({ iid, project_path }: MergeRequestRow, { externalUrl }: Pick<Place, "externalUrl">): string =>
  `${externalUrl}/${project_path}/-/merge_requests/${iid}`

/** What names a merge request everywhere, such as `tools/uploader!14`. */
export const fullReference = ({ iid, project_path }: MergeRequestRow): string => `${project_path}!${iid}`

export const presentSimple = (row: DescribedMergeRequestRow, place: Place): typeof SimpleMergeRequest.Type => ({
  id: row.id,
  iid: row.iid,
  project_id: row.project_id,
  title: row.title,
  description: row.description,
  state: row.state,
  created_at: isoMillis(row.created_at),
  updated_at: isoMillis(row.updated_at),
  web_url: urlOf(row, place)
})

const squashes = ({ squash, squash_option }: MergeRequestRow): boolean =>
  squash_option === "always" || (squash_option !== "never" && squash)

/** The titles of the labels, or all that is shown of them; one that was deleted meanwhile is left out. */
const labelsOf = ({ labels }: MergeRequestRow, { labels: details }: View) =>
  details === undefined ? labels.map(({ title }) => title) : labels.flatMap(({ id }) => details.get(id) ?? [])

/** What its status depends on for who reads it alone: whether it can be merged is being found out, where that is not known. */
const factsAlone = (row: MergeRequestRow): MergeFacts => {
  const facts = factsOf(row)
  return row.state === "opened" ? { ...facts, mergeStatus: nextMergeStatus(facts.mergeStatus, "startCheck") } : facts
}

export const presentListed = (
  row: DescribedMergeRequestRow,
  view: View,
  facts = factsOf(row)
): typeof ListedMergeRequest.Type => {
  const { externalUrl } = view
  const assignees = row.assignees.map((user) => userReference(user, externalUrl))
  const draft = isDraft(row.title)
  const references = presentReferences(`!${row.iid}`, row.project_path, view)
  const mergeUser = row.merge_user && userReference(row.merge_user, externalUrl)
  const mergeStatus = publicMergeStatus(facts.mergeStatus)
  return {
    id: row.id,
    iid: row.iid,
    project_id: row.project_id,
    title: row.title,
    description: row.description,
    state: row.state,
    created_at: isoMillis(row.created_at),
    updated_at: isoMillis(row.updated_at),
    merged_by: row.state === "merged" ? mergeUser : null,
    merge_user: mergeUser,
    merged_at: nullableIsoMillis(row.merged_at),
    closed_by: row.closed_by && userReference(row.closed_by, externalUrl),
    closed_at: nullableIsoMillis(row.closed_at),
    target_branch: row.target_branch,
    source_branch: row.source_branch,
    user_notes_count: row.user_notes_count,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    author: row.author && userReference(row.author, externalUrl),
    assignees,
    assignee: assignees[0] ?? null,
    reviewers: row.reviewers.map((user) => userReference(user, externalUrl)),
    source_project_id: row.source_project_id,
    target_project_id: row.project_id,
    labels: labelsOf(row, view),
    draft,
    imported: false,
    imported_from: "none",
    work_in_progress: draft,
    milestone: row.milestone && presentMilestone(row.milestone, view),
    merge_when_pipeline_succeeds: row.auto_merge_user_id !== null,
    merge_status: mergeStatus,
    detailed_merge_status: detailedMergeStatus(facts),
    sha: row.sha,
    merge_commit_sha: row.merge_sha,
    squash_commit_sha: row.squash_sha,
    discussion_locked: row.is_discussion_locked,
    should_remove_source_branch: row.should_remove_source_branch,
    force_remove_source_branch: row.removes_source_branch,
    prepared_at: nullableIsoMillis(row.prepared_at),
    allow_collaboration: row.allows_collaboration,
    allow_maintainer_to_push: row.allows_collaboration,
    reference: references.short,
    references,
    web_url: urlOf(row, view),
    time_stats: presentTimeStats(row),
    squash: row.squash,
    squash_on_merge: squashes(row),
    task_completion_status: { count: row.tasks, completed_count: row.completed_tasks },
    has_conflicts: mergeStatus === "cannot_be_merged",
    blocking_discussions_resolved: !isDiscussed(row),
    approvals_before_merge: row.approvals_before_merge
  }
}

const diffRefs = ({ base_sha, sha, start_sha }: MergeRequestRow) =>
  base_sha === null || start_sha === null ? null : { base_sha, head_sha: sha, start_sha }

const changesCount = ({ commits, files, is_cut }: MergeRequestRow): string | null =>
  files === null || commits === 0 ? null : `${files}${is_cut ? "+" : ""}`

/** What is shown of a merge request besides its row. */
export interface Extras {
  readonly mayMerge: boolean
  readonly isSubscribed: boolean
  /** The newest pipeline of its last commit, null for none; undefined for who may not see any. */
  readonly pipeline?: typeof PipelineDetail.Type | null | undefined
  readonly divergedCommits?: number | undefined
  readonly isRebasing?: boolean | undefined
  readonly isFirstContribution?: boolean | undefined
  readonly html?: { readonly title: string; readonly description: string } | undefined
}

const pipelineReference = (pipeline: typeof PipelineDetail.Type): typeof PipelineReference.Type => ({
  id: pipeline.id,
  iid: pipeline.iid,
  project_id: pipeline.project_id,
  sha: pipeline.sha,
  ref: pipeline.ref,
  status: pipeline.status,
  source: pipeline.source,
  created_at: pipeline.created_at,
  updated_at: pipeline.updated_at,
  web_url: pipeline.web_url
})

/** What a merge request begins with, before the HTML of its texts. */
const beginningOf = (listed: typeof ListedMergeRequest.Type) => ({
  id: listed.id,
  iid: listed.iid,
  project_id: listed.project_id,
  title: listed.title,
  description: listed.description,
  state: listed.state,
  created_at: listed.created_at,
  updated_at: listed.updated_at,
  merged_by: listed.merged_by,
  merge_user: listed.merge_user,
  merged_at: listed.merged_at,
  closed_by: listed.closed_by,
  closed_at: listed.closed_at
})

export const presentDetail = (
  row: DescribedMergeRequestRow,
  extras: Extras,
  view: View
): Presented<typeof MergeRequestDetail.Type> => {
  const { html, pipeline } = extras
  const listed = presentListed(row, view, factsAlone(row))
  return {
    ...(html && { ...beginningOf(listed), title_html: html.title, description_html: html.description }),
    ...listed,
    subscribed: extras.isSubscribed,
    changes_count: changesCount(row),
    latest_build_started_at: pipeline === null ? null : pipeline?.started_at,
    latest_build_finished_at: pipeline === null ? null : pipeline?.finished_at,
    first_deployed_to_production_at: pipeline === undefined ? undefined : nullableIsoMillis(row.deployed_at ?? null),
    pipeline: pipeline && pipelineReference(pipeline),
    head_pipeline: pipeline,
    diff_refs: diffRefs(row),
    merge_error: row.merge_error ?? row.check_error,
    rebase_in_progress: extras.isRebasing,
    diverged_commits_count: extras.divergedCommits,
    first_contribution: extras.isFirstContribution,
    user: { can_merge: extras.mayMerge }
  }
}
