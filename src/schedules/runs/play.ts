import { Effect } from "effect"
import { forbidden } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { type Input, route } from "../../http/Endpoint.ts"
import { createPipeline, mayUse, targetOf } from "../../pipelines/Pipelines.ts"
import { handle } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { changes } from "../../platform/repeats.ts"
import { can } from "../../projects/Projects.ts"
import { scheduleAggregate } from "../aggregate.ts"
import { playSchedule } from "../contract.ts"
import type { ScheduleRow } from "../Queries.ts"
import { refuse } from "../refuse.ts"
import { type Found, inProject, requireSchedule, scheduleNotFound } from "../requireSchedule.ts"
import { variablesOf } from "../variableValues.ts"

/** The pipeline comes first: a repeat of the request makes it under the same id, and so once. */
const played = Effect.fnUntraced(function* (
  found: Found,
  { description, id, ref }: ScheduleRow,
  { caller, request }: Pick<Input<typeof playSchedule.parameters, "user">, "caller" | "request">
) {
  const pipelineId = yield* nextId("pipeline")
  const created = yield* createPipeline({
    id: pipelineId,
    project: found.project,
    ref,
    source: "schedule",
    by: caller.user,
    variables: yield* variablesOf(id),
    serverUrl: request.externalUrl,
    schedule: { id, description }
  })
  const by = caller.user.id
  const outcome = created._tag === "Created" ? { pipelineId } : { pipelineId: null, message: created.texts.join(", ") }
  return yield* handle(scheduleAggregate, id, { _tag: "NotePlay", by, ...outcome })
})

export const play = route(
  playSchedule,
  Effect.fnUntraced(function* (input) {
    const found = yield* inProject(input)
    const id = input.parameters.pipeline_schedule_id ?? (yield* scheduleNotFound)
    const make = Effect.gen(function* () {
      const row = yield* requireSchedule(found, id)
      const isRefused = !can("create_pipeline", found.principal, found.project) || !(yield* mayUse(found, targetOf(row.ref)))
      return yield* isRefused ? forbidden : played(found, row, input)
    })
    yield* awaitReadModels(yield* changes(scheduleAggregate, id, refuse(make)))
    // Nobody is told here whether there is a pipeline: the configuration may want none.
    return ok({ message: "201 Created" })
  })
)
