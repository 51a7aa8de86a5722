import { Effect } from "effect"
import { conflict, invalidRecord, notFound } from "../../http/answer/errors.ts"
import { isoMillis } from "../../http/answer/jsonTimes.ts"
import { ok } from "../../http/answer/Reply.ts"
import { awaitReadModels } from "../../http/awaitReadModels.ts"
import { lateGuardedRoute } from "../../http/Endpoint.ts"
import { isLongerThan } from "../../kernel/characters.ts"
import { defined } from "../../kernel/defined.ts"
import { handle, load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { changes } from "../../platform/repeats.ts"
import { pipelineAggregate } from "../aggregate.ts"
import type { Refusal } from "../commands.ts"
import { requireJob } from "../jobs/handlers.ts"
import { presentJobs } from "../jobs/present.ts"
import { inProject } from "../requirePipeline.ts"
import { jobOf } from "../state.ts"
import { claimNext, type Taken } from "./claim.ts"
import { claimJob, finishJob, renewLease } from "./contract.ts"
import { Leases, type Run } from "./Leases.ts"
import { presentClaimed } from "./present.ts"

const maxNameLength = 255
const nameTooLong = invalidRecord({ executor: [`is too long (maximum is ${maxNameLength} characters)`] })

const runIsOver = (status: string) => conflict(`409 Conflict: the run is over, the job is ${status}`)

/** Refuses a run that is over. */
const requireRun = Effect.fnUntraced(function* ({ claim, jobId, pipelineId }: Run) {
  const { state } = yield* load(pipelineAggregate, pipelineId)
  const job = state._tag === "Present" ? jobOf(state.pipeline, jobId) : undefined
  if (job?._tag !== "Build") return yield* notFound
  if (job.claim !== claim) return yield* runIsOver(job.status)
})

/** When the lease of a run ends now. A run that is over by then has none. */
const renewed = Effect.fnUntraced(function* (run: Run) {
  const leases = yield* Leases
  yield* requireRun(run)
  const until = yield* leases.renew(run)
  // It may have gone back meanwhile, with its lease: a new one would keep others from the job.
  yield* Effect.tapError(requireRun(run), () => leases.end(run.claim))
  return until ?? (yield* runIsOver("pending"))
})

const claim = lateGuardedRoute(
  claimJob,
  inProject("run_jobs"),
  Effect.fnUntraced(function* ({ caller, guarded, parameters: { executor, tags }, request: { externalUrl: serverUrl } }) {
    if (isLongerThan(executor, maxNameLength)) return yield* nameTooLong
    const number = yield* nextId("job_claim")
    const offer = { projectId: guarded.project.id, name: executor, tags: tags ?? [], by: caller.user.id }
    const show = Effect.fnUntraced(function* (taken: Taken, run: Run) {
      yield* awaitReadModels(taken)
      const row = yield* requireJob(guarded, run.jobId)
      const shown = yield* presentClaimed(guarded, taken, { row, until: yield* renewed(run), serverUrl })
      return shown ?? (yield* notFound)
    })
    for (;;) {
      const taken = yield* claimNext(offer, number)
      if (taken === undefined) return { status: 204, body: undefined } as const
      const run = { jobId: taken.build.id, pipelineId: taken.pipelineId, claim: number }
      const isOver = Effect.match(requireRun(run), { onSuccess: () => false, onFailure: () => true })
      // A job that was canceled or deleted meanwhile is no reason to go without one.
      const shown = yield* Effect.catch(show(taken, run), (error) =>
        Effect.flatMap(isOver, (over) => (over ? Effect.undefined : Effect.fail(error)))
      )
      if (shown !== undefined) return { body: shown, secretOf: `job ${run.jobId}` }
    }
  })
)

const renew = lateGuardedRoute(
  renewLease,
  inProject("run_jobs"),
  Effect.fnUntraced(function* ({ guarded, parameters }) {
    const { id: jobId, pipeline_id: pipelineId } = yield* requireJob(guarded, parameters.job_id)
    const until = yield* renewed({ jobId, pipelineId, claim: parameters.claim })
    return ok({ status: "running", lease_expires_at: isoMillis(until) })
  })
)

const refused = (refusal: Refusal) => {
  switch (refusal._tag) {
    case "ClaimLost":
      return Effect.fail(runIsOver(refusal.status))
    case "JobMissing":
    case "PipelineMissing":
      return Effect.fail(notFound)
    default:
      return Effect.die(refusal)
  }
}

const finish = lateGuardedRoute(
  finishJob,
  inProject("run_jobs"),
  Effect.fnUntraced(function* ({ guarded, parameters, request }) {
    const { id, pipeline_id: pipelineId } = yield* requireJob(guarded, parameters.job_id)
    const { status } = parameters
    const newId = yield* nextId("job")
    const end = {
      _tag: "EndJob",
      id,
      claim: parameters.claim,
      status,
      newId,
      ...defined({
        coverage: parameters.coverage ?? undefined,
        exitCode: parameters.exit_code ?? undefined,
        failureReason: status === "failed" ? (parameters.failure_reason ?? "script_failure") : undefined
      })
    } as const
    const sent = Effect.catch(handle(pipelineAggregate, pipelineId, end), refused)
    const handled = yield* changes(pipelineAggregate, pipelineId, sent)
    yield* Leases.use((leases) => leases.end(parameters.claim))
    yield* awaitReadModels(handled)
    const [shown] = yield* presentJobs(guarded, [yield* requireJob(guarded, id)], request.externalUrl)
    return shown === undefined ? yield* notFound : ok(shown)
  })
)

export const executorRoutes = [claim, renew, finish]
