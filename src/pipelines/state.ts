import { HashMap, Option } from "effect"
import { type NewJob, type NewPipeline, PipelineEvent, type StatusDetails } from "./events.ts"
import type { Status } from "./status.ts"

interface AnyJob {
  readonly id: number
  readonly name: string
  readonly status: Status
  /** Whether a later one has taken its place. */
  readonly isReplaced: boolean
}

/** A status that a service outside has set. */
export interface ExternalStatus extends AnyJob {
  readonly _tag: "External"
  readonly ref: string
  readonly postedBy: number
  readonly details: StatusDetails
}

/** A job of the configuration, which executors run. */
export interface Build extends AnyJob {
  readonly _tag: "Build"
  readonly plan: NewJob
  readonly allowFailure: boolean
  /** The user as whom it runs. */
  readonly by: number
  /** The run that is under way. */
  readonly claim: number | undefined
}

export type Job = ExternalStatus | Build

export interface Pipeline {
  readonly origin: NewPipeline
  readonly name: string | null
  readonly status: Status
  readonly hasStarted: boolean
  /** By id. */
  readonly jobs: HashMap.HashMap<number, Job>
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly pipeline: Pipeline }
  | { readonly _tag: "Deleted" }

export const initial: State = { _tag: "Absent" }

export const jobOf = ({ jobs }: Pipeline, id: number): Job | undefined => Option.getOrUndefined(HashMap.get(jobs, id))

/** Those whose place no other one has taken, by id. */
export const latest = ({ jobs }: Pipeline): ReadonlyArray<Job> =>
  Array.from(HashMap.values(jobs))
    .filter(({ isReplaced }) => !isReplaced)
    .sort((a, b) => a.id - b.id)

const present = (pipeline: Pipeline): State => ({ _tag: "Present", pipeline })

const withJobs = (pipeline: Pipeline, jobs: ReadonlyArray<Job>): State =>
  present({
    ...pipeline,
    jobs: HashMap.setMany(
      pipeline.jobs,
      jobs.map((job) => [job.id, job] as const)
    )
  })

const replaced = (pipeline: Pipeline, ids: ReadonlyArray<number>): ReadonlyArray<Job> =>
  ids.flatMap((id) => jobOf(pipeline, id) ?? []).map((job) => ({ ...job, isReplaced: true }))

/** The job of this kind changed; nothing happens where there is none. */
const changed = <Tag extends Job["_tag"]>(
  state: State,
  { _tag, id }: { readonly _tag: Tag; readonly id: number },
  change: (job: Extract<Job, { readonly _tag: Tag }>) => Job
): State => {
  if (state._tag !== "Present") return state
  const job = jobOf(state.pipeline, id)
  return job !== undefined && isOf(_tag, job) ? withJobs(state.pipeline, [change(job)]) : state
}

const isOf = <Tag extends Job["_tag"]>(tag: Tag, job: Job): job is Extract<Job, { readonly _tag: Tag }> => job._tag === tag

const began = (state: State, event: Extract<PipelineEvent, { readonly _tag: "PipelineCreated" }>): State => {
  const { _tag, ...origin } = event
  if (state._tag !== "Absent") return state
  return present({ origin, name: origin.name ?? null, status: "created", hasStarted: false, jobs: HashMap.empty() })
}

/** Events of a pipeline that is not there change nothing, and a deleted one stays deleted. */
export const evolve = (state: State, event: PipelineEvent): State => {
  if (event._tag === "PipelineCreated") return began(state, event)
  if (state._tag !== "Present") return state
  const { pipeline } = state
  return PipelineEvent.match(event, {
    PipelineCreated: (): State => state,
    StatusPosted: ({ _tag, projectId, replaces, sha, ...posted }) =>
      withJobs(pipeline, [...replaced(pipeline, replaces), { _tag: "External", ...posted, isReplaced: false }]),
    StatusChanged: ({ details, id, status }) =>
      changed(state, { _tag: "External", id }, (job) => ({ ...job, status, details: { ...job.details, ...details } })),
    JobsAdded: ({ by, jobs, replaces }) =>
      withJobs(pipeline, [...replaced(pipeline, replaces), ...jobs.map((plan) => newBuild(plan, by))]),
    JobMoved: ({ by, id, status }) =>
      changed(state, { _tag: "Build", id }, (job) => ({ ...job, status, by: by ?? job.by, claim: undefined })),
    JobClaimed: ({ claim, id }) => changed(state, { _tag: "Build", id }, (job) => ({ ...job, status: "running", claim })),
    JobReturned: ({ id }) => changed(state, { _tag: "Build", id }, (job) => ({ ...job, status: "pending", claim: undefined })),
    JobEnded: ({ allowFailure, id, status }) =>
      changed(state, { _tag: "Build", id }, (job) => ({
        ...job,
        status,
        allowFailure: allowFailure ?? job.allowFailure,
        claim: undefined
      })),
    PipelineMoved: ({ isStart, status }) => present({ ...pipeline, status, hasStarted: pipeline.hasStarted || isStart }),
    PipelineRenamed: ({ name }) => present({ ...pipeline, name }),
    PipelineDeleted: (): State => ({ _tag: "Deleted" })
  })
}

const newBuild = (plan: NewJob, by: number): Build => ({
  _tag: "Build",
  id: plan.id,
  name: plan.name,
  status: "created",
  isReplaced: false,
  plan,
  allowFailure: plan.allowFailure,
  by,
  claim: undefined
})
