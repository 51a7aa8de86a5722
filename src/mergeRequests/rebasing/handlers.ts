import { Clock, Effect } from "effect"
import { conflict, forbiddenBecause, notFound } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { Contended, handle, load } from "../../platform/Commands.ts"
import { changes } from "../../platform/repeats.ts"
import { requireProject } from "../../projects/Projects.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { Refusal } from "../decisions/commands.ts"
import { requireVisible } from "../requireMergeRequest.ts"
import { rebaseMergeRequest } from "./contract.ts"
import { rebaseObstacle, subjectOf } from "./rights.ts"

const locked = conflict("409 Conflict: Resource lock")
const notEnqueued = conflict("Failed to enqueue the rebase operation, possibly due to a long-lived transaction. Try again later.")

const refused = (refusal: Refusal) => {
  switch (refusal._tag) {
    case "MergeRequestMissing":
      return Effect.fail(notFound)
    case "NotOpen":
    case "RebaseRunning":
      return Effect.fail(locked)
    default:
      return Effect.die(refusal)
  }
}

const put = route(
  rebaseMergeRequest,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    const iid = parameters.merge_request_iid ?? (yield* notFound)
    const key = { projectId: found.project.id, iid }
    const make = Effect.gen(function* () {
      const obstacle = yield* rebaseObstacle(caller.user, subjectOf(yield* requireVisible(found, iid)))
      if (obstacle !== undefined) return yield* forbiddenBecause(obstacle)
      const at = yield* Clock.currentTimeMillis
      const skipsPipelines = parameters.skip_ci === true
      const asked = { _tag: "RequestRebase", by: caller.user.id, at, skipsPipelines } as const
      return yield* Effect.catch(handle(mergeRequestAggregate, key, asked), refused)
    })
    const requested = Effect.catchDefect(changes(mergeRequestAggregate, key, make), (defect) =>
      defect instanceof Contended ? Effect.fail(notEnqueued) : Effect.die(defect)
    )
    yield* awaitReadModels(yield* requested)
    const { state } = yield* load(mergeRequestAggregate, key)
    return ok({ rebase_in_progress: "request" in state && state.request.rebase !== undefined })
  })
)

export const rebasingRoutes = [put]
