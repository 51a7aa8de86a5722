import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../../http/answer/pagination.ts"
import type { UserReferenceRow } from "../../http/answer/shapes.ts"
import type { MergeRequestRow } from "../Queries.ts"

type Key = Pick<MergeRequestRow, "iid" | "project_id">

/** A reviewer of the read model. The time is in milliseconds since 1970. */
export interface ReviewerRow {
  readonly user: UserReferenceRow
  readonly created_at: number
  readonly has_approved: boolean
}

/** What handlers ask about who has to do with merge requests. */
export class ParticipationQueries extends Context.Service<
  ParticipationQueries,
  {
    /** Its author first, then who works on it, who reviews it, and who comments on it, each once. */
    readonly participants: (key: Key, slice: Slice) => Effect.Effect<Listed<UserReferenceRow>>
    /** In the order in which they were given. */
    readonly reviewers: (key: Key, slice: Slice) => Effect.Effect<Listed<ReviewerRow>>
    /** Whether a user hears of it: as they have said, else where they take part in it. */
    readonly isSubscribed: (key: Key, userId: number) => Effect.Effect<boolean>
  }
>()("chronoforge/mergeRequests/ParticipationQueries") {}
