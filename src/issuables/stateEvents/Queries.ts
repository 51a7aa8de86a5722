import { Context, type Effect } from "effect"
import type { Listed, Slice } from "../../http/answer/pagination.ts"
import type { UserReferenceRow } from "../../http/answer/shapes.ts"

/** What is opened and closed, by its project and its number there. */
export interface Resource {
  readonly type: "Issue" | "MergeRequest"
  readonly projectId: number
  readonly iid: number
}

/** That the state of something changed. The time is in milliseconds since 1970. */
export interface StateEventRow {
  /** The position of its event in the log. */
  readonly id: number
  /** It is null when that user is deleted. */
  readonly user: UserReferenceRow | null
  readonly created_at: number
  readonly state: "closed" | "merged" | "reopened"
  /** The commit by which it came about; null for what somebody asked for. */
  readonly source_commit: string | null
  /** The merge request by which it came about. */
  readonly source_merge_request_id: number | null
}

/** What handlers ask about changes of states. */
export class StateEventQueries extends Context.Service<
  StateEventQueries,
  {
    /** The oldest first. */
    readonly list: (resource: Resource, slice: Slice) => Effect.Effect<Listed<StateEventRow>>
    readonly find: (resource: Resource, id: number) => Effect.Effect<StateEventRow | undefined>
  }
>()("chronoforge/issuables/StateEventQueries") {}
