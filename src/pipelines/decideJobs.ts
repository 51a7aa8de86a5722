import { HashMap, Result } from "effect"
import { defined } from "../kernel/defined.ts"
import {
  type ClaimJob,
  ClaimLost,
  type Decision,
  type DropJobs,
  type EndJob,
  JobMissing,
  JobNotFit,
  type PlayJob,
  type Retry,
  TooManyJobs
} from "./commands.ts"
import { type NewJob, PipelineEvent } from "./events.ts"
import { settled } from "./processing.ts"
import { type Build, jobCount, jobOf, latestBuilds, latestJob, type Pipeline, type State } from "./state.ts"
import { isOpen, isRetryable, type Status } from "./status.ts"

type Present = Extract<State, { readonly _tag: "Present" }>

const { cases } = PipelineEvent

/** A job that no later one has replaced. */
const requireBuild = ({ pipeline }: Present, id: number): Result.Result<Build, JobMissing> => {
  const job = latestJob(pipeline, id)
  return job?._tag === "Build" ? Result.succeed(job) : Result.fail(new JobMissing())
}

const unfit = ({ status }: Build) => Result.fail(new JobNotFit({ status }))

/** Encoding checks the event, which takes as long as all else where jobs need many others: it is not checked here too. */
export const jobsAdded = (
  { isTag, projectId, ref, sha }: Pipeline["origin"],
  by: number,
  jobs: ReadonlyArray<NewJob>,
  replaces: ReadonlyArray<number> = []
): PipelineEvent => ({ _tag: "JobsAdded", projectId, sha, ref, isTag, by, jobs, replaces })

/** Jobs in the place of those that have ended. */
const again = ({ origin }: Pipeline, ended: ReadonlyArray<readonly [Build, number]>, by: number): PipelineEvent =>
  jobsAdded(
    origin,
    by,
    ended.map(([{ plan }, id]) => ({ ...plan, id })),
    ended.map(([{ id }]) => id)
  )

/** What was skipped because of a job may come about after all: what is in later stages, or needs it. */
const awakened = (pipeline: Pipeline, { name, plan: { stageIndex } }: Build): ReadonlyArray<PipelineEvent> =>
  latestBuilds(pipeline)
    .filter(({ plan, status }) => status === "skipped" && (plan.stageIndex > stageIndex || plan.needs?.includes(name) === true))
    .map(({ id }) => cases.JobMoved.make({ id, status: "created" }))

/** Refuses more jobs than the pipeline may have. */
const requireCapacity = (pipeline: Pipeline, added: number, maxJobs: number): Result.Result<void, TooManyJobs> =>
  jobCount(pipeline) + added > maxJobs ? Result.fail(new TooManyJobs({ maxJobs })) : Result.void

const retryOne = (
  state: Present,
  job: Build,
  newId: number,
  { by, maxJobs, variables }: Pick<PlayJob, "by" | "maxJobs" | "variables">
): Decision => {
  const { pipeline } = state
  const room = requireCapacity(pipeline, 1, maxJobs)
  if (Result.isFailure(room)) return Result.fail(room.failure)
  const begun =
    job.plan.when === "manual" ? [cases.JobMoved.make({ id: newId, status: "pending", ...defined({ variables }) })] : []
  return Result.succeed(settled(state, [again(pipeline, [[job, newId]], by), ...begun, ...awakened(pipeline, job)]))
}

export const playJob = (state: Present, { by, id, maxJobs, newId, variables }: PlayJob): Decision =>
  Result.flatMap(requireBuild(state, id), (job): Decision => {
    if (job.status === "manual") {
      return Result.succeed(
        settled(state, [
          cases.JobMoved.make({ id, status: "pending", by, ...defined({ variables }) }),
          ...awakened(state.pipeline, job)
        ])
      )
    }
    return job.plan.when === "manual" && isRetryable(job.status)
      ? retryOne(state, job, newId, { by, maxJobs, ...defined({ variables }) })
      : unfit(job)
  })

export const retryJob = (state: Present, { by, maxJobs, newIds }: Retry): Decision => {
  const [[id, newId] = [0, 0]] = newIds
  return Result.flatMap(requireBuild(state, id), (job) =>
    isRetryable(job.status) ? retryOne(state, job, newId, { by, maxJobs }) : unfit(job)
  )
}

const failedStatuses: ReadonlyArray<Status> = ["failed", "canceled"]

/** The jobs of a pipeline that a retry of the whole runs again. */
export const failedBuilds = (pipeline: Pipeline): ReadonlyArray<Build> =>
  latestBuilds(pipeline).filter(({ status }) => failedStatuses.includes(status))

