import { Effect } from "effect"
import { badRequest, forbidden, forbiddenBecause, invalidRecord, notFound, type WireError } from "../../http/answer/errors.ts"
import { keysetUnavailable, pageOf } from "../../http/answer/pagination.ts"
import { ok, page } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { lateGuardedRoute } from "../../http/Endpoint.ts"
import type { Decoded } from "../../http/parameters/parameters.ts"
import type { RawParameters } from "../../http/parameters/rawParameters.ts"
import type { RequestInfo } from "../../http/request/RequestInfo.ts"
import { defined } from "../../kernel/defined.ts"
import { handle, load, requireAcceptable } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { changes } from "../../platform/repeats.ts"
import { mayGiveVariables, type ReadableProject } from "../../projects/Projects.ts"
import { pipelineAggregate } from "../aggregate.ts"
import type { Command, PlayJob, Refusal } from "../commands.ts"
import { requireRefRights } from "../creation/refs.ts"
import { variableFaults } from "../creation/variableFaults.ts"
import type { PipelineEvent } from "../events.ts"
import { maxJobs } from "../PipelineLimits.ts"
import { type JobFilter, PipelineQueries } from "../Queries.ts"
import { inProject, requirePipeline, tooManyJobs } from "../requirePipeline.ts"
import { isStatus } from "../status.ts"
import { type PipelineVariable, sealVariables } from "../variables.ts"
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

/** The statuses of which listed jobs are; none for any. */
const statusesOf = ({ scope }: Pick<Decoded<(typeof listProjectJobs)["parameters"]>, "scope">): Pick<JobFilter, "statuses"> => {
  const statuses = (scope ?? []).filter(isStatus)
  return statuses.length > 0 ? { statuses } : {}
}

const listed = Effect.fnUntraced(function* (
  guarded: ReadableProject,
  filter: Omit<JobFilter, "projectId">,
  parameters: RawParameters,
  { externalUrl }: RequestInfo
) {
  const { rows, extent } = yield* PipelineQueries.use((pipelines) =>
    pipelines.jobs({ projectId: guarded.project.id, ...filter }, pageOf(parameters))
  )
  return page(yield* presentJobs(guarded, rows, externalUrl), extent)
})

/** A page from an id on: one job more is read, to know whether there is another page. */
const listedAfter = Effect.fnUntraced(function* (
  guarded: ReadableProject,
  filter: Omit<JobFilter, "projectId">,
  parameters: Decoded<(typeof listProjectJobs)["parameters"]>,
  { externalUrl }: RequestInfo
) {
  if ((parameters.order_by || "id") !== "id") return yield* keysetUnavailable
  const { limit } = pageOf(parameters)
  const descending = parameters.sort !== "asc"
  const after = (descending ? parameters.id_before : parameters.id_after) ?? undefined
  const rows = yield* PipelineQueries.use(({ jobsAfter }) =>
    jobsAfter({ projectId: guarded.project.id, ...filter }, { descending, limit: limit + 1, ...defined({ after }) })
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)?.id
  const body = yield* presentJobs(guarded, shown, externalUrl)
  if (rows.length <= limit || last === undefined) return { body }
  return { body, next: descending ? { id_before: last } : { id_after: last } }
})

const list = lateGuardedRoute(
  listProjectJobs,
  inProject("read_jobs"),
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const filter = { ...statusesOf(parameters), withReplaced: true }
    if (parameters.pagination === "keyset") return yield* listedAfter(guarded, filter, parameters, request)
    return yield* listed(guarded, filter, parameters, request)
  })
)

const listOfPipeline = lateGuardedRoute(
  listPipelineJobs,
  inProject("read_jobs"),
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const { id: pipelineId } = yield* requirePipeline(guarded, parameters.pipeline_id)
    const filter = { ...statusesOf(parameters), pipelineId, withReplaced: parameters.include_retried }
    return yield* listed(guarded, filter, parameters, request)
  })
)

const listBridges = lateGuardedRoute(
  listPipelineBridges,
  inProject("read_jobs"),
  Effect.fnUntraced(function* ({ guarded, parameters }) {
    yield* requirePipeline(guarded, parameters.pipeline_id)
    return page([], 0)
  })
)

const testReport = lateGuardedRoute(
  readTestReport,
  inProject("read_jobs"),
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

const testReportSummary = lateGuardedRoute(
  readTestReportSummary,
  inProject("read_jobs"),
  Effect.fnUntraced(function* ({ guarded, parameters }) {
    yield* requirePipeline(guarded, parameters.pipeline_id)
    const total = { time: 0, count: 0, success: 0, failed: 0, skipped: 0, error: 0, suite_error: null } as const
    return ok({ total, test_suites: [] })
  })
)

const read = lateGuardedRoute(
  readJob,
  inProject("read_jobs"),
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const { id } = yield* requireJob(guarded, parameters.job_id)
    return yield* answer(guarded, id, request)
  })
)

