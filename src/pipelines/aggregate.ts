import { Data, HashMap, Option, Result } from "effect"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import { type NewPipeline, PipelineEvent, pipelineCodec, type StatusDetails } from "./events.ts"
import { pipelineStream } from "./ids.ts"
import { mayMove, type Status, statusOfAll, type TargetStatus } from "./status.ts"

/** A status that a service outside has set. */
export interface ExternalStatus {
  readonly id: number
  readonly name: string
  readonly ref: string
  readonly postedBy: number
  readonly status: Status
  readonly details: StatusDetails
  /** Whether a later one of the same name has taken its place. */
  readonly isReplaced: boolean
}

export interface Pipeline {
  readonly origin: NewPipeline
  readonly name: string | null
  readonly status: Status
  readonly hasStarted: boolean
  /** By id. */
  readonly jobs: HashMap.HashMap<number, ExternalStatus>
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Present"; readonly pipeline: Pipeline }
  | { readonly _tag: "Deleted" }

const initial: State = { _tag: "Absent" }

/** Sets a status. One that waits or runs, of the same name, ref and user, moves on; otherwise there is a new one. */
export interface PostStatus {
  readonly _tag: "PostStatus"
  /** The pipeline to make if it is not there; absent for one that is. */
  readonly pipeline?: NewPipeline
  /** The id of a new status. */
  readonly id: number
  readonly name: string
  readonly ref: string
  readonly postedBy: number
  readonly status: TargetStatus
  /** Absent details stay as they are. */
  readonly details: Partial<StatusDetails>
}

export type Command =
  | PostStatus
  | { readonly _tag: "Cancel" }
  | { readonly _tag: "Rename"; readonly name: string | null }
  | { readonly _tag: "Delete" }

/** The pipeline was never there, or is deleted. */
export class PipelineMissing extends Data.TaggedError("PipelineMissing") {}

/** There is no way from the present status to the requested one. */
export class StatusCannotMove extends Data.TaggedError("StatusCannotMove")<{
  readonly from: Status
  readonly to: TargetStatus
}> {}

export type Refusal = PipelineMissing | StatusCannotMove

type Decision = Result.Result<ReadonlyArray<PipelineEvent>, Refusal>

const { cases } = PipelineEvent

/** What follows from these events for the pipeline as a whole. */
const withMove = (state: State, events: ReadonlyArray<PipelineEvent>): ReadonlyArray<PipelineEvent> => {
  const after = events.reduce(evolve, state)
  if (after._tag !== "Present") return events
  const { hasStarted, jobs, status: before } = after.pipeline
  const status = statusOfAll(latest(jobs).map(partOf))
  if (status === before) return events
  return [...events, cases.PipelineMoved.make({ status, isStart: status === "running" && !hasStarted })]
}

/** Those whose place no other one has taken, by id. */
const latest = (jobs: Pipeline["jobs"]): ReadonlyArray<ExternalStatus> =>
  Array.from(HashMap.values(jobs))
    .filter(({ isReplaced }) => !isReplaced)
    .sort((a, b) => a.id - b.id)

/** Nothing goes on when a status of outside fails. */
const partOf = ({ status }: ExternalStatus) => ({ status, allowFailure: false })

const isOpen = ({ status }: ExternalStatus): boolean => status === "pending" || status === "running"

const noDetails: StatusDetails = { targetUrl: null, description: null, coverage: null }

const change = (before: ExternalStatus, { details, status }: PostStatus): Decision => {
  if (!mayMove(before.status, status)) return Result.fail(new StatusCannotMove({ from: before.status, to: status }))
  const changed = effectiveChanges(details, before.details)
  return Result.succeed([cases.StatusChanged.make({ id: before.id, status, details: changed })])
}

const add = (command: PostStatus, { projectId, sha }: NewPipeline, earlier: ReadonlyArray<ExternalStatus>): Decision => {
  const { details, id, name, postedBy, ref, status } = command
  const replaces = earlier.filter((one) => one.name === name).map((one) => one.id)
  return Result.succeed([
    cases.StatusPosted.make({ id, projectId, sha, name, ref, postedBy, status, details: { ...noDetails, ...details }, replaces })
  ])
}

const post = (command: PostStatus, state: State): Decision => {
  if (state._tag === "Deleted") return Result.fail(new PipelineMissing())
  const jobs = state._tag === "Present" ? latest(state.pipeline.jobs) : []
  const { name, postedBy, ref } = command
  const open = jobs.find((job) => isOpen(job) && job.name === name && job.ref === ref && job.postedBy === postedBy)
  const origin = state._tag === "Present" ? state.pipeline.origin : command.pipeline
  if (origin === undefined) return Result.fail(new PipelineMissing())
  const created = state._tag === "Absent" ? [cases.PipelineCreated.make(origin)] : []
  const posted = open === undefined ? add(command, origin, jobs) : change(open, command)
  return Result.map(posted, (events) => withMove(state, [...created, ...events]))
}

const cancel = (state: State, { jobs }: Pipeline): ReadonlyArray<PipelineEvent> => {
  const open = latest(jobs).filter(({ status }) => mayMove(status, "canceled"))
  return withMove(
    state,
    open.map(({ id }) => cases.StatusChanged.make({ id, status: "canceled", details: {} }))
  )
}

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "PostStatus") return post(command, state)
  if (state._tag !== "Present") return Result.fail(new PipelineMissing())
  switch (command._tag) {
    case "Cancel":
      return Result.succeed(cancel(state, state.pipeline))
    case "Rename":
      return Result.succeed(command.name === state.pipeline.name ? [] : [cases.PipelineRenamed.make({ name: command.name })])
    case "Delete":
      return Result.succeed([cases.PipelineDeleted.make({})])
  }
}

