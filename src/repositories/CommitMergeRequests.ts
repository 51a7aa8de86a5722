import { Context, type Effect } from "effect"
import type { JsonStream, Reply } from "../http/answer/Reply.ts"
import type { JsonObject } from "../http/answer/success.ts"
import type { RawParameters } from "../http/parameters/rawParameters.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import type { CommitAddress } from "./ids.ts"

/** What a caller asks who may read the merge requests of the project. */
export interface MergeRequestQuery {
  readonly commit: CommitAddress
  /** The state; undefined for every state. */
  readonly state: "opened" | "closed" | "locked" | "merged" | undefined
  readonly request: RequestInfo
  /** The parameters with the page. */
  readonly paging: RawParameters
}

/** What commits ask of merge requests. */
export class CommitMergeRequests extends Context.Service<
  CommitMergeRequests,
  {
    /** The page of merge requests that contain a commit, newest first, as lists answer them. */
    readonly list: (
      query: MergeRequestQuery
    ) => Effect.Effect<Reply<ReadonlyArray<JsonObject> | JsonStream<ReadonlyArray<JsonObject>>>>
  }
>()("chronoforge/repositories/CommitMergeRequests") {}