/** The new job that these events are about; the one with this id where there is none. */
const newest = (events: ReadonlyArray<PipelineEvent>, id: number): number =>
  events.flatMap((event) => (event._tag === "JobsAdded" ? event.jobs.map((job) => job.id) : [])).at(0) ?? id

interface JobIds extends Pick<PlayJob, "id" | "maxJobs" | "newId"> {
  readonly pipelineId: number
}

interface Change<R> {
  readonly request: RequestInfo
  /** What the caller is told where the job does not allow it. */
  readonly refusal: WireError
  readonly commandOf: (ids: JobIds) => Effect.Effect<Command, Refusal | WireError, R>
}

/** Sends a command to the pipeline of a job that the caller may change, and answers with the job, or the new one in its place. */
const changed = Effect.fnUntraced(function* <R>(guarded: ReadableProject, jobId: number | null, change: Change<R>) {
  const { commandOf, refusal, request } = change
  const job = yield* requireJob(guarded, jobId)
  yield* requireRefRights(guarded, { is_tag: job.is_tag, ref: job.ref })
  const [pipelineId, newId] = [job.pipeline_id, yield* nextId("job")]
  const command = commandOf({ id: job.id, newId, pipelineId, maxJobs: yield* maxJobs })
  const sent = Effect.flatMap(command, (made) => handle(pipelineAggregate, pipelineId, made))
  const refused = (reason: Refusal | WireError) => {
    if (reason._tag === "WireError") return Effect.fail(reason)
    if (reason._tag === "TooManyJobs") return Effect.fail(tooManyJobs(reason))
    return Effect.fail(reason._tag === "PipelineMissing" ? notFound : refusal)
  }
  const handled = yield* changes(pipelineAggregate, pipelineId, Effect.catch(sent, refused))
  yield* awaitReadModels(handled)
  return yield* answer(guarded, newest(handled.events, job.id), request)
})

const unplayable = badRequest("400 Bad request - Unplayable Job")

const attribute = "job_variables"

type SentVariables = NonNullable<Decoded<(typeof playJob)["parameters"]>["job_variables_attributes"]>

/** The variables with which a job is started, sealed. */
const sealedVariables = Effect.fnUntraced(function* ({ principal, project }: ReadableProject, sent: SentVariables) {
  if (!mayGiveVariables(principal, project)) return yield* forbidden
  const faults = variableFaults(sent, attribute)
  if (faults !== undefined) return yield* invalidRecord(faults)
  const variables = sent.map(
    ({ key, value }): PipelineVariable => ({ key: key ?? "", value: value ?? "", variableType: "env_var", raw: false })
  )
  return yield* sealVariables(project.id, variables)
})

/** Whether the job may be started is judged before its variables, as in the reference. */
const play = lateGuardedRoute(playJob, inProject("update_jobs"), ({ caller, guarded, parameters, request }) =>
  changed(guarded, parameters.job_id, {
    request,
    refusal: unplayable,
    commandOf: Effect.fnUntraced(function* ({ pipelineId, ...ids }) {
      const command = { _tag: "PlayJob", ...ids, by: caller.user.id } as const
      const sent = parameters.job_variables_attributes ?? []
      if (sent.length === 0) return command
      yield* requireAcceptable(pipelineAggregate, (yield* load(pipelineAggregate, pipelineId)).state, command)
      return { ...command, ...defined({ variables: yield* sealedVariables(guarded, sent) }) }
    })
  })
)

const cancel = lateGuardedRoute(cancelJob, inProject("update_jobs"), ({ guarded, parameters, request }) =>
  changed(guarded, parameters.job_id, {
    request,
    refusal: notFound,
    commandOf: ({ id }) => Effect.succeed({ _tag: "CancelJob", id })
  })
)

const notRetryable = forbiddenBecause("Job is not retryable")

const retry = lateGuardedRoute(retryJob, inProject("update_jobs"), ({ caller, guarded, parameters, request }) =>
  changed(guarded, parameters.job_id, {
    request,
    refusal: notRetryable,
    commandOf: ({ id, maxJobs, newId }) =>
      Effect.succeed({ _tag: "RetryJob", newIds: new Map([[id, newId]]), by: caller.user.id, maxJobs })
  })
)

export const jobRoutes = [list, listOfPipeline, listBridges, testReport, testReportSummary, read, play, cancel, retry]
