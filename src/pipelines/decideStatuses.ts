import { Result } from "effect"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import { type Decision, JobNameTaken, PipelineMissing, type PostStatus, StatusCannotMove, TooManyJobs } from "./commands.ts"
import { type NewPipeline, PipelineEvent, type StatusDetails } from "./events.ts"
import { settled } from "./processing.ts"
import { type ExternalStatus, jobCount, jobNamed, latestStatuses, type Pipeline, type State } from "./state.ts"
import { mayMove } from "./status.ts"

const { cases } = PipelineEvent

const isOpen = ({ status }: ExternalStatus): boolean => status === "pending" || status === "running"

const noDetails: StatusDetails = { targetUrl: null, description: null, coverage: null }

const change = (before: ExternalStatus, { details, status }: PostStatus): Decision => {
  if (!mayMove(before.status, status)) return Result.fail(new StatusCannotMove({ from: before.status, to: status }))
  const changed = effectiveChanges(details, before.details)
  return Result.succeed([cases.StatusChanged.make({ id: before.id, status, details: changed })])
}

const add = (command: PostStatus, { projectId, sha }: NewPipeline, earlier: ExternalStatus | undefined): Decision => {
  const { details, id, name, postedBy, ref, status } = command
  const replaces = earlier === undefined ? [] : [earlier.id]
  return Result.succeed([
    cases.StatusPosted.make({ id, projectId, sha, name, ref, postedBy, status, details: { ...noDetails, ...details }, replaces })
  ])
}

export const postStatus = (state: State, command: PostStatus): Decision => {
  if (state._tag === "Deleted") return Result.fail(new PipelineMissing())
  const pipeline = state._tag === "Present" ? state.pipeline : undefined
  const earlier = pipeline && jobNamed(pipeline, command.name)
  if (earlier?._tag === "Build") return Result.fail(new JobNameTaken())
  const origin = pipeline?.origin ?? command.pipeline
  if (origin === undefined) return Result.fail(new PipelineMissing())
  const { maxJobs, postedBy, ref } = command
  const isSame = earlier !== undefined && isOpen(earlier) && earlier.ref === ref && earlier.postedBy === postedBy
  if (pipeline !== undefined && !isSame && jobCount(pipeline) >= maxJobs) return Result.fail(new TooManyJobs({ maxJobs }))
  const created = pipeline === undefined ? [cases.PipelineCreated.make(origin)] : []
  const posted = isSame ? change(earlier, command) : add(command, origin, earlier)
  return Result.map(posted, (events) => settled(state, [...created, ...events]))
}

/** What cancels all statuses that are under way. */
export const cancelStatuses = (pipeline: Pipeline): ReadonlyArray<PipelineEvent> =>
  latestStatuses(pipeline)
    .filter(({ status }) => mayMove(status, "canceled"))
    .map(({ id }) => cases.StatusChanged.make({ id, status: "canceled", details: {} }))
