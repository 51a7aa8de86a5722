import { Effect, Equal } from "effect"
import { handle, load } from "../../platform/Commands.ts"
import { actingAs, CurrentOrigin, systemOrigin } from "../../platform/Origin.ts"
import { leadReactor } from "../../platform/reactions/ReactorSession.ts"
import { workThrough } from "../../platform/reactions/workThrough.ts"
import { can, Projects, principalOf } from "../../projects/Projects.ts"
import { Users } from "../../users/Users.ts"
import { awaitMergeRequest } from "../awaitMergeRequest.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { AutoMerge } from "../decisions/state.ts"
import { factsOf } from "../factsOf.ts"
import { type MergeRequestKey, mergeRequestStream } from "../ids.ts"
import { mergeNow } from "../merging/merge.ts"
import { MergeRequestQueries, type MergeRequestRow } from "../Queries.ts"
import { refresh } from "../reactions/refresh.ts"
import { detailedMergeStatus } from "../status/detailedMergeStatus.ts"
import { mayMerge } from "../view.ts"
import { abortIfOutdated } from "../writes/abortAutoMerge.ts"
import { pipelinesMade } from "./pipelinesMade.ts"

/** The words of the reference. */
const [notAllowed, failed] = ["You are not allowed to merge this merge request", "An error occurred while merging"]

/** One that is to be merged of itself, with what it depends on, as all of it is now; undefined where it is not any more. */
const current = Effect.fnUntraced(function* (key: MergeRequestKey) {
  // What happens from here on the row may show or not, but makes it due again.
  const { state } = yield* load(mergeRequestAggregate, key)
  if (state._tag !== "Opened" || state.request.autoMerge === undefined) return undefined
  yield* awaitMergeRequest(key)
  const row = yield* MergeRequestQueries.use((requests) => requests.find(key.projectId, key.iid))
  if (row === undefined) return undefined
  const { autoMerge, mergeError, rebase } = state.request
  const status = rebase === undefined ? detailedMergeStatus(factsOf(row)) : "rebasing"
  return { autoMerge, mergeError, row, status }
})

const hold = (key: MergeRequestKey, of: AutoMerge, reason: string) =>
  handle(mergeRequestAggregate, key, { _tag: "HoldAutoMerge", of, reason })

/** Tells why it is not merged, and leaves it until something changes. */
const giveUp = Effect.fnUntraced(function* (key: MergeRequestKey, of: AutoMerge, reason: string, error: string) {
  yield* handle(mergeRequestAggregate, key, { _tag: "FailMerge", error })
  yield* hold(key, of, reason)
})

/** The user who set it, with the project as they have it; undefined where they may not merge any more. */
const mergerOf = Effect.fnUntraced(function* ({ by }: AutoMerge, row: MergeRequestRow) {
  const user = yield* Users.use((users) => users.find(by))
  const found = yield* Projects.use((projects) => projects.find(String(row.project_id), by))
  if (user?.state !== "active" || found === undefined) return undefined
  const readable = { ...found, principal: principalOf({ user }, found.role) }
  if (!can("read_merge_requests", readable.principal, found.project)) return undefined
  return (yield* mayMerge(readable, row)) ? { merger: user, found: readable } : undefined
})

const wantedBy = ({ headSha, mergeMessage, removesSourceBranch, squashMessage }: AutoMerge) => ({
  sha: headSha,
  mergeMessage: mergeMessage ?? undefined,
  squashMessage: squashMessage ?? undefined,
  removesSourceBranch
})

/**
 * Merges one that is due in the name of who set it, or tells what it waits for. Where the project wants a rebase first, it is not merged of
 * itself any more. It stays due while pipelines of its last commit are about to be made, which is so for a moment.
 */
export const mergeOne = Effect.fnUntraced(function* (key: MergeRequestKey, externalUrl: string) {
  yield* refresh(key)
  const before = yield* current(key)
  if (before === undefined) return
  const { autoMerge, row, status } = before
  if (status === "need_rebase") return yield* abortIfOutdated(key, autoMerge)
  if (status !== "mergeable") return yield* hold(key, autoMerge, status)
  // Which pipelines there are is asked again when it is merged.
  if (!(yield* pipelinesMade(key))) return
  const merger = yield* mergerOf(autoMerge, row)
  if (merger === undefined) return yield* giveUp(key, autoMerge, "not_allowed", notAllowed)
  const merging = mergeNow({ row, externalUrl, ...merger }, wantedBy(autoMerge))
  const isRefused = yield* Effect.match(actingAs(autoMerge.by, merging), { onSuccess: () => false, onFailure: () => true })
  const after = isRefused ? yield* current(key) : undefined
  // Something moved meanwhile, or what stood in the way is over already: it is looked at again.
  if (after?.status !== "mergeable" || !Equal.equals(after.autoMerge, autoMerge)) return
  return yield* giveUp(key, after.autoMerge, "merge_failed", after.mergeError ?? failed)
})

const work = Effect.fnUntraced(function* (externalUrl: string) {
  const { autoMergesDue } = yield* MergeRequestQueries
  return yield* workThrough({
    due: autoMergesDue,
    turnOf: ({ by, projectId }) => ({ caller: `user:${by}`, subject: String(projectId) }),
    perform: (key) => Effect.asVoid(mergeOne(key, externalUrl)),
    onFailure: Effect.fnUntraced(function* (key, _, cause) {
      yield* Effect.logWarning(`${mergeRequestStream(key)} could not be merged of itself, which is tried again`, cause)
      yield* Effect.ignore(handle(mergeRequestAggregate, key, { _tag: "FailMerge", error: failed }))
    })
  })
})

/**
 * Merges what is due to be merged of itself, for ever: in one process at a time. One over which that fails keeps no other one waiting. Links
 * in messages begin with the address.
 */
export const mergeDue = (externalUrl: string) =>
  Effect.provideService(
    leadReactor("merge-request-auto-merges", () => work(externalUrl)),
    CurrentOrigin,
    systemOrigin("merge-requests")
  )
