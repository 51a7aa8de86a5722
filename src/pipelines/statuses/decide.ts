import { Result } from "effect"
import { effectiveChanges } from "../../kernel/effectiveChanges.ts"
import { type Decision, NameTaken, PipelineMissing, type PostStatus, StatusCannotMove } from "../commands.ts"
import { type NewPipeline, PipelineEvent, type StatusDetails } from "../events.ts"
import { settled } from "../processing.ts"
import { type ExternalStatus, type Job, latest, type Pipeline, type State } from "../state.ts"
import { mayMove } from "../status.ts"

const { cases } = PipelineEvent

const isOpen = ({ status }: ExternalStatus): boolean => status === "pending" || status === "running"

const noDetails: StatusDetails = { targetUrl: null, description: null, coverage: null }

const change = (before: ExternalStatus, { details, status }: PostStatus): Decision => {
  if (!mayMove(before.status, status)) return Result.fail(new StatusCannotMove({ from: before.status, to: status }))
  const changed = effectiveChanges(details, before.details)
  return Result.succeed([cases.StatusChanged.make({ id: before.id, status, details: changed })])
}

const add = (command: PostStatus, { projectId, sha }: NewPipeline, earlier: ReadonlyArray<Job>): Decision => {
  const { details, id, name, postedBy, ref, status } = command
  const replaces = earlier.filter((one) => one.name === name).map((one) => one.id)
  return Result.succeed([
    cases.StatusPosted.make({ id, projectId, sha, name, ref, postedBy, status, details: { ...noDetails, ...details }, replaces })
  ])
}

export const postStatus = (state: State, command: PostStatus): Decision => {
  if (state._tag === "Deleted") return Result.fail(new PipelineMissing())
  const jobs = state._tag === "Present" ? latest(state.pipeline) : []
  const { name, postedBy, ref } = command
  if (jobs.some((job) => job._tag === "Build" && job.name === name)) return Result.fail(new NameTaken())
  const statuses = jobs.filter((job) => job._tag === "External")
  const open = statuses.find((one) => isOpen(one) && one.name === name && one.ref === ref && one.postedBy === postedBy)
  const origin = state._tag === "Present" ? state.pipeline.origin : command.pipeline
  if (origin === undefined) return Result.fail(new PipelineMissing())
  const created = state._tag === "Absent" ? [cases.PipelineCreated.make(origin)] : []
  const posted = open === undefined ? add(command, origin, jobs) : change(open, command)
  return Result.map(posted, (events) => settled(state, [...created, ...events]))
}

/** What cancels all statuses that are under way. */
export const cancelStatuses = (pipeline: Pipeline): ReadonlyArray<PipelineEvent> =>
  latest(pipeline)
    .filter((job) => job._tag === "External" && mayMove(job.status, "canceled"))
    .map(({ id }) => cases.StatusChanged.make({ id, status: "canceled", details: {} }))
