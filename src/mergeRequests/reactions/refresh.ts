import { Effect } from "effect"
import { broughtIn } from "../../git/history/broughtIn.ts"
import { isAncestor } from "../../git/history/mergeBase.ts"
import { fetchHead } from "../../git/merge/fetchHead.ts"
import { headRef } from "../../git/merge/mergeRequestRefs.ts"
import { trialMerge } from "../../git/merge/trialMerge.ts"
import { Repositories } from "../../git/Repositories.ts"
import type { Repository } from "../../git/Repository.ts"
import { readRef } from "../../git/refs/refs.ts"
import { handle, load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { outsideRun } from "../../platform/repeats/CurrentRun.ts"
import { mergeRequestAggregate } from "../aggregate.ts"
import type { Command } from "../commands.ts"
import type { Source, Verdict } from "../events.ts"
import { type Heads, headsOf } from "../heads.ts"
import type { MergeRequestKey } from "../ids.ts"
import type { MergeRequest } from "../state.ts"
import { noteMerge, updateMergeRequest } from "../writes/change.ts"
import { versionOf } from "./version.ts"

/** Keeps the commits of the source in the repository of the target, also when its branch goes away. */
const keepHead = Effect.fnUntraced(
  function* ({ iid, projectId }: MergeRequestKey, source: Source, heads: { readonly source: string; readonly target: string }) {
    const repositories = yield* Repositories
    const repository = repositories.of(projectId)
    const from = (yield* readRef(repository, headRef(iid)))?.id ?? null
    const head = { iid, commit: heads.source, from, source: repositories.of(source.projectId), known: [heads.target] }
    yield* fetchHead(repository, head)
  },
  // Others find out the same at the same time.
  Effect.retry({ times: 3, while: ({ _tag }) => _tag === "RefMoved" })
)

const send = (key: MergeRequestKey, command: Command) => Effect.orDie(handle(mergeRequestAggregate, key, command))

/** What is to be merged is noted, where the source branch leads somewhere else than before, or the target branch is another one. */
const addVersion = Effect.fnUntraced(function* (key: MergeRequestKey, request: MergeRequest, source: string, target: string) {
  const { attributes, version } = request
  const { targetBranch } = attributes
  if (version?.headSha === source && version.targetBranch === targetBranch) return
  const repository = (yield* Repositories).of(key.projectId)
  yield* keepHead(key, request.source, { source, target })
  const added = yield* versionOf(repository, { targetBranch, headSha: source, startSha: target })
  yield* send(key, { _tag: "AddVersion", id: yield* nextId("merge_request_version"), version: added })
})

type Judged = Pick<Extract<Command, { readonly _tag: "Check" }>, "isFastForward" | "verdict">

/** Whether the branches can be merged. What would expand beyond what may come in cannot. */
const judge = Effect.fnUntraced(function* (repository: Repository, { source, target }: Heads) {
  const found = (verdict: Verdict, isFastForward = false): Judged => ({ verdict, isFastForward })
  if (source === undefined || target === undefined) return found("branch_missing")
  const trial = yield* Effect.catchTag(trialMerge(repository, { source, target }), "TreesRefused", () => Effect.undefined)
  switch (trial?._tag) {
    case "Clean":
      return found("mergeable", trial.isFastForward)
    case "AlreadyMerged":
      return found("no_commits", source === target)
    default:
      return found("conflict")
  }
})

const isKnown = ({ mergeability }: MergeRequest, { source, target }: Heads): boolean =>
  mergeability._tag === "Checked" && mergeability.headSha === (source ?? null) && mergeability.targetSha === (target ?? null)

const check = Effect.fnUntraced(function* (key: MergeRequestKey, request: MergeRequest, heads: Heads) {
  if (isKnown(request, heads)) return
  const judged = yield* judge((yield* Repositories).of(key.projectId), heads)
  yield* send(key, { _tag: "Check", headSha: heads.source ?? null, targetSha: heads.target ?? null, ...judged })
})

/** The commit by which the commits came into the target branch, when somebody pushed them there; undefined when they did not. */
const mergedBy = Effect.fnUntraced(function* (key: MergeRequestKey, { version }: MergeRequest, { source, target }: Heads) {
  if (version === undefined || version.commits === 0 || source === undefined || target === undefined) return undefined
  const repository = (yield* Repositories).of(key.projectId)
  if (!(yield* isAncestor(repository, source, target))) return undefined
  // It lies too far back to be found.
  return (yield* broughtIn(repository, { commit: source, tip: target })) ?? target
})

const requestOf = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const { state } = yield* load(mergeRequestAggregate, key)
  return state._tag === "Opened" ? state.request : undefined
})

/**
 * Brings a merge request up to where its branches lead now: its version, whether it can be merged, whether it was. `by` is the user who
 * moved them, else its author. Repeating it changes nothing. What it finds out for branches that move meanwhile is dropped by the
 * decider, or found again by the event of that move.
 */
export const refresh = Effect.fnUntraced(
  function* (key: MergeRequestKey, by?: number) {
    const before = yield* requestOf(key)
    if (before === undefined) return
    const actor = by ?? before.authorId
    const heads = yield* headsOf(before.source, { projectId: key.projectId, branch: before.attributes.targetBranch })
    const { source, target } = heads
    if (source === undefined) {
      yield* Effect.orDie(updateMergeRequest(key, { by: actor, changes: {}, transition: "close" }))
      return
    }
    if (target !== undefined) yield* addVersion(key, before, source, target)
    const request = yield* requestOf(key)
    if (request === undefined) return
    const mergeSha = yield* mergedBy(key, request, heads)
    if (mergeSha === undefined) yield* check(key, request, heads)
    else yield* noteMerge(key, { by: actor, mergeSha, squashSha: null })
    yield* send(key, { _tag: "FinishPreparation" })
  },
  Effect.orDie,
  outsideRun
)

/** Tells that nobody knows any more whether it can be merged, which is quickly done for many. */
export const outdate = (key: MergeRequestKey) => send(key, { _tag: "OutdateMergeability" })
