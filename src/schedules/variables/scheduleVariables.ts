import { Effect, Layer } from "effect"
import { ScheduleVariables } from "../../pipelines/creation/ScheduleVariables.ts"
import { ScheduleQueries } from "../Queries.ts"
import { mayReadVariables } from "../rights.ts"

/** Tells pipelines who may read what their schedule gave them. */
export const layerScheduleVariables: Layer.Layer<ScheduleVariables, never, ScheduleQueries> = Layer.effect(
  ScheduleVariables,
  Effect.map(ScheduleQueries, (schedules) => ({
    mayRead: Effect.fnUntraced(function* ({ principal, project }, userId, scheduleId) {
      const row = yield* schedules.find(project.id, scheduleId)
      return row !== undefined && mayReadVariables({ principal, project, userId }, row)
    })
  }))
)