const jobOf = ({ jobs }: Pipeline, id: number): ExternalStatus | undefined => Option.getOrUndefined(HashMap.get(jobs, id))

const present = (pipeline: Pipeline): State => ({ _tag: "Present", pipeline })

const withJobs = (pipeline: Pipeline, jobs: ReadonlyArray<ExternalStatus>): State =>
  present({
    ...pipeline,
    jobs: HashMap.setMany(
      pipeline.jobs,
      jobs.map((job) => [job.id, job] as const)
    )
  })

/** Events of a pipeline that is not there change nothing, and a deleted one stays deleted. */
const evolve = (state: State, event: PipelineEvent): State => {
  if (state._tag === "Deleted") return state
  if (event._tag === "PipelineCreated") {
    const { _tag, ...origin } = event
    if (state._tag === "Present") return state
    return present({ origin, name: null, status: "created", hasStarted: false, jobs: HashMap.empty() })
  }
  if (state._tag === "Absent") return state
  const { pipeline } = state
  return PipelineEvent.match(event, {
    PipelineCreated: (): State => state,
    StatusPosted: ({ _tag, projectId, replaces, sha, ...posted }) => {
      const replaced = replaces.flatMap((id) => jobOf(pipeline, id) ?? []).map((job) => ({ ...job, isReplaced: true }))
      return withJobs(pipeline, [...replaced, { ...posted, isReplaced: false }])
    },
    StatusChanged: ({ details, id, status }) => {
      const job = jobOf(pipeline, id)
      return job === undefined ? state : withJobs(pipeline, [{ ...job, status, details: { ...job.details, ...details } }])
    },
    PipelineMoved: ({ isStart, status }) => present({ ...pipeline, status, hasStarted: pipeline.hasStarted || isStart }),
    PipelineRenamed: ({ name }) => present({ ...pipeline, name }),
    PipelineDeleted: (): State => ({ _tag: "Deleted" })
  })
}

export const pipelineAggregate: Aggregate<number, Command, State, PipelineEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: pipelineCodec,
  stream: pipelineStream
}
