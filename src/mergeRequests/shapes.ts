import { Schema } from "effect"
import {
  flag,
  integer,
  nullableFlag,
  nullableInteger,
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
import { PipelineDetail, PipelineReference } from "../pipelines/Pipelines.ts"

const someone = (description: string) => Schema.NullOr(UserReference).annotate({ description })
const people = (description: string) => Schema.Array(UserReference).annotate({ description })

const simpleFields = {
  id: integer("ID of the merge request."),
  iid: integer("Number of the merge request in its project."),
  project_id: integer("ID of the project into which it is to be merged."),
  title: text("What it is about."),
  description: nullableText("What it does, as Markdown."),
  state: Schema.Literals(["opened", "closed", "locked", "merged"]).annotate({
    description: "Whether it is open; `locked` while it is being merged."
  }),
  created_at: time("When it was opened."),
  updated_at: time("When it was last changed.")
}

/** A merge request with little of it. */
export const SimpleMergeRequest = Schema.Struct({
  ...simpleFields,
  web_url: url("Page of the merge request.")
}).annotate({ identifier: "SimpleMergeRequest" })

/** What every form of it but the simple one begins with. */
const beginning = {
  ...simpleFields,
  merged_by: someone("Who merged it; null until then."),
  merge_user: someone("Who merged it, or lets it be merged when its pipeline succeeds."),
  merged_at: nullableTime("When it was merged; null until then."),
  closed_by: someone("Who closed it; null while it is open."),
  closed_at: nullableTime("When it was closed; null while it is open.")
}

const fields = {
  ...beginning,
  target_branch: text("Branch into which it is to be merged."),
  source_branch: text("Branch with its commits."),
  user_notes_count: integer("Comments of people."),
  upvotes: integer("How many people like it."),
  downvotes: integer("How many people dislike it."),
  author: someone("Who opened it; null when that user is deleted."),
  assignees: people("Who works on it."),
  assignee: someone("The first of the assignees."),
  reviewers: people("Who is to review it."),
  source_project_id: integer("ID of the project with the source branch."),
  target_project_id: integer("ID of the project into which it is to be merged."),
  labels: Schema.Union([Schema.Array(Schema.String), Schema.Array(LabelDetails)]).annotate({
    description: "Titles of its labels, in alphabetical order; more of each with `with_labels_details`."
  }),
  draft: flag("Whether its title says that it is a draft."),
  imported: flag("False: it was made here."),
  imported_from: text("Always `none`."),
  work_in_progress: flag("The same as `draft`."),
  milestone: Schema.NullOr(AnyMilestone).annotate({ description: "Its milestone; null for none." }),
  merge_when_pipeline_succeeds: flag(
    "Whether it is merged as soon as its pipeline has succeeded and nothing else stands in the way."
  ),
  merge_status: Schema.Literals([
    "unchecked",
    "checking",
    "can_be_merged",
    "cannot_be_merged",
    "cannot_be_merged_recheck"
  ]).annotate({ description: "Whether its commits can be merged, as far as that was checked." }),
  detailed_merge_status: text("Whether it can be merged, or why not."),
  sha: text("Full ID of the last commit of the source branch."),
  merge_commit_sha: nullableText("Full ID of the merge commit; null until it is merged, and where there is none."),
  squash_commit_sha: nullableText("Full ID of the commit that its commits became; null until then."),
  discussion_locked: nullableFlag("Whether only members comment; null until that is set."),
  should_remove_source_branch: nullableFlag("Whether the merge removes the source branch; null until a merge says so."),
  force_remove_source_branch: flag("Whether the source branch is removed unless the merge says otherwise."),
  prepared_at: nullableTime("When all was prepared for it."),
  allow_collaboration: flag("Whether those who may merge may push to the source branch."),
  allow_maintainer_to_push: flag("The same as `allow_collaboration`."),
  reference: text("Number with a `!` in front."),
  references: References.annotateKey({ description: "How others refer to it." }),
  web_url: url("Page of the merge request."),
  time_stats: TimeStats.annotateKey({ description: "How much time it is to take, and took." }),
  squash: flag("Whether its commits are to become one."),
  squash_on_merge: flag("Whether the project lets them become one."),
  task_completion_status: Schema.Struct({
    count: integer("Tasks in the description."),
    completed_count: integer("Those of them that are done.")
  }).annotate({ description: "Tasks in the description." }),
  has_conflicts: flag("Whether it cannot be merged for its commits or branches."),
  blocking_discussions_resolved: flag("Whether no discussion stands in the way."),
  approvals_before_merge: nullableInteger("How many have to approve it, whoever they are; null where nobody has to.")
}

/** A merge request of a list. */
export const ListedMergeRequest = Schema.Struct(fields).annotate({ identifier: "MergeRequest" })

const DiffRefs = Schema.Struct({
  base_sha: text("Full ID of the merge base."),
  head_sha: text("Full ID of the last commit of the source branch."),
  start_sha: text("Full ID of the last commit of the target branch, then.")
}).annotate({ identifier: "DiffRefs" })

export const detailFields = {
  ...beginning,
  title_html: Schema.optionalKey(Schema.String).annotate({ description: "The title as HTML, if asked for." }),
  description_html: Schema.optionalKey(Schema.String).annotate({ description: "The description as HTML, if asked for." }),
  ...fields,
  subscribed: flag("Whether the caller has a part in it."),
  changes_count: nullableText("How many files differ, with a `+` behind it where there are more; null before that is known."),
  latest_build_started_at: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "When its pipeline started; for those who may see pipelines."
  }),
  latest_build_finished_at: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "When its pipeline ended; for those who may see pipelines."
  }),
  first_deployed_to_production_at: Schema.optionalKey(
    nullableTime("When it came into production first; for those who may see pipelines.")
  ),
  pipeline: Schema.optionalKey(Schema.NullOr(PipelineReference)).annotate({
    description: "The newest pipeline of its last commit; for those who may see pipelines."
  }),
  head_pipeline: Schema.optionalKey(Schema.NullOr(PipelineDetail)).annotate({
    description: "The same with more of it."
  }),
  diff_refs: Schema.NullOr(DiffRefs).annotate({ description: "Between which commits it differs; null before that is known." }),
  merge_error: nullableText("Why the last merge or rebase failed."),
  rebase_in_progress: Schema.optionalKey(Schema.Boolean).annotate({ description: "Whether it is being rebased, if asked for." }),
  diverged_commits_count: Schema.optionalKey(Schema.Int).annotate({
    description: "How many commits of the target branch the source branch does not have, if asked for."
  }),
  first_contribution: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether nothing of the author was merged into the project yet."
  }),
  user: Schema.Struct({ can_merge: flag("Whether the caller may merge it.") }).annotate({
    description: "What the caller may do."
  })
}

/** A merge request that is shown alone. */
export const MergeRequestDetail = Schema.Struct(detailFields).annotate({ identifier: "MergeRequestDetails" })

export const MergeRef = Schema.Struct({ commit_id: text("Full ID of the merge commit.") }).annotate({ identifier: "MergeRef" })
