import { Context, type Effect } from "effect"
import type { ReadableProject } from "../../projects/Projects.ts"

/** What pipelines ask of the schedules that made them. */
export class ScheduleVariables extends Context.Service<
  ScheduleVariables,
  {
    /** Whether a user may read the variables that a schedule of the project gives its pipelines; those of a deleted one nobody. */
    readonly mayRead: (
      found: Pick<ReadableProject, "principal" | "project">,
      userId: number,
      scheduleId: number
    ) => Effect.Effect<boolean>
  }
>()("chronoforge/pipelines/creation/ScheduleVariables") {}
