import { Effect } from "effect"
import { handle, load } from "../../platform/Commands.ts"
import { awaitMergeRequest } from "../awaitMergeRequest.ts"
import { noteIssuesSoon } from "../closing/noteIssuesToClose.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { Refusal } from "../decisions/commands.ts"
import { factsOf } from "../factsOf.ts"
import type { MergeRequestKey } from "../ids.ts"
import { cannotBeMerged, type Merging, mergeNow, notAllowed, type Wanted } from "../merging/merge.ts"
import { MergeRequestQueries } from "../Queries.ts"
import { refresh } from "../reactions/refresh.ts"
import { otherHead } from "../refuse.ts"
import { type DetailedMergeStatus, detailedMergeStatus, type MergeFacts } from "../status/detailedMergeStatus.ts"
import { isUnfinished, pipelineFactsOf } from "../status/pipelineCheck.ts"
import { pipelinesMadeSoon } from "./pipelinesMade.ts"

/** Whether it is open and waits to be merged. */
export const isAutoMergeSet = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const { state } = yield* load(mergeRequestAggregate, key)
  return state._tag === "Opened" && state.request.autoMerge !== undefined
})

/** What people and pipelines may yet put right stands in the way of nothing that waits for it. */
const isGitReady = (facts: MergeFacts): boolean =>
  detailedMergeStatus({
    ...facts,
    approvalsLeft: 0,
    isBlocked: false,
    isDraft: false,
    hasBlockingDiscussions: false,
    pipeline: { ...facts.pipeline, isRequired: false }
  }) === "mergeable"

/** The pipeline has succeeded, so it is merged now: what else stands in the way is no reason to wait. */
const mergeAtOnce = (merging: Merging, wanted: Wanted) =>
  Effect.catchIf(
    mergeNow(merging, wanted),
    (error) => error === notAllowed,
    () =>
      Effect.andThen(
        Effect.ignore(
          handle(
            mergeRequestAggregate,
            { projectId: merging.row.project_id, iid: merging.row.iid },
            { _tag: "FailMerge", error: "Merge request is not mergeable" }
          )
        ),
        Effect.fail(cannotBeMerged)
      )
  )

/** It was merged, closed, deleted or pushed to a moment ago. */
const isLate = ({ _tag }: Refusal): boolean => _tag === "NotOpen" || _tag === "MergeRequestMissing" || _tag === "HeadMoved"

const find = ({ iid, projectId }: MergeRequestKey) => MergeRequestQueries.use((requests) => requests.find(projectId, iid))

/**
 * As it is when the pipelines of its last commit are made, and the status of the one that counts: undefined for none. One that is not made within a moment counts
 * as one that was created just now.
 */
const withPipeline = Effect.fnUntraced(function* (key: MergeRequestKey) {
  const before = yield* find(key)
  const isMade = before === undefined || !isGitReady(factsOf(before)) || (yield* pipelinesMadeSoon(key))
  const row = yield* find(key)
  return row === undefined ? undefined : { row, status: isMade ? (row.head_pipeline_status ?? undefined) : ("created" as const) }
})

const looked = Effect.fnUntraced(function* (key: MergeRequestKey) {
  yield* Effect.ignore(refresh(key))
  yield* awaitMergeRequest(key)
  return yield* withPipeline(key)
})

const unknown: ReadonlySet<DetailedMergeStatus> = new Set(["preparing", "unchecked", "checking"])

/** Whether something is known of it, or it is gone. A branch that moved while it was looked at may leave nothing known. */
const isKnown = (found: Effect.Success<ReturnType<typeof withPipeline>>): boolean =>
  found === undefined || !unknown.has(detailedMergeStatus(factsOf(found.row)))

/**
 * Merges now where the pipeline has succeeded; else it is merged as soon as that is so and nothing else stands in the way. There has to be
 * something to wait for, and nothing in the way that only other commits can put right.
 */
export const mergeWhenReady = Effect.fnUntraced(function* (merging: Merging, wanted: Wanted) {
  const { iid, project_id: projectId } = merging.row
  const key = { projectId, iid }
  const found = yield* Effect.repeat(looked(key), { times: 2, until: isKnown })
  const { state } = yield* load(mergeRequestAggregate, key)
  if (state._tag !== "Opened" || found === undefined) return yield* notAllowed
  const { row, status } = found
  if (status === "success") return yield* mergeAtOnce({ ...merging, row }, wanted)
  const facts = { ...factsOf(row), pipeline: pipelineFactsOf(row, status, false) }
  const hasToWait = detailedMergeStatus(facts) !== "mergeable" || isUnfinished(status)
  if (!isGitReady(facts) || !hasToWait) return yield* notAllowed
  if (wanted.sha !== undefined && wanted.sha !== row.sha) return yield* otherHead(row.sha)
  // From here on nothing changes which issues it closes.
  yield* noteIssuesSoon(key, merging)
  const set = {
    by: merging.merger.id,
    headSha: row.sha,
    mergeMessage: wanted.mergeMessage ?? null,
    squashMessage: wanted.squashMessage ?? null,
    squash: wanted.squash === true,
    removesSourceBranch: wanted.removesSourceBranch
  }
  return yield* Effect.catch(handle(mergeRequestAggregate, key, { _tag: "SetAutoMerge", ...set }), (refusal) =>
    isLate(refusal) ? Effect.fail(notAllowed) : Effect.die(refusal)
  )
})
