import { Context, Effect, Layer } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { JsonObject } from "../http/answer/success.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import type { CommitAddress } from "./comments/ids.ts"

export interface MergeRequestQuery {
  readonly commit: CommitAddress
  /** The state; undefined for every state. */
  readonly state: "opened" | "closed" | "locked" | "merged" | undefined
  /** The caller, who may read the project's merge requests. */
  readonly caller: Caller | undefined
  readonly request: RequestInfo
  readonly limit: number
  readonly offset: number
}

/** What commits ask of merge requests. */
export class CommitMergeRequests extends Context.Service<
  CommitMergeRequests,
  {
    /** The merge requests that contain a commit, newest first, as lists show them. */
    readonly list: (
      query: MergeRequestQuery
    ) => Effect.Effect<{ readonly shown: ReadonlyArray<JsonObject>; readonly total: number }>
  }
>()("chronoforge/repositories/CommitMergeRequests") {
  /** The layer for an installation without merge requests. */
  static readonly layerNone: Layer.Layer<CommitMergeRequests> = Layer.succeed(CommitMergeRequests)({
    list: () => Effect.succeed({ shown: [], total: 0 })
  })
}
