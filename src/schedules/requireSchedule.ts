import { Effect } from "effect"
import { forbidden, thingNotFound } from "../http/answer/errors.ts"
import type { Input } from "../http/Endpoint.ts"
import type { ParameterTable } from "../http/parameters/parameters.ts"
import type { Place } from "../pipelines/Pipelines.ts"
import { mayUse, targetOf } from "../pipelines/Pipelines.ts"
import { can, requireProject } from "../projects/Projects.ts"
import { ScheduleQueries, type ScheduleRow } from "./Queries.ts"
import { type Asker, mayManage, mayUpdate } from "./rights.ts"

type RequestInput = Pick<Input<ParameterTable, "user">, "caller" | "request"> & {
  readonly parameters: { readonly id: string | null }
}

/** The project that a request names, with who asks. */
export const inProject = Effect.fnUntraced(function* (input: RequestInput) {
  return { ...(yield* requireProject(input)), userId: input.caller.user.id }
})
export type Found = Effect.Success<ReturnType<typeof inProject>>

/** Where schedules of a project and their pipelines are shown. */
export const placeOf = ({ project }: Found, { externalUrl }: RequestInput["request"]): Place => ({ project, externalUrl })

export const scheduleNotFound = thingNotFound("Pipeline Schedule")

/** A schedule of the project, with its newest pipeline: 404 for none that may be read. */
export const requireSchedule = Effect.fnUntraced(function* (found: Found, id: number | null) {
  const isReadable = id !== null && can("read_pipeline_schedules", found.principal, found.project)
  const row = isReadable ? yield* ScheduleQueries.use((schedules) => schedules.find(found.project.id, id)) : undefined
  return row ?? (yield* scheduleNotFound)
})

/** Refuses those who may not change the schedule, or from whom its branch or tag is protected. */
export const requireUpdate = Effect.fnUntraced(function* (found: Found, row: ScheduleRow) {
  if (!mayUpdate(found, row) || !(yield* mayUse(found, targetOf(row.ref)))) return yield* forbidden
})

/** Refuses those who may neither take the schedule over nor delete it. */
export const requireManagement = Effect.fnUntraced(function* (asker: Asker, row: ScheduleRow) {
  if (!mayManage(asker, row)) return yield* forbidden
})
