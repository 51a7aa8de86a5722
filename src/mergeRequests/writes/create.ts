import { Effect } from "effect"
import { defined } from "../../kernel/defined.ts"
import { guardOf, handle } from "../../platform/Commands.ts"
import { nextId, nextNumber } from "../../platform/Ids.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { Open } from "../decisions/commands.ts"
import type { Labeling } from "../decisions/labeling.ts"
import { releasePair, reservePair } from "../pairs.ts"
import { MergeRequestQueries } from "../Queries.ts"
import { withEventIds } from "./labeling.ts"

export interface NewMergeRequest extends Omit<Open, "_tag" | "id" | "labeling"> {
  readonly projectId: number
  readonly labeling?: Labeling
}

/** Opens a merge request, whose attributes are right, under the next number of its project. */
export const openMergeRequest = Effect.fnUntraced(function* ({ labeling, projectId, ...opening }: NewMergeRequest) {
  const { attributes, source } = opening
  const pair = { source, projectId, targetBranch: attributes.targetBranch }
  const { highestNumber } = yield* MergeRequestQueries
  const iid = yield* nextNumber("merge_request", projectId, highestNumber)
  const id = yield* nextId("merge_request")
  const identified = defined({ labeling: labeling && (yield* withEventIds(labeling)) })
  const key = { projectId, iid }
  const guard = yield* guardOf(reservePair(pair, key))
  const opened = handle(mergeRequestAggregate, key, { _tag: "Open", id, ...opening, ...identified }, { guard })
  const handled = yield* Effect.tapError(opened, () => releasePair(pair, key))
  return { ...handled, number: iid }
}, spanned("mergeRequests.open"))
