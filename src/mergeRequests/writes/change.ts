import { Effect } from "effect"
import { defined } from "../../kernel/defined.ts"
import { guardOf, handle, load } from "../../platform/Commands.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import { MergeRequestMissing, type NoteMerge, type Update } from "../decisions/commands.ts"
import type { Labeling } from "../decisions/labeling.ts"
import { isPresent, type Present, placeIn } from "../decisions/state.ts"
import type { MergeRequestKey } from "../ids.ts"
import { type Pair, releasePair, reservePair } from "../pairs.ts"
import { withEventIds } from "./labeling.ts"

const pairOf = ({ request: { attributes, source } }: Present, { projectId }: MergeRequestKey): Pair => ({
  source,
  projectId,
  targetBranch: attributes.targetBranch
})

/** An update before what is told of its labels and milestone has ids. */
export interface NewUpdate extends Omit<Update, "_tag" | "labeling"> {
  readonly labeling?: Labeling
}

/** The branches that it takes with the update: what is open has its own. */
const pairAfter = (state: Present, key: MergeRequestKey, { changes, transition }: NewUpdate): Pair | undefined => {
  const { targetBranch } = changes
  if (transition === "reopen") return { ...pairOf(state, key), ...defined({ targetBranch }) }
  const moves = targetBranch !== undefined && placeIn(state).isOpen && transition !== "close"
  return moves ? { ...pairOf(state, key), targetBranch } : undefined
}

/** Takes the branches; undefined where another merge request keeps this one from being opened again. */
const reserveFor = (after: Pair, key: MergeRequestKey, { transition }: NewUpdate) => {
  const reserved = guardOf(reservePair(after, key))
  return transition === "reopen" ? Effect.orElseSucceed(reserved, () => undefined) : reserved
}

/** Updates it from the state in which it was seen. */
const updateFrom = Effect.fnUntraced(function* (key: MergeRequestKey, state: Present, update: NewUpdate) {
  const after = pairAfter(state, key, update)
  const guard = after === undefined ? undefined : yield* reserveFor(after, key, update)
  const isTaken = after !== undefined && guard === undefined
  const { labeling, transition, ...others } = update
  const mayMove = transition === "reopen" || others.changes.targetBranch !== undefined
  const command: Update = {
    _tag: "Update",
    ...others,
    ...defined({
      from: mayMove ? placeIn(state) : undefined,
      labeling: labeling && (yield* withEventIds(labeling)),
      transition: isTaken ? undefined : transition
    })
  }
  const handled = yield* handle(mergeRequestAggregate, key, command, defined({ guard })).pipe(
    Effect.tapError(() => (after === undefined ? Effect.void : releasePair(after, key)))
  )
  if (!isPresent(handled.state)) return handled
  const now = placeIn(handled.state)
  const isNow = ({ targetBranch }: Pair): boolean => now.isOpen && targetBranch === now.targetBranch
  if (after !== undefined && !isTaken && !isNow(after)) yield* releasePair(after, key)
  const before = pairOf(state, key)
  if (!isNow(before)) yield* releasePair(before, key)
  return handled
}, spanned("mergeRequests.update"))

/** How often an update begins anew where others open, close or retarget what it changes. */
const maxAttempts = 20

const isOvertaken =
  ({ transition }: NewUpdate) =>
  ({ _tag }: { readonly _tag: string }): boolean =>
    _tag === "PlaceMoved" || (_tag === "PairTaken" && transition === "reopen")

/** Changes a merge request, in whatever state it is. */
export const updateMergeRequest = Effect.fnUntraced(function* (key: MergeRequestKey, update: NewUpdate) {
  const updated = Effect.flatMap(load(mergeRequestAggregate, key), ({ state }) =>
    isPresent(state) ? updateFrom(key, state, update) : Effect.fail(new MergeRequestMissing())
  )
  return yield* Effect.retry(updated, { while: isOvertaken(update), times: maxAttempts })
})

/**
 * Changes a merge request that was in this state lately. Its branches are taken before it is open for them and given back once it is not. Where
 * another one is open for them it does not open again, and is changed otherwise.
 */
export const updatePresent = (key: MergeRequestKey, state: Present, update: NewUpdate) =>
  Effect.catchIf(updateFrom(key, state, update), isOvertaken(update), () => updateMergeRequest(key, update))

/** Notes that it was merged, as planned or otherwise; its branches are free for another one then. */
export const noteMerge = Effect.fnUntraced(function* (key: MergeRequestKey, merge: Omit<NoteMerge, "_tag">) {
  const handled = yield* handle(mergeRequestAggregate, key, { _tag: "NoteMerge", ...merge })
  if (isPresent(handled.state)) yield* releasePair(pairOf(handled.state, key), key)
  return handled
}, spanned("mergeRequests.noteMerge"))

/** Deletes a merge request. Its number is not given again. */
export const deleteMergeRequest = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const { state } = yield* load(mergeRequestAggregate, key)
  const handled = yield* handle(mergeRequestAggregate, key, { _tag: "Delete" })
  if (isPresent(state)) yield* releasePair(pairOf(state, key), key)
  return handled
}, spanned("mergeRequests.delete"))
