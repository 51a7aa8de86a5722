import { Schema } from "effect"
import { isEmojiName } from "../../../awardEmoji/aggregate.ts"
import { attributeFaults as issueFaults } from "../../../issues/faults.ts"
import { faultsOf } from "../../../kernel/faults.ts"
import { settingsFaults as labelFaults } from "../../../labels/faults.ts"
import { openingFaults, labelFaults as tooManyLabelFaults } from "../../../mergeRequests/decisions/faults.ts"
import { settingsFaults as milestoneFaults } from "../../../milestones/faults.ts"
import { bodyFault } from "../../../notes/faults.ts"
import {
  Count,
  CountText,
  Day,
  flag,
  Iid,
  judgedBy,
  Line,
  list,
  ObjectId,
  orNull,
  Sha,
  Small,
  Text,
  Time,
  times,
  truth
} from "./values.ts"

// The records of an export, as far as they are read: attributes that nothing here keeps may be missing or of any kind.

export const Label = Schema.Struct({
  title: Text,
  color: Text,
  ...times,
  description: orNull(Text),
  type: orNull(Text),
  priorities: list(Schema.Struct({ priority: Small }))
}).check(
  judgedBy(
    ({ color, description, priorities, title }) =>
      labelFaults({ title, color, description, priority: priorities[0]?.priority ?? null }),
    { priority: "priorities" }
  )
)
export type Label = typeof Label.Type

export const Milestone = Schema.Struct({
  iid: Iid,
  title: Text,
  group_id: orNull(Schema.Int),
  description: orNull(Text),
  due_date: orNull(Day),
  start_date: orNull(Day),
  ...times,
  state: Schema.Literals(["active", "closed"])
}).check(
  judgedBy(
    ({ description, due_date: dueDate, start_date: startDate, title }) =>
      milestoneFaults({ title, description, startDate, dueDate }),
    { startDate: "start_date", dueDate: "due_date" }
  )
)
export type Milestone = typeof Milestone.Type

export const Award = Schema.Struct({ user_id: orNull(Schema.Int), name: Text, created_at: Time }).check(
  judgedBy(({ name }) => faultsOf("name", isEmojiName(name) ? [] : ["is not a valid emoji name"]))
)
export type Award = typeof Award.Type

/** Where in a text a note is: before the change, after it, or both. */
export const Position = Schema.Struct({
  /** Of older exports none: images and whole files have another one. */
  position_type: orNull(Schema.Literal("text")),
  base_sha: ObjectId,
  start_sha: ObjectId,
  head_sha: ObjectId,
  old_path: Text,
  new_path: Text,
  old_line: orNull(Line),
  new_line: orNull(Line)
}).check(Schema.makeFilter(({ new_line, old_line }) => new_line !== null || old_line !== null))

/** The fault of a field, where it has one. */
export const textFaults = (field: string, text: string | undefined) => faultsOf(field, text === undefined ? [] : [text])

export const Note = Schema.Struct({
  note: Text,
  author_id: orNull(Schema.Int),
  ...times,
  system: flag,
  /** One that is not about a line of a file is left out. */
  position: orNull(Schema.Unknown),
  line_code: orNull(Schema.Unknown),
  resolved_at: orNull(Time),
  resolved_by_id: orNull(Schema.Int),
  discussion_id: orNull(Text),
  /** Called `confidential` in older exports. */
  internal: flag,
  confidential: flag,
  type: orNull(Text),
  award_emoji: list(Award)
}).check(judgedBy(({ note }) => textFaults("note", bodyFault(note))))
export type Note = typeof Note.Type

export const LabelLink = Schema.Struct({ label: orNull(Label) })

export const StateEvent = Schema.Struct({
  user_id: orNull(Schema.Int),
  state: Text,
  created_at: Time,
  source_commit: Sha
})
export type StateEvent = typeof StateEvent.Type

/** What issues and merge requests have alike. */
export const issuable = {
  title: Text,
  author_id: orNull(Schema.Int),
  ...times,
  description: orNull(Text),
  iid: Iid,
  discussion_locked: truth,
  notes: list(Note),
  label_links: list(LabelLink),
  milestone: orNull(Milestone),
  award_emoji: list(Award),
  resource_state_events: list(StateEvent)
}

