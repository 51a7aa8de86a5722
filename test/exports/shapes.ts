import { at } from "./useContent.ts"

/** When something was made, and changed last. */
export const times = (created: number, updated = created) => ({ created_at: at(created), updated_at: at(updated) })

interface Titled {
  readonly title: string
  /** The minute in which it was made. */
  readonly made: number
}

/** A label, in the order of the reference. */
export const label = (
  { made, title }: Titled,
  of: { readonly project_id: number } | { readonly group_id: number },
  more: object = {}
) => ({
  title,
  color: "#d9534f",
  project_id: null,
  ...times(made),
  template: false,
  description: null,
  group_id: null,
  type: "group_id" in of ? "GroupLabel" : "ProjectLabel",
  priorities: [],
  ...of,
  ...more
})

/** A milestone within something else. */
export const milestone = (
  { made, title }: Titled,
  { iid, ...of }: { readonly iid: number; readonly project_id?: number; readonly group_id?: number },
  more: object = {}
) => ({
  iid,
  title,
  project_id: null,
  group_id: null,
  description: null,
  due_date: null,
  ...times(made),
  start_date: null,
  state: "active",
  ...of,
  ...more
})

export const award = (awardable_type: string, name: string, { by, made }: { readonly by: number; readonly made: number }) => ({
  user_id: by,
  name,
  awardable_type,
  ...times(made)
})

interface Written {
  readonly note: string
  readonly author_id: number
  /** The name of the author. */
  readonly name: string
  readonly made: number
}

/** A note of somebody, in the order of the reference. */
export const note = (
  noteable_type: string,
  project_id: number,
  { author_id, made, name, note: text }: Written,
  more: object = {}
) => ({
  note: text,
  noteable_type,
  author_id,
  ...times(made),
  project_id,
  attachment: null,
  line_code: null,
  commit_id: null,
  system: false,
  st_diff: null,
  updated_by_id: null,
  position: null,
  original_position: null,
  resolved_at: null,
  resolved_by_id: null,
  discussion_id: null,
  change_position: null,
  resolved_by_push: null,
  confidential: false,
  last_edited_at: null,
  type: null,
  author: { name },
  award_emoji: [],
  system_note_metadata: null,
  events: [],
  ...(noteable_type === "MergeRequest" && { suggestions: [], note_diff_file: null }),
  ...more
})

/** That the state of something changed. */
export const stateEvent = (state: string, { by, made }: { readonly by: number; readonly made: number }) => ({
  user_id: by,
  state,
  created_at: at(made),
  source_commit: null,
  close_after_error_tracking_resolve: false,
  close_auto_resolve_prometheus_alert: false
})
