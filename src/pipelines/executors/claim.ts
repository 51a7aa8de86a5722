import { Effect } from "effect"
import { handle, load } from "../../platform/Commands.ts"
import { nextId } from "../../platform/Ids.ts"
import { outsideRun } from "../../platform/repeats/CurrentRun.ts"
import { pipelineAggregate } from "../aggregate.ts"
import { type PendingJob, PipelineQueries } from "../Queries.ts"
import { type Build, jobOf, type Pipeline } from "../state.ts"
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

/** How many jobs are tried at a time, where other executors take them first. */
const maxTried = 20

/** The run of this number, if the log has it. */
const running = Effect.fnUntraced(function* (pipelineId: number, jobId: number, claim: number) {
  const { position, state } = yield* load(pipelineAggregate, pipelineId)
  const build = state._tag === "Present" ? jobOf(state.pipeline, jobId) : undefined
  if (state._tag !== "Present" || build?._tag !== "Build" || build.claim !== claim) return undefined
  const found: Running = { claim, pipelineId, pipeline: state.pipeline, build }
  return { ...found, stream: pipelineAggregate.stream(pipelineId), position }
})

/** Undefined where somebody was faster. The lease comes first, so that no run is without one. */
const take = Effect.fnUntraced(function* ({ id: jobId, pipeline_id: pipelineId }: PendingJob, claim: number, executor: Executor) {
  const leases = yield* Leases
  yield* leases.renew({ jobId, pipelineId, claim })
  const command = { _tag: "ClaimJob", id: jobId, claim, executor: executor.name, by: executor.by } as const
  const taken = yield* Effect.result(outsideRun(handle(pipelineAggregate, pipelineId, command)))
  if (taken._tag === "Success") return yield* running(pipelineId, jobId, claim)
  yield* leases.end(claim)
  return undefined
})

/** Gives the oldest job that waits to an executor; undefined where none does. A repeated request gets the job that it got first. */
export const claimNext = Effect.fn("pipelines.claimNext")(function* (executor: Executor) {
  const claim = yield* nextId("job_claim")
  const earlier = yield* Leases.use((leases) => leases.find(claim))
  const taken = earlier && (yield* running(earlier.pipelineId, earlier.jobId, claim))
  if (taken !== undefined) return taken
  const pending = yield* PipelineQueries.use((pipelines) => pipelines.pending(executor.projectId, executor.tags, maxTried))
  for (const job of pending) {
    const now = yield* take(job, claim, executor)
    if (now !== undefined) return now
  }
  return undefined
})
