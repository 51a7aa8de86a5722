import { Effect } from "effect"
import { forbidden } from "../../http/answer/errors.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { route } from "../../http/Endpoint.ts"
import { defined } from "../../kernel/defined.ts"
import { changes } from "../../platform/repeats.ts"
import { mayGiveVariables } from "../../projects/Projects.ts"
import { scheduleAggregate } from "../aggregate.ts"
import { withoutBlanks } from "../cron/blanks.ts"
import { presentVariable } from "../present.ts"
import { refuse, variableNotFound } from "../refuse.ts"
import { inProject, requireManagement, requireSchedule, requireUpdate, scheduleNotFound } from "../requireSchedule.ts"
import { mayReadVariables } from "../rights.ts"
import type { ScheduleVariable } from "../shapes.ts"
import { clearVariable } from "../variableValues.ts"
import {
  addVariable as addContract,
  changeVariable as changeContract,
  readVariable as readContract,
  removeVariable as removeContract
} from "./contract.ts"
import { addVariable, changeVariable, removeVariable } from "./writes.ts"

/** The project of a request by somebody who may give its pipelines variables, which is judged before anything of a schedule. */
const inProjectForVariables = Effect.fnUntraced(function* (input: Parameters<typeof inProject>[0]) {
  const found = yield* inProject(input)
  return mayGiveVariables(found.principal, found.project) ? found : yield* forbidden
})

const shown = Effect.fnUntraced(function* (scheduleId: number, key: string) {
  const variable = yield* clearVariable(scheduleId, key)
  return presentVariable(variable ?? (yield* variableNotFound))
})

/** A value that somebody wrote is not kept in clear with the answer for an `Idempotency-Key`. */
const written = (scheduleId: number, body: typeof ScheduleVariable.Type) => ({
  body,
  secretOf: `variable ${body.key} of pipeline schedule ${scheduleId}`
})

const read = route(
  readContract,
  Effect.fnUntraced(function* (input) {
    const found = yield* inProject(input)
    const { key, pipeline_schedule_id } = input.parameters
    const row = yield* requireSchedule(found, pipeline_schedule_id)
    if (!mayReadVariables(found, row)) return yield* forbidden
    return ok(yield* shown(row.id, key ?? ""))
  })
)

const add = route(
  addContract,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    const found = yield* inProjectForVariables(input)
    const id = parameters.pipeline_schedule_id ?? (yield* scheduleNotFound)
    const key = withoutBlanks(parameters.key ?? "")
    const make = Effect.gen(function* () {
      yield* requireUpdate(found, yield* requireSchedule(found, id))
      return yield* addVariable(id, { key, value: parameters.value ?? "", variableType: parameters.variable_type })
    })
    yield* awaitReadModels(yield* changes(scheduleAggregate, id, refuse(make)))
    return written(id, yield* shown(id, key))
  })
)

const change = route(
  changeContract,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    const found = yield* inProjectForVariables(input)
    const id = parameters.pipeline_schedule_id ?? (yield* scheduleNotFound)
    const key = parameters.key ?? ""
    const make = Effect.gen(function* () {
      yield* requireUpdate(found, yield* requireSchedule(found, id))
      const variableType = parameters.variable_type ?? undefined
      return yield* changeVariable(id, { key, value: parameters.value ?? "", ...defined({ variableType }) })
    })
    yield* awaitReadModels(yield* changes(scheduleAggregate, id, refuse(make)))
    return written(id, yield* shown(id, key))
  })
)

const remove = route(
  removeContract,
  Effect.fnUntraced(function* (input) {
    const { parameters } = input
    const found = yield* inProjectForVariables(input)
    const id = parameters.pipeline_schedule_id ?? (yield* scheduleNotFound)
    const judge = Effect.gen(function* () {
      yield* requireManagement(found, yield* requireSchedule(found, id))
    })
    yield* changes(scheduleAggregate, id, judge)
    const removed = yield* refuse(removeVariable(id, parameters.key ?? ""))
    yield* awaitReadModels(removed)
    return written(id, presentVariable(removed.removed))
  })
)

export const variableRoutes = [read, add, change, remove]
