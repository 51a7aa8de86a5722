import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../config.ts"

/** What pipelines may take. */
export class PipelineLimits extends Context.Service<
  PipelineLimits,
  {
    /** How many jobs and statuses a pipeline may have, with those that others have replaced. */
    readonly maxJobs: number
  }
>()("chronoforge/pipelines/PipelineLimits") {
  static readonly layer: Layer.Layer<PipelineLimits, never, AppConfig> = Layer.effect(
    PipelineLimits,
    Effect.map(AppConfig, ({ jobsPerPipeline }) => ({
      maxJobs: jobsPerPipeline === 0 ? Number.POSITIVE_INFINITY : jobsPerPipeline
    }))
  )
}

/** How many jobs a pipeline may have. */
export const maxJobs = PipelineLimits.useSync((limits) => limits.maxJobs)
