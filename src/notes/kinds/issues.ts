import { Effect } from "effect"
import { requireIssueIdentity } from "../../issues/Issues.ts"
import type { NoteableRow } from "../noteable.ts"

/** How issues have notes: they have no lines, and nothing is ordered in their notes. */
export const issueKind = {
  find: Effect.fnUntraced(function* (
    found: Parameters<typeof requireIssueIdentity>[0],
    iid: number | null,
    userId: number | undefined
  ) {
    const row = yield* requireIssueIdentity(found, iid, userId)
    const noteable: NoteableRow = {
      type: "issue",
      projectId: row.project_id,
      iid: row.iid,
      id: row.id,
      authorId: row.author_id,
      isLocked: row.is_discussion_locked === true
    }
    return noteable
  }),
  findLine: () => Effect.succeed(undefined),
  ordersIn: (text: string) => Effect.succeed({ text, execute: () => Effect.succeed({ changes: {}, summary: [] }) })
}
