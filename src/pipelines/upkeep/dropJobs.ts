import { Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import { pipelineAggregate } from "../aggregate.ts"
import { type AbandonedJobs, PipelineQueries } from "../Queries.ts"

/** Fails the jobs under way of a pipeline that run as a user who may do nothing any more. */
const dropJobs = ({ pipelineId, userId }: AbandonedJobs) =>
  handle(pipelineAggregate, pipelineId, { _tag: "DropJobs", by: userId, failureReason: "user_blocked" }).pipe(
    Effect.catchTag("PipelineMissing", () => Effect.void),
    Effect.orDie
  )

/** The same for all pipelines. */
export const dropJobsOf = Effect.fnUntraced(function* (userId: number) {
  const pipelines = yield* PipelineQueries.use((queries) => queries.withJobsOf(userId))
  yield* Effect.forEach(pipelines, (pipelineId) => dropJobs({ pipelineId, userId }), { discard: true })
})

/** So many are looked at in one go. */
const batch = 20

/** The same for jobs of a project that came to wait when their users could do nothing any more. */
export const dropAbandoned = Effect.fnUntraced(function* (projectId: number) {
  const abandoned = yield* PipelineQueries.use((queries) => queries.abandoned(projectId, batch))
  yield* Effect.forEach(abandoned, dropJobs, { discard: true })
})
