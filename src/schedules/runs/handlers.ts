import { Clock, Effect } from "effect"
import { invalidParameters } from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { route } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import { inSlices } from "../../kernel/inSlices.ts"
import { filterBy, type PipelineFilter, PipelineQueries } from "../../pipelines/Pipelines.ts"
import { preview } from "../cron/preview.ts"
import { presentScheduled } from "../present.ts"
import { ScheduleQueries } from "../Queries.ts"
import { inProject, placeOf, requireSchedule } from "../requireSchedule.ts"
import { ScheduleLimits } from "../ScheduleLimits.ts"
import { cronTimingOf } from "../timing.ts"
import { listPipelines, listRuns, previewRuns } from "./contract.ts"
import { play } from "./play.ts"
import { presentPreview, presentRun } from "./present.ts"

const filterOf = (
  { id: scheduleId, project_id: projectId }: { readonly id: number; readonly project_id: number },
  parameters: Decoded<(typeof listPipelines)["parameters"]>
): PipelineFilter => ({
  projectId,
  scheduleId,
  ...filterBy(parameters),
  order: { by: "id", descending: parameters.sort === "desc" }
})

const pipelines = route(
  listPipelines,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const found = yield* inProject(input)
    const filter = filterOf(yield* requireSchedule(found, parameters.pipeline_schedule_id), parameters)
    const { rows, extent } = yield* PipelineQueries.use(({ list }) => list(filter, pageOf(parameters)))
    return page(
      rows.map((row) => presentScheduled(row, placeOf(found, request))),
      extent
    )
  })
)

const runs = route(
  listRuns,
  Effect.fnUntraced(function* (input) {
    const { parameters, request } = input
    const found = yield* inProject(input)
    const { id } = yield* requireSchedule(found, parameters.pipeline_schedule_id)
    const { rows, extent } = yield* ScheduleQueries.use(({ slots }) => slots(id, pageOf(parameters)))
    return page(
      rows.map((row) => presentRun(row, placeOf(found, request))),
      extent
    )
  })
)

const maxPreviewed = 100
const countIsInvalid = invalidParameters(["count does not have a valid value"])

const previewRoute = route(
  previewRuns,
  Effect.fnUntraced(function* (input) {
    const { count, pipeline_schedule_id } = input.parameters
    if (count < 1 || count > maxPreviewed) return yield* countIsInvalid
    const { cron, cron_timezone: cronTimezone } = yield* requireSchedule(yield* inProject(input), pipeline_schedule_id)
    const timing = cronTimingOf({ cron, cronTimezone }, (yield* ScheduleLimits).minInterval)
    const now = yield* Clock.currentTimeMillis
    const entries = timing === undefined ? [] : yield* inSlices(preview(timing, now, count))
    return ok(entries.map(presentPreview))
  })
)

export const runRoutes = [play, pipelines, runs, previewRoute]
