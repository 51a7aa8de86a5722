import { Effect } from "effect"
import { requireUnmodified } from "../http/answer/conditional.ts"
import { badRequest, notFound } from "../http/answer/errors.ts"
import { noContent } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { lateGuardedRoute } from "../http/Endpoint.ts"
import type { RequestInfo } from "../http/request/RequestInfo.ts"
import { handle, load } from "../platform/Commands.ts"
import { nextIds } from "../platform/Ids.ts"
import { changes } from "../platform/repeats.ts"
import { can, type ReadableProject } from "../projects/Projects.ts"
import { commitOrDefault } from "../repositories/Code.ts"
import { pipelineAggregate } from "./aggregate.ts"
import type { Command, Refusal } from "./commands.ts"
import { cancelPipeline, deletePipeline, readLatestPipeline, readPipeline, renamePipeline, retryPipeline } from "./contract.ts"
import { creationRoutes } from "./creation/handlers.ts"
import { nameFault } from "./creation/nameFault.ts"
import { requireRefRights } from "./creation/refs.ts"
import { failedBuilds } from "./decideJobs.ts"
import { executorRoutes } from "./executors/handlers.ts"
import { jobRoutes } from "./jobs/handlers.ts"
import { listRoute } from "./lists/handlers.ts"
import { maxJobs } from "./PipelineLimits.ts"
import { PipelineQueries } from "./Queries.ts"
import { inProject, requirePipeline, tooManyJobs } from "./requirePipeline.ts"
import { statusRoutes } from "./statuses/handlers.ts"
import { answer, answerAnew } from "./view.ts"
import { deletePipeline as remove } from "./writes.ts"

const read = lateGuardedRoute(
  readPipeline,
  inProject("read_pipelines"),
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    return yield* answer(yield* requirePipeline(guarded, parameters.pipeline_id), guarded, request)
  })
)

const readLatest = lateGuardedRoute(
  readLatestPipeline,
  inProject("read_pipelines"),
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const named = yield* commitOrDefault(guarded.project, parameters.ref)
    if (named === undefined) return yield* notFound
    const { commit: sha, ref } = named
    const row = yield* PipelineQueries.use((pipelines) => pipelines.newest(guarded.project.id, { sha, ref }))
    return row === undefined ? yield* notFound : yield* answer(row, guarded, request)
  })
)

const refused = (refusal: Refusal) => {
  if (refusal._tag === "PipelineMissing") return Effect.fail(notFound)
  return refusal._tag === "TooManyJobs" ? Effect.fail(tooManyJobs(refusal)) : Effect.die(refusal)
}

/** Sends a command and answers with the pipeline as it is then. */
const changed = Effect.fnUntraced(function* (id: number, command: Command, guarded: ReadableProject, request: RequestInfo) {
  const handled = changes(pipelineAggregate, id, handle(pipelineAggregate, id, command))
  yield* awaitReadModels(yield* Effect.catch(handled, refused))
  return yield* answerAnew(guarded, id, request)
})

const rename = lateGuardedRoute(
  renamePipeline,
  inProject("update_pipeline"),
  Effect.fnUntraced(function* ({ guarded, parameters: { name, pipeline_id }, request }) {
    const { id, is_tag, ref } = yield* requirePipeline(guarded, pipeline_id)
    yield* requireRefRights(guarded, { is_tag, ref })
    const fault = nameFault(name)
    if (fault !== undefined) return yield* badRequest(`Failed to update pipeline - Name ${fault}`)
    return yield* changed(id, { _tag: "Rename", name }, guarded, request)
  })
)

const cancel = lateGuardedRoute(
  cancelPipeline,
  inProject("update_pipeline"),
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const pipeline = yield* requirePipeline(guarded, parameters.pipeline_id)
    yield* requireRefRights(guarded, pipeline)
    return yield* changed(pipeline.id, { _tag: "Cancel" }, guarded, request)
  })
)

/** New ids for the jobs that a retry runs again: none where jobs are switched off. */
const newIdsFor = Effect.fnUntraced(function* ({ principal, project }: ReadableProject, pipelineId: number) {
  if (!can("update_jobs", principal, project)) return new Map<number, number>()
  const { state } = yield* load(pipelineAggregate, pipelineId)
  const failed = state._tag === "Present" ? failedBuilds(state.pipeline).map(({ id }) => id) : []
  const ids = failed.length === 0 ? [] : yield* nextIds("job", failed.length)
  return new Map(failed.flatMap((id, index) => (ids[index] === undefined ? [] : [[id, ids[index]] as const])))
})

const retry = lateGuardedRoute(
  retryPipeline,
  inProject("update_pipeline"),
  Effect.fnUntraced(function* ({ caller, guarded, parameters, request }) {
    const pipeline = yield* requirePipeline(guarded, parameters.pipeline_id)
    yield* requireRefRights(guarded, pipeline)
    const newIds = yield* newIdsFor(guarded, pipeline.id)
    return yield* changed(
      pipeline.id,
      { _tag: "RetryFailed", newIds, by: caller.user.id, maxJobs: yield* maxJobs },
      guarded,
      request
    )
  })
)

const removeRoute = lateGuardedRoute(
  deletePipeline,
  inProject("delete_pipeline"),
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const id = parameters.pipeline_id ?? (yield* notFound)
    const unmodified = Effect.flatMap(requirePipeline(guarded, id), ({ updated_at }) => requireUnmodified(updated_at, request))
    yield* changes(pipelineAggregate, id, unmodified)
    yield* awaitReadModels(yield* Effect.catch(remove(id), refused))
    return noContent
  })
)

export const pipelineRoutes = [
  listRoute,
  readLatest,
  read,
  rename,
  cancel,
  retry,
  removeRoute,
  ...creationRoutes,
  ...jobRoutes,
  ...executorRoutes,
  ...statusRoutes
]