export const retryFailed = (state: Present, { by, maxJobs, newIds }: Retry): Decision => {
  const { pipeline } = state
  const ended = failedBuilds(pipeline).flatMap((job) => {
    const newId = newIds.get(job.id)
    return newId === undefined ? [] : [[job, newId] as const]
  })
  const skipped = latestBuilds(pipeline).filter(({ status }) => status === "skipped")
  if (ended.length + skipped.length === 0) return Result.succeed([])
  const room = requireCapacity(pipeline, ended.length, maxJobs)
  if (Result.isFailure(room)) return Result.fail(room.failure)
  const added = ended.length === 0 ? [] : [again(pipeline, ended, by)]
  return Result.succeed(settled(state, [...added, ...skipped.map(({ id }) => cases.JobMoved.make({ id, status: "created" }))]))
}

export const claimJob = (state: Present, { _tag, ...claim }: ClaimJob): Decision =>
  Result.flatMap(requireBuild(state, claim.id), (job) =>
    job.status === "pending" ? Result.succeed(settled(state, [cases.JobClaimed.make(claim)])) : unfit(job)
  )

/** A run that is over is left alone. */
export const returnJob = (state: Present, id: number, claim: number): Decision => {
  const job = jobOf(state.pipeline, id)
  if (job?._tag !== "Build" || job.claim !== claim) return Result.succeed([])
  return Result.succeed(settled(state, [cases.JobReturned.make({ id, claim })]))
}

/** How often a job of this name has run. */
const runsOf = ({ replaced }: Pipeline, name: string): number =>
  Array.from(HashMap.values(replaced)).filter((job) => job._tag === "Build" && job.name === name).length + 1

/** Whether a job is run again that failed in this way. */
const countsFor = (
  { retry: { exitCodes, when } }: NewJob,
  { exitCode, failureReason }: Pick<EndJob, "exitCode" | "failureReason">
) =>
  when.some((reason) => reason === "always" || reason === failureReason) ||
  (exitCode !== undefined && exitCodes.includes(exitCode))

/** Whether the others go on although a job failed with this code; undefined where its configuration names no codes. */
const allowsFailure = ({ plan: { allowFailureExitCodes: codes } }: Build, exitCode: number | undefined) =>
  codes === undefined ? undefined : exitCode !== undefined && codes.includes(exitCode)

export const endJob = (state: Present, { _tag, claim, newId, ...end }: EndJob): Decision => {
  const job = jobOf(state.pipeline, end.id)
  if (job?._tag !== "Build") return Result.fail(new JobMissing())
  if (job.claim !== claim) return Result.fail(new ClaimLost({ status: job.status }))
  const hasFailed = end.status === "failed"
  const ended = cases.JobEnded.make({
    ...end,
    ...defined({ allowFailure: hasFailed ? allowsFailure(job, end.exitCode) : undefined })
  })
  const isRunAgain = hasFailed && countsFor(job.plan, end) && runsOf(state.pipeline, job.name) <= job.plan.retry.max
  const next = isRunAgain
    ? [again(state.pipeline, [[job, newId]], job.by), cases.JobMoved.make({ id: newId, status: "pending" })]
    : []
  return Result.succeed(settled(state, [ended, ...next]))
}

export const cancelJob = (state: Present, id: number): Decision =>
  Result.map(requireBuild(state, id), (job) =>
    isOpen(job.status) ? settled(state, [cases.JobMoved.make({ id, status: "canceled" })]) : []
  )

/** What cancels all jobs that are under way. */
export const cancelBuilds = (pipeline: Pipeline): ReadonlyArray<PipelineEvent> =>
  latestBuilds(pipeline)
    .filter(({ status }) => isOpen(status))
    .map(({ id }) => cases.JobMoved.make({ id, status: "canceled" }))

/** None of them is run again by itself. */
export const dropJobs = (state: Present, { by, failureReason }: DropJobs): Decision => {
  const open = latestBuilds(state.pipeline).filter((job) => job.by === by && isOpen(job.status))
  return Result.succeed(
    settled(
      state,
      open.map(({ id }) => cases.JobEnded.make({ id, status: "failed", failureReason }))
    )
  )
}

const startedStatuses: ReadonlyArray<Status> = ["running", "success", "failed"]

/** Whether a job has begun that must not be interrupted, also one that was replaced. */
export const isUninterruptible = ({ builds, replaced }: Pipeline): boolean =>
  [...HashMap.values(builds), ...HashMap.values(replaced)].some(
    (job) => job._tag === "Build" && !job.plan.interruptible && startedStatuses.includes(job.status)
  )
