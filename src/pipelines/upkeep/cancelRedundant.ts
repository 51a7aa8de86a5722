import { Effect } from "effect"
import { handle } from "../../platform/Commands.ts"
import { spanned } from "../../platform/logging/tracing.ts"
import { Projects } from "../../projects/Projects.ts"
import { commitOf } from "../../repositories/Code.ts"
import { pipelineAggregate } from "../aggregate.ts"
import { fullNameOf } from "../creation/refs.ts"
import type { NewPipeline } from "../events.ts"
import { PipelineQueries } from "../Queries.ts"

/** Older pipelines are left alone. */
const maxAgeMillis = 7 * 24 * 3_600_000

interface Created {
  readonly id: number
  readonly pipeline: NewPipeline
  /** In milliseconds since 1970. */
  readonly at: number
}

/**
 * Cancels the pipelines that a new one with jobs makes needless, where the project wants it: older ones of the same branch or tag for other
 * commits than its own and the last one. Whether theirs may be interrupted is for each of them to judge.
 */
export const cancelRedundant = Effect.fnUntraced(function* ({ at, id, pipeline }: Created) {
  const { isSkipped, isTag, projectId, ref, sha, source, yamlErrors } = pipeline
  if (source === "external" || isSkipped === true || yamlErrors !== undefined) return
  const queries = yield* PipelineQueries
  const filter = { projectId, ref, isTag, before: id, createdAfter: at - maxAgeMillis, except: [sha] }
  // Mostly there are none, and then neither the project nor git is asked.
  if ((yield* queries.redundant(filter)).length === 0) return
  const found = yield* Projects.use((projects) => projects.find(String(projectId), undefined))
  if (found?.project.auto_cancel_pending_pipelines !== "enabled") return
  const head = yield* commitOf(found.project, fullNameOf(pipeline))
  const redundant = yield* queries.redundant({ ...filter, except: [sha, ...(head === undefined ? [] : [head])] })
  yield* Effect.forEach(
    redundant,
    (older) =>
      handle(pipelineAggregate, older, { _tag: "CancelRedundant" }).pipe(
        Effect.catchTag("PipelineMissing", () => Effect.void),
        Effect.orDie
      ),
    { discard: true }
  )
}, spanned("pipelines.cancelRedundant"))
