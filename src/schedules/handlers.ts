import { Effect } from "effect"
import { requireUnmodified } from "../http/answer/conditional.ts"
import { forbidden } from "../http/answer/errors.ts"
import { pageOf } from "../http/answer/pagination.ts"
import { ok, page } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { route } from "../http/Endpoint.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { defined } from "../kernel/defined.ts"
import { mayUse, nameRef } from "../pipelines/Pipelines.ts"
import { handle } from "../platform/Commands.ts"
import { changes, creates } from "../platform/repeats.ts"
import { can } from "../projects/Projects.ts"
import { scheduleAggregate } from "./aggregate.ts"
import { changeSchedule, createSchedule, deleteSchedule, listSchedules, readSchedule, takeOwnership } from "./contract.ts"
import { refIsAmbiguous } from "./faults.ts"
import { changesOf, settingsOf } from "./input.ts"
import { presentDetail, presentListed, presentRead } from "./present.ts"
import { ScheduleQueries } from "./Queries.ts"
import { invalid, refuse } from "./refuse.ts"
import { removedDetails } from "./removed.ts"
import {
  type Found,
  inProject,
  placeOf,
  requireManagement,
  requireSchedule,
  requireUpdate,
  scheduleNotFound
} from "./requireSchedule.ts"
import { mayReadVariables } from "./rights.ts"
import { runRoutes } from "./runs/handlers.ts"
import { variableRoutes } from "./variables/handlers.ts"
import { clearVariables } from "./variableValues.ts"
import { changeSchedule as change, createSchedule as create, removeSchedule } from "./writes.ts"

const list = route(
  listSchedules,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const { principal, project } = yield* inProject(input)
    if (!can("read_pipeline_schedules", principal, project)) return yield* forbidden
    const { scope } = parameters
    const filter = { projectId: project.id, ...defined({ isActive: scope ? scope === "active" : undefined }) }
    const { rows, extent } = yield* ScheduleQueries.use((schedules) => schedules.list(filter, pageOf(parameters)))
    return page(
      rows.map((row) => presentListed(row, request.externalUrl)),
      extent
    )
  })
)

/** A schedule as read models show it now. */
const details = Effect.fnUntraced(function* (found: Found, id: number, request: RequestInfo) {
  return presentDetail(yield* requireSchedule(found, id), placeOf(found, request))
})

const read = route(
  readSchedule,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const found = yield* inProject(input)
    const row = yield* requireSchedule(found, parameters.pipeline_schedule_id)
    const variables = mayReadVariables(found, row) ? yield* clearVariables(row.id) : undefined
    return ok(presentRead(row, variables, placeOf(found, request)))
  })
)

/** The full name of a ref that the caller may use for what they are about to do. */
const requireRef = Effect.fnUntraced(function* (found: Found, text: string, verb: "create" | "update") {
  const { ref, target } = yield* nameRef(found, text)
  if (!(yield* mayUse(found, target))) {
    return yield* invalid([{ attribute: "base", text: `The current user is not authorized to ${verb} the pipeline schedule` }])
  }
  return ref ?? (yield* invalid([refIsAmbiguous]))
})

const post = route(
  createSchedule,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const found = yield* inProject(input)
    if (!can("create_pipeline_schedule", found.principal, found.project)) return yield* forbidden
    const make = Effect.gen(function* () {
      const settings = settingsOf(parameters, yield* requireRef(found, parameters.ref, "create"))
      return yield* create({ projectId: found.project.id, ownerId: found.userId, settings })
    })
    const created = yield* creates(scheduleAggregate, refuse(make))
    yield* awaitReadModels(created)
    return ok(yield* details(found, created.id, request))
  })
)

const put = route(
  changeSchedule,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const found = yield* inProject(input)
    const id = parameters.pipeline_schedule_id ?? (yield* scheduleNotFound)
    const make = Effect.gen(function* () {
      const row = yield* requireSchedule(found, id)
      yield* requireUpdate(found, row)
      const { ref: text } = parameters
      const ref = text === undefined ? undefined : yield* requireRef(found, text ?? "", "update")
      return yield* change(row, changesOf(parameters, ref))
    })
    yield* awaitReadModels(yield* changes(scheduleAggregate, id, refuse(make)))
    return ok(yield* details(found, id, request))
  })
)

const take = route(
  takeOwnership,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const found = yield* inProject(input)
    const id = parameters.pipeline_schedule_id ?? (yield* scheduleNotFound)
    const make = Effect.gen(function* () {
      yield* requireManagement(found, yield* requireSchedule(found, id))
      return yield* handle(scheduleAggregate, id, { _tag: "TakeOwnership", by: found.userId })
    })
    const handled = yield* changes(scheduleAggregate, id, refuse(make))
    yield* awaitReadModels(handled)
    const body = yield* details(found, id, request)
    return handled.events.length > 0 ? ok(body) : { status: 200 as const, body }
  })
)

const judgeRemoval = Effect.fnUntraced(function* (found: Found, id: number, request: RequestInfo) {
  const row = yield* requireSchedule(found, id)
  yield* requireManagement(found, row)
  yield* requireUnmodified(row.updated_at, request)
  return { nextRunAt: row.next_run_at }
})

const remove = route(
  deleteSchedule,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const found = yield* inProject(input)
    const id = parameters.pipeline_schedule_id ?? (yield* scheduleNotFound)
    const judged = yield* changes(scheduleAggregate, id, judgeRemoval(found, id, request))
    // In a repeat it is deleted already, as it was shown then.
    const removed = yield* refuse(removeSchedule(id, "nextRunAt" in judged ? judged.nextRunAt : null))
    yield* awaitReadModels(removed)
    return ok(presentDetail(yield* removedDetails(id, removed.remains), placeOf(found, request)))
  })
)

export const scheduleRoutes = [list, read, post, put, take, remove, ...variableRoutes, ...runRoutes]
