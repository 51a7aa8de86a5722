import { Effect, Schema } from "effect"

// The records of an export, as far as they are read: attributes that nothing here keeps may be missing or of any kind.

/** A value that may be null, and is where it is missing. */
export const orNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

/** A list, which is empty where it is missing. */
export const list = <S extends Schema.Top>(schema: S) =>
  Schema.Array(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))

/** A truth value, which is false where it is missing or null. */
export const flag = orNull(Schema.Boolean)

/** A time, such as `2024-08-15T11:25:20.423Z`. */
export const Time = Schema.String.pipe(
  Schema.check(Schema.makeFilter((text: string) => (Number.isNaN(Date.parse(text)) ? `no time: ${text}` : undefined)))
)
const times = { created_at: Time, updated_at: Time }

/** The time in milliseconds since 1970. */
export const millis = (time: string): number => Date.parse(time)

export const Label = Schema.Struct({
  title: Schema.String,
  color: Schema.String,
  ...times,
  description: orNull(Schema.String),
  type: orNull(Schema.String),
  priorities: list(Schema.Struct({ priority: Schema.Int }))
})
export type Label = typeof Label.Type

export const Milestone = Schema.Struct({
  iid: Schema.Int,
  title: Schema.String,
  group_id: orNull(Schema.Int),
  description: orNull(Schema.String),
  due_date: orNull(Schema.String),
  start_date: orNull(Schema.String),
  ...times,
  state: Schema.Literals(["active", "closed"])
})
export type Milestone = typeof Milestone.Type

export const Award = Schema.Struct({ user_id: orNull(Schema.Int), name: Schema.String, created_at: Time })
export type Award = typeof Award.Type

export const Position = Schema.Struct({
  base_sha: Schema.String,
  start_sha: Schema.String,
  head_sha: Schema.String,
  old_path: Schema.String,
  new_path: Schema.String,
  old_line: orNull(Schema.Int),
  new_line: orNull(Schema.Int)
})

export const Note = Schema.Struct({
  note: Schema.String,
  author_id: orNull(Schema.Int),
  ...times,
  system: flag,
  /** One that is not about a line of a file is left out. */
  position: orNull(Schema.Unknown),
  resolved_at: orNull(Time),
  resolved_by_id: orNull(Schema.Int),
  discussion_id: orNull(Schema.String),
  confidential: flag,
  type: orNull(Schema.String),
  award_emoji: list(Award)
})
export type Note = typeof Note.Type

export const LabelLink = Schema.Struct({ label: orNull(Label) })

export const StateEvent = Schema.Struct({
  user_id: orNull(Schema.Int),
  state: Schema.String,
  created_at: Time,
  source_commit: orNull(Schema.String)
})
export type StateEvent = typeof StateEvent.Type

/** What issues and merge requests have alike. */
export const issuable = {
  title: Schema.String,
  author_id: orNull(Schema.Int),
  ...times,
  description: orNull(Schema.String),
  iid: Schema.Int,
  discussion_locked: orNull(Schema.Boolean),
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
  due_date: orNull(Schema.String),
  state: Schema.Literals(["opened", "closed"]),
  issue_assignees: list(Schema.Struct({ user_id: orNull(Schema.Int) }))
})
export type Issue = typeof Issue.Type

const Person = Schema.Struct({ user_id: orNull(Schema.Int), created_at: orNull(Time) })
export type Person = typeof Person.Type

export const MergeRequest = Schema.Struct({
  ...issuable,
  target_branch: Schema.String,
  source_branch: Schema.String,
  source_project_id: orNull(Schema.Int),
  target_project_id: orNull(Schema.Int),
  merge_status: orNull(Schema.String),
  merge_error: orNull(Schema.String),
  merge_params: orNull(Schema.Struct({ force_remove_source_branch: flag, should_remove_source_branch: orNull(Schema.Boolean) })),
  merge_user_id: orNull(Schema.Int),
  merge_commit_sha: orNull(Schema.String),
  squash_commit_sha: orNull(Schema.String),
  approvals_before_merge: orNull(Schema.Int),
  time_estimate: orNull(Schema.Int),
  squash: flag,
  allow_maintainer_to_push: flag,
  diff_head_sha: orNull(Schema.String),
  source_branch_sha: orNull(Schema.String),
  state: Schema.Literals(["opened", "closed", "locked", "merged"]),
  approvals: list(Schema.Struct({ user_id: orNull(Schema.Int), created_at: Time })),
  metrics: orNull(Schema.Struct({ merged_at: orNull(Time), merged_by_id: orNull(Schema.Int), latest_closed_at: orNull(Time) })),
  merge_request_assignees: list(Person),
  merge_request_reviewers: list(Person),
  merge_request_diff: orNull(
    Schema.Struct({
      created_at: Time,
      base_commit_sha: orNull(Schema.String),
      head_commit_sha: orNull(Schema.String),
      start_commit_sha: orNull(Schema.String),
      real_size: orNull(Schema.String),
      commits_count: orNull(Schema.Int),
      files_count: orNull(Schema.Int)
    })
  ),
  timelogs: list(
    Schema.Struct({ time_spent: Schema.Int, user_id: orNull(Schema.Int), created_at: Time, summary: orNull(Schema.String) })
  ),
  resource_label_events: list(
    Schema.Struct({ action: Schema.String, user_id: orNull(Schema.Int), created_at: Time, label: orNull(Label) })
  ),
  resource_milestone_events: list(
    Schema.Struct({
      action: Schema.String,
      user_id: orNull(Schema.Int),
      created_at: Time,
      state: orNull(Schema.Unknown),
      milestone: orNull(Milestone)
    })
  )
})
export type MergeRequest = typeof MergeRequest.Type