export const Issue = Schema.Struct({
  ...issuable,
  confidential: flag,
  closed_at: orNull(Time),
  closed_by_id: orNull(Schema.Int),
  due_date: orNull(Day),
  state: Schema.Literals(["opened", "closed"]),
  issue_assignees: list(Schema.Struct({ user_id: orNull(Schema.Int) }))
}).check(
  judgedBy(({ description, label_links, title }) => issueFaults({ title, description, labelIds: label_links.map(() => 0) }), {
    labels: "label_links"
  })
)
export type Issue = typeof Issue.Type

const Person = Schema.Struct({ user_id: orNull(Schema.Int), created_at: orNull(Time) })
export type Person = typeof Person.Type

const Timelog = Schema.Struct({ time_spent: Small, user_id: orNull(Schema.Int), created_at: Time, summary: orNull(Text) })

/** Nobody estimates less than nothing, or takes away more than was spent until then. */
const timeFaults = (estimate: number | null, timelogs: ReadonlyArray<typeof Timelog.Type>) => {
  let spent = 0
  const isExceeded = timelogs.some(({ time_spent }) => {
    spent += time_spent
    return spent < 0
  })
  return [
    ...textFaults("time_estimate", (estimate ?? 0) < 0 ? "must be greater than or equal to 0" : undefined),
    ...textFaults("timelogs", isExceeded ? "take away more time than was spent" : undefined)
  ]
}

export const MergeRequest = Schema.Struct({
  ...issuable,
  target_branch: Text,
  source_branch: Text,
  source_project_id: orNull(Schema.Int),
  target_project_id: orNull(Schema.Int),
  merge_status: orNull(Text),
  merge_error: orNull(Text),
  merge_params: orNull(Schema.Struct({ force_remove_source_branch: flag, should_remove_source_branch: truth })),
  merge_user_id: orNull(Schema.Int),
  merge_when_pipeline_succeeds: flag,
  merge_commit_sha: Sha,
  squash_commit_sha: Sha,
  approvals_before_merge: orNull(Small),
  time_estimate: orNull(Small),
  squash: flag,
  allow_maintainer_to_push: flag,
  diff_head_sha: Sha,
  source_branch_sha: Sha,
  state: Schema.Literals(["opened", "closed", "locked", "merged"]),
  approvals: list(Schema.Struct({ user_id: orNull(Schema.Int), created_at: Time })),
  metrics: orNull(
    Schema.Struct({
      merged_at: orNull(Time),
      merged_by_id: orNull(Schema.Int),
      latest_closed_at: orNull(Time),
      latest_closed_by_id: orNull(Schema.Int)
    })
  ),
  merge_request_assignees: list(Person),
  merge_request_reviewers: list(Person),
  merge_request_diff: orNull(
    Schema.Struct({
      created_at: Time,
      base_commit_sha: Sha,
      head_commit_sha: Sha,
      start_commit_sha: Sha,
      real_size: orNull(CountText),
      commits_count: orNull(Count),
      files_count: orNull(Count)
    })
  ),
  timelogs: list(Timelog),
  resource_label_events: list(
    Schema.Struct({ action: Text, user_id: orNull(Schema.Int), created_at: Time, label: orNull(Label) })
  ),
  resource_milestone_events: list(
    Schema.Struct({
      action: Text,
      user_id: orNull(Schema.Int),
      created_at: Time,
      state: orNull(Schema.Unknown),
      milestone: orNull(Milestone)
    })
  )
}).check(
  judgedBy(
    ({ approvals_before_merge, description, label_links, source_branch: branch, target_branch: targetBranch, title }) => [
      ...openingFaults({
        attributes: { title, description, targetBranch },
        source: { branch },
        approvalsBeforeMerge: approvals_before_merge ?? 0
      }),
      ...tooManyLabelFaults(label_links)
    ],
    { labels: "label_links" }
  ),
  judgedBy(({ time_estimate, timelogs }) => timeFaults(time_estimate, timelogs))
)
export type MergeRequest = typeof MergeRequest.Type
