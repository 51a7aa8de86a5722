import { Effect } from "effect"
import { badRequest, notFound, unauthorized } from "../http/answer/errors.ts"
import { ok } from "../http/answer/Reply.ts"
import { route } from "../http/Endpoint.ts"
import type { Decoded } from "../http/parameters/parameters.ts"
import type { Handled } from "../platform/Commands.ts"
import { changes, outsideRun } from "../platform/repeats.ts"
import { requireProject } from "../projects/Projects.ts"
import { isAutoMergeSet, mergeWhenReady } from "./autoMerge/mergeWhenReady.ts"
import { awaitMergeRequest } from "./awaitMergeRequest.ts"
import { mergeRequestAggregate } from "./decisions/aggregate.ts"
import { described } from "./described.ts"
import { mergeMergeRequest, readMergeRef } from "./merging/contract.ts"
import { cannotBeMerged, merge, type Wanted } from "./merging/merge.ts"
import { mergeRefOf } from "./merging/mergeRef.ts"
import { requireVisible } from "./requireMergeRequest.ts"
import { detailsOf, mayMerge } from "./view.ts"
import { completeMerge } from "./writes/complete.ts"

type Parameters = Decoded<(typeof mergeMergeRequest)["parameters"]>

const wantedOf = (parameters: Parameters): Wanted => ({
  sha: parameters.sha ?? undefined,
  squash: parameters.squash ?? undefined,
  mergeMessage: parameters.merge_commit_message ?? undefined,
  squashMessage: parameters.squash_commit_message ?? undefined,
  removesSourceBranch: parameters.should_remove_source_branch ?? null
})

/** Whether a run of the request planned the merge. */
const hasPlanned = (handled: Handled<unknown, { readonly _tag: string }> | undefined): boolean =>
  handled?.events.some(({ _tag }) => _tag === "MergePlanned") === true

const put = route(
  mergeMergeRequest,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const { externalUrl } = request
    const found = yield* requireProject(input)
    const iid = parameters.merge_request_iid ?? (yield* notFound)
    const key = { projectId: found.project.id, iid }
    const waits = (parameters.merge_when_pipeline_succeeds ?? parameters.auto_merge) === true
    const make = Effect.gen(function* () {
      const row = yield* requireVisible(found, iid)
      if (!(yield* mayMerge(found, row))) return yield* unauthorized
      const merging = { row, found, merger: caller.user, externalUrl }
      yield* (waits ? mergeWhenReady : merge)(merging, wantedOf(parameters))
      return undefined
    })
    const isDone = Effect.gen(function* () {
      return (yield* completeMerge(key)) || (waits && (yield* isAutoMergeSet(key)))
    })
    const done = Effect.gen(function* () {
      const handled = yield* changes(mergeRequestAggregate, key, make)
      if (yield* isDone) return true
      // An earlier run may have been cut short, and the target branch have moved since.
      return hasPlanned(handled) && (yield* Effect.andThen(outsideRun(make), isDone))
    })
    // Who is refused is shown why.
    if (!(yield* Effect.tapError(done, () => awaitMergeRequest(key)))) return yield* cannotBeMerged
    yield* awaitMergeRequest(key)
    return ok(yield* detailsOf(yield* described(yield* requireVisible(found, iid)), found, { caller, request }))
  })
)

const readRef = route(
  readMergeRef,
  Effect.fnUntraced(function* (input) {
    const found = yield* requireProject(input)
    const row = yield* requireVisible(found, input.parameters.merge_request_iid)
    const commit = mergeRefOf({ projectId: row.project_id, iid: row.iid })
    return ok({ commit_id: yield* Effect.mapError(commit, ({ reason }) => badRequest(reason)) })
  })
)

export const mergingRoutes = [put, readRef]
