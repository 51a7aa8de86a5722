import { Context, Effect, Layer } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import type { JsonObject } from "../http/answer/success.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import type { CommitAddress } from "./comments/ids.ts"

export interface MergeRequestQuery {
  readonly commit: CommitAddress
  /** undefined: of every state. */
  readonly state: "opened" | "closed" | "locked" | "merged" | undefined
  /** Who asks, and may read the project's merge requests. */
  readonly caller: Caller | undefined
  readonly request: RequestInfo
  readonly limit: number
  readonly offset: number
}

/** What commits ask of merge requests. */
export class CommitMergeRequests extends Context.Service<
  CommitMergeRequests,
  {
    /** Those of which a commit is a part, newest first, in the shape of lists of merge requests. */
    readonly list: (
      query: MergeRequestQuery
    ) => Effect.Effect<{ readonly shown: ReadonlyArray<JsonObject>; readonly total: number }>
  }
>()("chronoforge/repositories/CommitMergeRequests") {
  /** Without merge requests. */
  static readonly layerNone: Layer.Layer<CommitMergeRequests> = Layer.succeed(CommitMergeRequests)({
    list: () => Effect.succeed({ shown: [], total: 0 })
  })
}
