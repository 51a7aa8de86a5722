import { Effect } from "effect"
import { badRequest, forbidden, invalidRecord, notFound } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { presentTimeStats } from "../../issuables/timeStats.ts"
import { parseDuration } from "../../kernel/humanDuration.ts"
import { handle } from "../../platform/Commands.ts"
import { changes } from "../../platform/repeats.ts"
import { can, type ReadableProject, requireProject } from "../../projects/Projects.ts"
import { mergeRequestAggregate } from "../decisions/aggregate.ts"
import type { Command, Refusal } from "../decisions/commands.ts"
import type { MergeRequestKey } from "../ids.ts"
import { requireVisible } from "../requireMergeRequest.ts"
import { addSpentTime, estimateTime, readTimeStats, resetSpentTime, resetTimeEstimate } from "./contract.ts"

const statsOf = Effect.fnUntraced(function* (found: ReadableProject, iid: number | null) {
  return presentTimeStats(yield* requireVisible(found, iid))
})

const read = route(
  readTimeStats,
  Effect.fnUntraced(function* (input) {
    return ok(yield* statsOf(yield* requireProject(input), input.parameters.merge_request_iid))
  })
)

const refused = (refusal: Refusal) => {
  switch (refusal._tag) {
    case "MergeRequestMissing":
      return Effect.fail(notFound)
    case "SpentTimeExceeded":
      return Effect.fail(invalidRecord({ base: ["Time to subtract exceeds the total time spent"] }))
    case "SpentTimeTooLong":
      return Effect.fail(invalidRecord({ base: ["Total time spent is too long"] }))
    default:
      return Effect.die(refusal)
  }
}

/** A merge request whose time the caller may change: who may not is told so before anything else is wrong. */
const changeable = Effect.fnUntraced(function* (found: ReadableProject, iid: number | null) {
  const row = yield* requireVisible(found, iid)
  if (!can("update_merge_request", found.principal, found.project)) return yield* forbidden
  return { projectId: found.project.id, iid: row.iid }
})

/** Sends the command, and answers what is told of the time then. */
const changed = Effect.fnUntraced(function* (found: ReadableProject, key: MergeRequestKey, command: Command) {
  const handled = changes(mergeRequestAggregate, key, handle(mergeRequestAggregate, key, command))
  yield* awaitReadModels(yield* Effect.catch(handled, refused))
  return yield* statsOf(found, key.iid)
})

/** Gap: the exact words are not shown. */
const noEstimate = badRequest("400 Bad request - Time estimate must have a valid format and be greater than or equal to zero.")
const noTime = invalidRecord({ "timelogs.time_spent": ["can't be blank"] })

const estimate = route(
  estimateTime,
  Effect.fnUntraced(function* (input) {
    const { duration, merge_request_iid: iid } = input.parameters
    const found = yield* requireProject(input)
    const key = yield* changeable(found, iid)
    const seconds = parseDuration(duration ?? "")
    if (seconds === undefined || seconds < 0) return yield* noEstimate
    return ok(yield* changed(found, key, { _tag: "EstimateTime", seconds }))
  })
)

const resetEstimate = route(
  resetTimeEstimate,
  Effect.fnUntraced(function* (input) {
    const found = yield* requireProject(input)
    const key = yield* changeable(found, input.parameters.merge_request_iid)
    return ok(yield* changed(found, key, { _tag: "EstimateTime", seconds: 0 }))
  })
)

const spend = route(
  addSpentTime,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const { duration, merge_request_iid: iid, summary } = parameters
    const found = yield* requireProject(input)
    const key = yield* changeable(found, iid)
    const seconds = parseDuration(duration ?? "")
    if (seconds === undefined || seconds === 0) return yield* noTime
    return ok(yield* changed(found, key, { _tag: "SpendTime", by: caller.user.id, seconds, summary: summary ?? null }))
  })
)

const resetSpent = route(
  resetSpentTime,
  Effect.fnUntraced(function* (input) {
    const { caller, parameters } = input
    const found = yield* requireProject(input)
    const key = yield* changeable(found, parameters.merge_request_iid)
    return ok(yield* changed(found, key, { _tag: "ResetSpentTime", by: caller.user.id }))
  })
)

export const timeTrackingRoutes = [read, estimate, resetEstimate, spend, resetSpent]
