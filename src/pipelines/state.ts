import { HashMap, Option } from "effect"
import { type NewJob, type NewPipeline, PipelineEvent, type StatusDetails } from "./events.ts"
import type { Status, StatusPart } from "./status.ts"

interface AnyJob {
  readonly id: number
  readonly name: string
  readonly status: Status
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

/** How many jobs count alike for the status of their pipeline. */
interface Tally extends StatusPart {
  readonly count: number
}

/** What is asked of many jobs at each change is counted, so that a change costs the same however many there are. */
export interface Pipeline {
  readonly origin: NewPipeline
  readonly name: string | null
  readonly status: Status
  readonly hasStarted: boolean
  /** The builds whose place no other one has taken, by id. */
  readonly builds: HashMap.HashMap<number, Build>
  /** The statuses whose place no other one has taken, by id. */
  readonly statuses: HashMap.HashMap<number, ExternalStatus>
  /** Those whose place another one has taken, by id. */
  readonly replaced: HashMap.HashMap<number, Job>
  /** The ids of builds and statuses by name. */
  readonly ids: HashMap.HashMap<string, number>
  /** Builds and statuses, counted. */
  readonly tallies: ReadonlyMap<string, Tally>
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly pipeline: Pipeline }
  | { readonly _tag: "Deleted" }

export const initial: State = { _tag: "Absent" }

/** Nothing goes on when a status of outside fails. */
export const partOf = (job: Job): StatusPart => ({
  status: job.status,
  allowFailure: job._tag === "Build" && job.allowFailure
})

/** A job whose place no other one has taken. */
export const latestJob = ({ builds, statuses }: Pipeline, id: number): Job | undefined =>
  Option.getOrUndefined(HashMap.get(builds, id)) ?? Option.getOrUndefined(HashMap.get(statuses, id))

export const jobOf = (pipeline: Pipeline, id: number): Job | undefined =>
  latestJob(pipeline, id) ?? Option.getOrUndefined(HashMap.get(pipeline.replaced, id))

/** The job of this name whose place no other one has taken. */
export const jobNamed = (pipeline: Pipeline, name: string): Job | undefined => {
  const id = Option.getOrUndefined(HashMap.get(pipeline.ids, name))
  return id === undefined ? undefined : latestJob(pipeline, id)
}

const byId = <One extends Job>(jobs: HashMap.HashMap<number, One>): ReadonlyArray<One> =>
  Array.from(HashMap.values(jobs)).sort((a, b) => a.id - b.id)

/** The builds whose place no other one has taken, by id. */
export const latestBuilds = ({ builds }: Pipeline): ReadonlyArray<Build> => byId(builds)

/** The statuses whose place no other one has taken, by id. */
export const latestStatuses = ({ statuses }: Pipeline): ReadonlyArray<ExternalStatus> => byId(statuses)

/** How many jobs there are, with those whose place others have taken. */
export const jobCount = ({ builds, replaced, statuses }: Pipeline): number =>
  HashMap.size(builds) + HashMap.size(statuses) + HashMap.size(replaced)

const present = (pipeline: Pipeline): State => ({ _tag: "Present", pipeline })

const counted = (tallies: ReadonlyMap<string, Tally>, job: Job | undefined, by: 1 | -1): ReadonlyMap<string, Tally> => {
  if (job === undefined) return tallies
  const part = partOf(job)
  const key = `${part.status} ${part.allowFailure}`
  const count = (tallies.get(key)?.count ?? 0) + by
  const after = new Map(tallies).set(key, { ...part, count })
  if (count === 0) after.delete(key)
  return after
}

/** Without the job of this id, wherever it is. */
const without = (pipeline: Pipeline, id: number): Pipeline => {
  const job = latestJob(pipeline, id)
  if (job === undefined) return { ...pipeline, replaced: HashMap.remove(pipeline.replaced, id) }
  const { builds, ids, statuses, tallies } = pipeline
  return {
    ...pipeline,
    builds: HashMap.remove(builds, id),
    statuses: HashMap.remove(statuses, id),
    ids: jobNamed(pipeline, job.name)?.id === id ? HashMap.remove(ids, job.name) : ids,
    tallies: counted(tallies, job, -1)
  }
}

const withJob = (before: Pipeline, job: Job): Pipeline => {
  const pipeline = without(before, job.id)
  const { builds, ids, statuses, tallies } = pipeline
  return {
    ...pipeline,
    builds: job._tag === "Build" ? HashMap.set(builds, job.id, job) : builds,
    statuses: job._tag === "External" ? HashMap.set(statuses, job.id, job) : statuses,
    ids: HashMap.set(ids, job.name, job.id),
    tallies: counted(tallies, job, 1)
  }
}

/** What has ended is not run again: what it was to do is forgotten. */
const ended = (job: Job): Job => {
  if (job._tag === "External") return job
  const { playVariables: _, ...plan } = job.plan
  return { ...job, plan: { ...plan, variables: [], definition: {} } }
}

const withReplaced = (before: Pipeline, job: Job): Pipeline => {
  const pipeline = without(before, job.id)
  return { ...pipeline, replaced: HashMap.set(pipeline.replaced, job.id, ended(job)) }
}

/** These take the place of others. */
const withJobs = (before: Pipeline, jobs: ReadonlyArray<Job>, replaces: ReadonlyArray<number>): State => {
  const replaced = replaces.reduce((pipeline, id) => {
    const job = latestJob(pipeline, id)
    return job === undefined ? pipeline : withReplaced(pipeline, job)
  }, before)
  return present(jobs.reduce(withJob, replaced))
}

/** The job of this kind changed; nothing happens where there is none. */
const changed = <Tag extends Job["_tag"]>(
  state: State,
  { _tag, id }: { readonly _tag: Tag; readonly id: number },
  change: (job: Extract<Job, { readonly _tag: Tag }>) => Job
): State => {
  if (state._tag !== "Present") return state
  const { pipeline } = state
  const job = jobOf(pipeline, id)
  if (job === undefined || !isOf(_tag, job)) return state
  const isReplaced = latestJob(pipeline, id) === undefined
  return present(isReplaced ? withReplaced(pipeline, change(job)) : withJob(pipeline, change(job)))
}

const isOf = <Tag extends Job["_tag"]>(tag: Tag, job: Job): job is Extract<Job, { readonly _tag: Tag }> => job._tag === tag

const began = (state: State, event: Extract<PipelineEvent, { readonly _tag: "PipelineCreated" }>): State => {
  const { _tag, ...origin } = event
  if (state._tag !== "Absent") return state
  return present({
    origin,
    name: origin.name ?? null,
    status: "created",
    hasStarted: false,
    builds: HashMap.empty(),
    statuses: HashMap.empty(),
    replaced: HashMap.empty(),
    ids: HashMap.empty(),
    tallies: new Map()
  })
}

/** Events of a pipeline that is not there change nothing, and a deleted one stays deleted. */
export const evolve = (state: State, event: PipelineEvent): State => {
  if (event._tag === "PipelineCreated") return began(state, event)
  if (state._tag !== "Present") return state
  const { pipeline } = state
  return PipelineEvent.match(event, {
    PipelineCreated: (): State => state,
    StatusPosted: ({ _tag, projectId, replaces, sha, ...posted }) =>
      withJobs(pipeline, [{ _tag: "External", ...posted }], replaces),
    StatusChanged: ({ details, id, status }) =>
      changed(state, { _tag: "External", id }, (job) => ({ ...job, status, details: { ...job.details, ...details } })),
    JobsAdded: ({ by, jobs, replaces }) =>
      withJobs(
        pipeline,
        jobs.map((plan) => newBuild(plan, by)),
        replaces
      ),
    JobMoved: ({ by, id, status, variables }) =>
      changed(state, { _tag: "Build", id }, (job) => ({
        ...job,
        status,
        by: by ?? job.by,
        claim: undefined,
        plan: variables === undefined ? job.plan : { ...job.plan, playVariables: variables }
      })),
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
  plan,
  allowFailure: plan.allowFailure,
  by,
  claim: undefined
})
