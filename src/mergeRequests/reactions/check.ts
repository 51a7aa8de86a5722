import { Effect } from "effect"
import { trialMerge } from "../../git/merge/trialMerge.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { defined } from "../../kernel/defined.ts"
import { handle } from "../../platform/Commands.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { Check, OutdateMergeability } from "../decisions/commands.ts"
import { isPresent, type MergeRequest } from "../decisions/state.ts"
import type { Verdict } from "../events.ts"
import { areSame, type Heads, hasBoth, headsNow } from "../heads.ts"
import type { MergeRequestKey } from "../ids.ts"
import { abortIfOutdated } from "../writes/abortAutoMerge.ts"

/** Tells that nobody knows any more whether it can be merged, which is quickly done for many; it is found out later. */
export const outdate = (key: MergeRequestKey, moved?: OutdateMergeability["moved"]) =>
  Effect.orDie(handle(mergeRequestAggregate, key, { _tag: "OutdateMergeability", ...defined({ moved }) }))

type Judged = Pick<Check, "isFastForward" | "verdict">

/** Whether the branches can be merged. What would expand beyond what may come in cannot. */
const judge = Effect.fnUntraced(function* (repository: Repository, heads: Heads) {
  const found = (verdict: Verdict, isFastForward = false): Judged => ({ verdict, isFastForward })
  if (!hasBoth(heads)) return found("branch_missing")
  const trial = yield* Effect.catchTag(trialMerge(repository, heads), "TreesRefused", () => Effect.undefined)
  switch (trial?._tag) {
    case "Clean":
      return found("mergeable", trial.isFastForward)
    case "AlreadyMerged":
      return found("no_commits", heads.source === heads.target)
    default:
      return found("conflict")
  }
})

const isKnown = ({ mergeability }: MergeRequest, { source, target }: Heads): boolean =>
  mergeability._tag === "Checked" && mergeability.headSha === (source ?? null) && mergeability.targetSha === (target ?? null)

/**
 * Tells a verdict. Of what is unchecked a push changes nothing, so whether a branch moved meanwhile is looked at behind it, whoever still waits for
 * that: what is told of former heads is outdated at once.
 */
const tell = (
  key: MergeRequestKey,
  request: MergeRequest,
  { command, heads }: { readonly heads: Heads; readonly command: Check }
) => {
  const after = Effect.onError(headsNow(request, key), () => outdate(key))
  const confirm = Effect.flatMap(after, (now) => (areSame(now, heads) ? Effect.void : outdate(key)))
  return Effect.uninterruptible(Effect.tap(Effect.orDie(handle(mergeRequestAggregate, key, command)), () => confirm))
}

/** Tells whether the heads can be merged, where nobody knows that yet, and they still are the heads. Answers whether the merge request is prepared. */
export const check = Effect.fnUntraced(function* (key: MergeRequestKey, request: MergeRequest, heads: Heads) {
  if (isKnown(request, heads)) return request.isPrepared
  const judged = yield* judge((yield* Repositories).of(key.projectId), heads)
  if (!areSame(yield* headsNow(request, key), heads)) return request.isPrepared
  const { targetBranch } = request.attributes
  const of = { targetBranch, headSha: heads.source ?? null, targetSha: heads.target ?? null }
  const { state } = yield* tell(key, request, { heads, command: { _tag: "Check", ...of, ...judged } })
  const isBehind = judged.verdict === "mergeable" && !judged.isFastForward
  if (request.autoMerge !== undefined && isBehind) yield* abortIfOutdated(key, request.autoMerge)
  return isPresent(state) && state.request.isPrepared
})
