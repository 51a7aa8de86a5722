import { Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import { nextId, nextNumber } from "../../platform/Ids.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { mergeRequestAggregate } from "../aggregate.ts"
import type { Attributes, Source } from "../events.ts"
import { releasePair, reservePair } from "../pairs.ts"
import { MergeRequestQueries } from "../Queries.ts"

export interface NewMergeRequest {
  readonly projectId: number
  readonly authorId: number
  readonly source: Source
  readonly sourceSha: string
  readonly attributes: Attributes
  readonly approvalsBeforeMerge?: number
}

/** Opens a merge request, whose attributes are right, under the next number of its project. */
export const openMergeRequest = Effect.fnUntraced(function* ({ projectId, ...opening }: NewMergeRequest) {
  const { attributes, source } = opening
  const pair = { source, projectId, targetBranch: attributes.targetBranch }
  const { highestNumber } = yield* MergeRequestQueries
  const iid = yield* nextNumber("merge_request", projectId, highestNumber)
  const id = yield* nextId("merge_request")
  const key = { projectId, iid }
  yield* reservePair(pair, key)
  const handled = yield* handle(mergeRequestAggregate, key, { _tag: "Open", id, ...opening }).pipe(
    Effect.tapError(() => releasePair(pair, key))
  )
  return { ...handled, number: iid }
}, spanned("mergeRequests.open"))
