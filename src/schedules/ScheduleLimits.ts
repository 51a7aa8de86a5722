import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../config.ts"
import { type ProcessLock, processLocks } from "../platform/processLock.ts"
import type { Sql } from "../platform/sql/Sql.ts"

/** What schedules may take, and the order in which those of a project are made: there may be only so many. */
export class ScheduleLimits extends Context.Service<
  ScheduleLimits,
  {
    /** The number of schedules that a project may have; 0: no limit. */
    readonly perProject: number
    /** The shortest time between two runs of a schedule, in milliseconds. */
    readonly minInterval: number
    /** The order of effects on the schedules of a project. */
    readonly lockOf: (projectId: number) => ProcessLock
  }
>()("chronoforge/schedules/ScheduleLimits") {
  static readonly layer: Layer.Layer<ScheduleLimits, never, AppConfig | Sql> = Layer.effect(
    ScheduleLimits,
    Effect.gen(function* () {
      const { scheduleMinInterval, schedulesPerProject } = yield* AppConfig
      const { withLock } = yield* processLocks("chronoforge-schedules")
      return ScheduleLimits.of({
        perProject: schedulesPerProject,
        minInterval: scheduleMinInterval * 1000,
        lockOf: (projectId) => ({ withLock: (effect) => withLock(`chronoforge.schedules.${projectId}`, effect) })
      })
    })
  )
}
