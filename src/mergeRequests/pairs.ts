import { Data, Effect } from "effect"
import { aggregateNames } from "../platform/aggregateNames.ts"
import { mergeRequestAggregate } from "./decisions/aggregate.ts"
import type { Source } from "./events.ts"
import { type MergeRequestKey, mergeRequestKeyOf } from "./ids.ts"

/** The branches of a merge request: only one may be open for them. */
export interface Pair {
  readonly source: Source
  readonly projectId: number
  readonly targetBranch: string
}

/** Another merge request is open for these branches. */
export class PairTaken extends Data.TaggedError("PairTaken")<{ readonly iid: number }> {}

/** No branch holds a blank. */
const textOf = ({ projectId, source, targetBranch }: Pair): string =>
  `${source.projectId} ${source.branch} ${projectId} ${targetBranch}`

const pairs = aggregateNames({
  aggregate: mergeRequestAggregate,
  idOf: mergeRequestKeyOf,
  nameOf: (pair: Pair) => ({ kind: "merge-request", text: textOf(pair) }),
  holds: (state, pair, { projectId }) => {
    if (state._tag !== "Opened" && state._tag !== "Locked") return false
    const { attributes, source } = state.request
    return textOf({ source, projectId, targetBranch: attributes.targetBranch }) === textOf(pair)
  }
})

/** Fails where another merge request is open for the branches, before anything is taken for a new one. */
export const requireFreePair = Effect.fnUntraced(function* (pair: Pair) {
  const holder = yield* pairs.holderOf(pair)
  if (holder !== undefined) return yield* new PairTaken({ iid: holder.iid })
})

/** Takes the branches for a merge request that is about to be open for them. Repeating it changes nothing. */
export const reservePair = (pair: Pair, key: MergeRequestKey) =>
  Effect.mapError(pairs.reserve(pair, key), ({ owner }) => new PairTaken({ iid: mergeRequestKeyOf(owner)?.iid ?? 0 }))

/** Gives the branches back, unless it is open for them by now. */
export const releasePair = pairs.release
