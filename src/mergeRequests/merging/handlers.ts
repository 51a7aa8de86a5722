import { Effect } from "effect"
import { badRequest, notFound, unauthorized } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { route } from "../../http/Endpoint.ts"
import { changes } from "../../platform/repeats/repeats.ts"
import { requireProject } from "../../projects/Projects.ts"
import { mergeRequestAggregate } from "../aggregate.ts"
import { requireVisible } from "../requireMergeRequest.ts"
import { untilShown } from "../untilShown.ts"
import { detailsOf, mayMerge } from "../view.ts"
import { completeMerge } from "./complete.ts"
import { mergeMergeRequest, readMergeRef } from "./contract.ts"
import { cannotBeMerged, merge } from "./merge.ts"
import { mergeRefOf } from "./mergeRef.ts"

const put = route(
  mergeMergeRequest,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters, request } = input
    const found = yield* requireProject(input)
    const iid = parameters.merge_request_iid ?? (yield* notFound)
    const key = { projectId: found.project.id, iid }
    const make = Effect.gen(function* () {
      const row = yield* requireVisible(found, iid)
      if (!(yield* mayMerge(found, row))) return yield* unauthorized
      return yield* merge(
        { row, found, caller, externalUrl: request.externalUrl },
        {
          sha: parameters.sha ?? undefined,
          squash: parameters.squash ?? undefined,
          mergeMessage: parameters.merge_commit_message ?? undefined,
          squashMessage: parameters.squash_commit_message ?? undefined,
          removesSourceBranch: parameters.should_remove_source_branch ?? null
        }
      )
    })
    // Who is refused is shown why.
    yield* Effect.tapError(changes(mergeRequestAggregate, key, make), () => untilShown(key))
    // An earlier run of the request may have been cut short.
    if (!(yield* completeMerge(key))) return yield* cannotBeMerged
    yield* untilShown(key)
    return ok(yield* detailsOf(yield* requireVisible(found, iid), found, { caller, request }))
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
