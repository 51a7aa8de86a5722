import { Effect } from "effect"
import type { MergeRequestKey } from "../ids.ts"
import { type AutoMergesOf, MergeRequestQueries } from "../Queries.ts"
import { eachKey } from "./eachKey.ts"

/** Does something for each of these that are to be merged of themselves. */
export const eachAutoMerge = Effect.fnUntraced(function* <E, R>(
  of: AutoMergesOf,
  act: (key: MergeRequestKey) => Effect.Effect<void, E, R>
) {
  const { autoMerges } = yield* MergeRequestQueries
  yield* eachKey((after, limit) => autoMerges(of, after, limit), act)
})
