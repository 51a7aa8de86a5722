import { isoMillis, nullableIsoMillis } from "../http/answer/jsonTimes.ts"
import type { Presented } from "../http/answer/Presented.ts"
import { userReference } from "../http/answer/shapes.ts"
import type { JsonObject } from "../http/answer/success.ts"
import { changedAssignees, changedLabels, changedMilestone, changedReviewers } from "../mergeRequests/MergeRequests.ts"
import type { Position } from "./events.ts"
import { isResolvable, type NoteableRow } from "./noteable.ts"
import type { NoteRow } from "./Queries.ts"
import type { Discussion, Note } from "./shapes.ts"

/** What presents notes. */
export interface View {
  readonly noteable: NoteableRow
  readonly externalUrl: string
}

const typeNames = { issue: "Issue", mergeRequest: "MergeRequest" } as const

const presentPosition = (position: Position) => ({
  base_sha: position.baseSha,
  start_sha: position.startSha,
  head_sha: position.headSha,
  old_path: position.oldPath,
  new_path: position.newPath,
  position_type: "text" as const,
  old_line: position.oldLine,
  new_line: position.newLine,
  line_range: null
})

const typeOf = ({ is_thread, position }: NoteRow): (typeof Note.Type)["type"] => {
  if (position !== null) return "DiffNote"
  return is_thread ? "DiscussionNote" : null
}

/** Who or what is deleted has another name. */
const deleted = { assignee: "ghost", reviewer: "ghost", label: "deleted label", milestone: "deleted milestone" } as const

const toldOf = {
  assignee: changedAssignees,
  reviewer: changedReviewers,
  label: changedLabels,
  milestone: changedMilestone
} as const

const bodyOf = ({ body, named, names }: NoteRow): string => {
  if (named === null) return body
  const { added, kind, removed } = named
  const namesOf = (ids: ReadonlyArray<number>) => ids.map((id) => names?.[id] ?? deleted[kind])
  return toldOf[kind](namesOf(added), namesOf(removed)) ?? body
}

const canBeResolved = ({ is_thread }: NoteRow, noteable: NoteableRow): boolean => is_thread && isResolvable(noteable)

export const presentNote = (
  row: NoteRow,
  { externalUrl, noteable }: View,
  commandsChanges: JsonObject = {}
): Presented<typeof Note.Type> => ({
  id: row.id,
  type: typeOf(row),
  body: bodyOf(row),
  attachment: null,
  author: row.author && userReference(row.author, externalUrl),
  created_at: isoMillis(row.created_at),
  updated_at: isoMillis(row.updated_at),
  system: row.is_system,
  noteable_id: noteable.id,
  noteable_type: typeNames[noteable.type],
  project_id: noteable.projectId,
  commit_id: row.position === null ? undefined : null,
  position: row.position === null ? undefined : presentPosition(row.position),
  resolvable: canBeResolved(row, noteable),
  resolved: canBeResolved(row, noteable) ? row.resolved_at !== null : undefined,
  resolved_by: canBeResolved(row, noteable) ? row.resolved_by && userReference(row.resolved_by, externalUrl) : undefined,
  resolved_at: canBeResolved(row, noteable) ? nullableIsoMillis(row.resolved_at) : undefined,
  confidential: row.is_internal,
  internal: row.is_internal,
  imported: false,
  imported_from: "none",
  noteable_iid: noteable.iid,
  commands_changes: commandsChanges
})

/** A discussion of notes, of which there is one at least. */
export const presentDiscussion = (
  id: string,
  notes: ReadonlyArray<Presented<typeof Note.Type>>
): Presented<typeof Discussion.Type> => ({
  id,
  individual_note: notes[0]?.type === null,
  notes
})
