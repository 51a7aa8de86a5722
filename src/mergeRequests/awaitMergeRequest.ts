import { Effect } from "effect"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { load } from "../platform/Commands.ts"
import { mergeRequestAggregate } from "./decisions/aggregate.ts"
import type { MergeRequestKey } from "./ids.ts"

/** Waits until read models show all that is known of a merge request by now. */
export const awaitMergeRequest = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const { position } = yield* load(mergeRequestAggregate, key)
  yield* awaitReadModels({ position, stream: mergeRequestAggregate.stream(key) })
})
