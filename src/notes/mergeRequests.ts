import { Effect } from "effect"
import { hasLine, requireVisibleIdentity } from "../mergeRequests/MergeRequests.ts"
import type { NoteableRow } from "./noteable.ts"

/** How merge requests have notes. */
export const mergeRequestKind = {
  find: Effect.fnUntraced(function* (found: Parameters<typeof requireVisibleIdentity>[0], iid: number | null) {
    const row = yield* requireVisibleIdentity(found, iid)
    const noteable: NoteableRow = {
      type: "mergeRequest",
      projectId: row.project_id,
      iid: row.iid,
      id: row.id,
      authorId: row.author_id,
      isLocked: row.is_discussion_locked === true
    }
    return noteable
  }),
  hasLine
}
