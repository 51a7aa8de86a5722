import { Data, Effect } from "effect"
import { load } from "../platform/Commands.ts"
import { type Name, ownerOf, release, reserve } from "../platform/Reservations.ts"
import { mergeRequestAggregate } from "./aggregate.ts"
import type { Source } from "./events.ts"
import { type MergeRequestKey, mergeRequestKeyOf, mergeRequestStream } from "./ids.ts"

/** The branches of a merge request: only one may be open for them. */
export interface Pair {
  readonly source: Source
  readonly projectId: number
  readonly targetBranch: string
}

/** Another merge request is open for these branches. */
export class PairTaken extends Data.TaggedError("PairTaken")<{ readonly iid: number }> {}

/** No branch holds a blank. */
const nameOf = ({ projectId, source, targetBranch }: Pair): Name => ({
  kind: "merge-request",
  text: `${source.projectId} ${source.branch} ${projectId} ${targetBranch}`
})

/** Whether a merge request is open for this name, as the log stands. */
const holds = (name: Name) =>
  Effect.fnUntraced(function* (owner: string) {
    const key = mergeRequestKeyOf(owner)
    if (key === undefined) return false
    const { state } = yield* load(mergeRequestAggregate, key)
    if (state._tag !== "Opened" && state._tag !== "Locked") return false
    const { attributes, source } = state.request
    return nameOf({ source, projectId: key.projectId, targetBranch: attributes.targetBranch }).text === name.text
  })

/** Fails where another merge request is open for the branches, before anything is taken for a new one. */
export const requireFreePair = Effect.fnUntraced(function* (pair: Pair) {
  const name = nameOf(pair)
  const owner = yield* ownerOf(name)
  const key = owner === undefined ? undefined : mergeRequestKeyOf(owner)
  if (owner !== undefined && key !== undefined && (yield* holds(name)(owner))) return yield* new PairTaken({ iid: key.iid })
})

/** Takes the branches for a merge request that is about to be open for them. Repeating it changes nothing. */
export const reservePair = (pair: Pair, key: MergeRequestKey) => {
  const name = nameOf(pair)
  return reserve(name, mergeRequestStream(key), holds(name)).pipe(
    Effect.mapError(({ owner }) => new PairTaken({ iid: mergeRequestKeyOf(owner)?.iid ?? 0 }))
  )
}

/** Gives the branches back. */
export const releasePair = (pair: Pair, key: MergeRequestKey) => release(nameOf(pair), mergeRequestStream(key))
