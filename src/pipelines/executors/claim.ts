import { Effect, Random } from "effect"
import { type Handled, handle, load } from "../../platform/Commands.ts"
import { outsideRun } from "../../platform/repeats.ts"
import { pipelineAggregate } from "../aggregate.ts"
import { type PendingJob, PipelineQueries } from "../Queries.ts"
import { type Build, jobOf, type Pipeline } from "../state.ts"
import { dropAbandoned } from "../upkeep/dropJobs.ts"
import { Leases } from "./Leases.ts"

export interface Executor {
  readonly projectId: number
  readonly name: string
  /** What it offers. */
  readonly tags: ReadonlyArray<string>
  /** The user with whose token it came. */
  readonly by: number
}

/** A run that is under way. */
export interface Running {
  readonly claim: number
  readonly pipelineId: number
  readonly pipeline: Pipeline
  readonly build: Build
}

/** A run that somebody got, with where the log tells of it. */
export interface Taken extends Running, Pick<Handled<unknown, unknown>, "position" | "stream"> {}

/** Where others take the oldest jobs, one of so many is tried, so that they do not all try the same one. */
const maxCandidates = 64

/** The run of this number, if the log has it. */
const running = Effect.fnUntraced(function* (pipelineId: number, jobId: number, claim: number) {
  const { position, state } = yield* load(pipelineAggregate, pipelineId)
  const build = state._tag === "Present" ? jobOf(state.pipeline, jobId) : undefined
  if (state._tag !== "Present" || build?._tag !== "Build" || build.claim !== claim) return undefined
  const found: Taken = {
    claim,
    pipelineId,
    pipeline: state.pipeline,
    build,
    stream: pipelineAggregate.stream(pipelineId),
    position
  }
  return found
})

/** Undefined where the job does not wait any more. The lease comes first, so that no run is without one. */
const take = Effect.fnUntraced(function* ({ id: jobId, pipeline_id: pipelineId }: PendingJob, claim: number, executor: Executor) {
  const command = { _tag: "ClaimJob", id: jobId, claim, executor: executor.name, by: executor.by } as const
  const taken = yield* Effect.result(outsideRun(handle(pipelineAggregate, pipelineId, command)))
  if (taken._tag === "Success") return yield* running(pipelineId, jobId, claim)
  yield* Leases.use((leases) => leases.end(claim))
  return undefined
})

/** The run that a request got when it was made first. A lease of a job that it did not get then is given up. */
const earlierRun = Effect.fnUntraced(function* (claim: number) {
  const leases = yield* Leases
  const lease = yield* leases.find(claim)
  const run = lease && (yield* running(lease.pipelineId, lease.jobId, claim))
  if (lease !== undefined && run === undefined) yield* leases.end(claim)
  return run
})

/**
 * Gives the oldest job that waits to an executor, or one of the oldest where others ask too; undefined where none waits. Each turn gets a
 * job or leaves one out that somebody else got, so turns come to an end. `claim` is the number of the run: a repeated request gets the job that
 * it got first, unless that run is over.
 */
export const claimNext = Effect.fn("pipelines.claimNext")(function* (executor: Executor, claim: number) {
  const earlier = yield* earlierRun(claim)
  if (earlier !== undefined) return earlier
  const [leases, queries] = [yield* Leases, yield* PipelineQueries]
  const gone: Array<number> = []
  let others = false
  for (;;) {
    const waiting: ReadonlyArray<PendingJob> = yield* queries.pending({
      ...executor,
      except: gone,
      limit: others ? maxCandidates : 1
    })
    const job: PendingJob | undefined = waiting[others ? yield* Random.nextIntBetween(0, Math.max(0, waiting.length - 1)) : 0]
    if (job === undefined) return yield* dropAbandoned(executor.projectId)
    others = !(yield* leases.begin({ jobId: job.id, pipelineId: job.pipeline_id, claim }))
    const taken = others ? undefined : yield* take(job, claim, executor)
    if (taken !== undefined) return taken
    // Read models may show it as waiting for a while. One that others have a lease of is not found again.
    if (!others) gone.push(job.id)
  }
})
