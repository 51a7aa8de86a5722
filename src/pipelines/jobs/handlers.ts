import { Effect } from "effect"
import { badRequest, forbiddenBecause, notFound, type WireError } from "../../http/answer/errors.ts"
import { pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { guardedRoute } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { handle } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { changes } from "../../platform/repeats/repeats.ts"
import type { ReadableProject } from "../../projects/Projects.ts"
import { pipelineAggregate } from "../aggregate.ts"
import type { Command, PlayJob, Refusal } from "../commands.ts"
import type { PipelineEvent } from "../events.ts"
import { maxJobs } from "../PipelineLimits.ts"
import { type JobFilter, PipelineQueries } from "../Queries.ts"
import { inProject, requirePipeline, requireRefRights, tooManyJobs } from "../requirePipeline.ts"
import { isStatus } from "../status.ts"
import {
  cancelJob,
  listPipelineBridges,
  listPipelineJobs,
  listProjectJobs,
  playJob,
  readJob,
  readTestReport,
  readTestReportSummary,
  retryJob
} from "./contract.ts"
import { presentJobs } from "./present.ts"

/** A job of the project: 404 for none. */
export const requireJob = Effect.fnUntraced(function* ({ project }: ReadableProject, id: number | null) {
  const found = id === null ? undefined : yield* PipelineQueries.use((pipelines) => pipelines.findJob(project.id, id))
  return found ?? (yield* notFound)
})

const answer = Effect.fnUntraced(function* (guarded: ReadableProject, id: number, { externalUrl }: RequestInfo) {
  const [shown] = yield* presentJobs(guarded, [yield* requireJob(guarded, id)], externalUrl)
  return shown === undefined ? yield* notFound : ok(shown)
})

type ListParameters = Decoded<(typeof listProjectJobs)["parameters"]>

const listed = Effect.fnUntraced(function* (
  guarded: ReadableProject,
  parameters: ListParameters,
  filter: Pick<JobFilter, "pipelineId" | "withReplaced">,
  { externalUrl }: RequestInfo
) {
  const statuses = parameters.scope ?? []
  const { rows, total } = yield* PipelineQueries.use((pipelines) =>
    pipelines.jobs(
      { projectId: guarded.project.id, ...filter, ...(statuses.length > 0 && { statuses: statuses.filter(isStatus) }) },
      pageOf(parameters)
    )
  )
  return page(yield* presentJobs(guarded, rows, externalUrl), total)
})

const list = guardedRoute(listProjectJobs, inProject("read_pipelines"), ({ guarded, parameters, request }) =>
  listed(guarded, parameters, { withReplaced: true }, request)
)

const listOfPipeline = guardedRoute(
  listPipelineJobs,
  inProject("read_pipelines"),
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const { id: pipelineId } = yield* requirePipeline(guarded, parameters.pipeline_id)
    return yield* listed(guarded, parameters, { pipelineId, withReplaced: parameters.include_retried }, request)
  })
)

const listBridges = guardedRoute(
  listPipelineBridges,
  inProject("read_pipelines"),
  Effect.fnUntraced(function* ({ guarded, parameters }) {
    yield* requirePipeline(guarded, parameters.pipeline_id)
    return page([], 0)
  })
)

const testReport = guardedRoute(
  readTestReport,
  inProject("read_pipelines"),
  Effect.fnUntraced(function* ({ guarded, parameters }) {
    yield* requirePipeline(guarded, parameters.pipeline_id)
    return ok({
      total_time: 0,
      total_count: 0,
      success_count: 0,
      failed_count: 0,
      skipped_count: 0,
      error_count: 0,
      test_suites: []
    })
  })
)

const testReportSummary = guardedRoute(
  readTestReportSummary,
  inProject("read_pipelines"),
  Effect.fnUntraced(function* ({ guarded, parameters }) {
    yield* requirePipeline(guarded, parameters.pipeline_id)
    const total = { time: 0, count: 0, success: 0, failed: 0, skipped: 0, error: 0, suite_error: null } as const
    return ok({ total, test_suites: [] })
  })
)

const read = guardedRoute(
  readJob,
  inProject("read_pipelines"),
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const { id } = yield* requireJob(guarded, parameters.job_id)
    return yield* answer(guarded, id, request)
  })
)

/** The new job that these events are about; the one with this id where there is none. */
const newest = (events: ReadonlyArray<PipelineEvent>, id: number): number =>
  events.flatMap((event) => (event._tag === "JobsAdded" ? event.jobs.map((job) => job.id) : [])).at(0) ?? id

/** Sends a command to the pipeline of a job that the caller may change, and answers with the job, or the new one in its place. */
const changed = Effect.fnUntraced(function* (
  guarded: ReadableProject,
  jobId: number | null,
  commandOf: (ids: Pick<PlayJob, "id" | "maxJobs" | "newId">) => Command,
  { refusal, request }: { readonly request: RequestInfo; readonly refusal: WireError }
) {
  const job = yield* requireJob(guarded, jobId)
  yield* requireRefRights(guarded, { is_tag: job.is_tag, ref: job.ref })
  const newId = yield* nextId("job")
  const sent = handle(pipelineAggregate, job.pipeline_id, commandOf({ id: job.id, newId, maxJobs: yield* maxJobs }))
  const refused = (reason: Refusal) => {
    if (reason._tag === "TooManyJobs") return Effect.fail(tooManyJobs(reason))
    return Effect.fail(reason._tag === "PipelineMissing" ? notFound : refusal)
  }
  const handled = yield* changes(pipelineAggregate, job.pipeline_id, Effect.catch(sent, refused))
  yield* awaitReadModels(handled)
  return yield* answer(guarded, newest(handled.events, job.id), request)
})

const unplayable = badRequest("400 Bad request - Unplayable Job")

const play = guardedRoute(playJob, inProject("update_pipeline"), ({ caller, guarded, parameters, request }) =>
  changed(guarded, parameters.job_id, (ids) => ({ _tag: "PlayJob", ...ids, by: caller.user.id }), {
    request,
    refusal: unplayable
  })
)

const cancel = guardedRoute(cancelJob, inProject("update_pipeline"), ({ guarded, parameters, request }) =>
  changed(guarded, parameters.job_id, ({ id }) => ({ _tag: "CancelJob", id }), { request, refusal: notFound })
)

const notRetryable = forbiddenBecause("Job is not retryable")

const retry = guardedRoute(retryJob, inProject("update_pipeline"), ({ caller, guarded, parameters, request }) =>
  changed(
    guarded,
    parameters.job_id,
    ({ id, maxJobs, newId }) => ({ _tag: "RetryJob", newIds: new Map([[id, newId]]), by: caller.user.id, maxJobs }),
    { request, refusal: notRetryable }
  )
)

export const jobRoutes = [list, listOfPipeline, listBridges, testReport, testReportSummary, read, play, cancel, retry]
