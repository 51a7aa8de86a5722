import { Context, type Effect } from "effect"
import type { UserReferenceRow } from "../../http/answer/shapes.ts"
import type { CommitAddress } from "../ids.ts"

/** A comment on a commit, of the read model. */
export interface CommitCommentRow {
  readonly note: string
  /** The three are null for a comment on the commit as a whole. */
  readonly path: string | null
  readonly line: number | null
  readonly line_type: "new" | "old" | null
  /** The author; null when that user is deleted. */
  readonly author: UserReferenceRow | null
  /** The time is in milliseconds since 1970. */
  readonly created_at: number
}

/** What handlers ask about comments on commits. */
export class CommitCommentQueries extends Context.Service<
  CommitCommentQueries,
  {
    /** Lists comments, oldest first. */
    readonly list: (
      commit: CommitAddress,
      slice: { readonly limit: number; readonly offset: number }
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<CommitCommentRow>; readonly total: number }>
    /** Finds a comment by its position in the log. */
    readonly find: (commit: CommitAddress, position: number) => Effect.Effect<CommitCommentRow | undefined>
  }
>()("chronoforge/repositories/CommitCommentQueries") {}
