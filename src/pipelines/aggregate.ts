import { Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { type Command, type Create, type Decision, PipelineMissing, type Refusal } from "./commands.ts"
import {
  cancelBuilds,
  cancelJob,
  claimJob,
  dropJobs,
  endJob,
  isUninterruptible,
  jobsAdded,
  playJob,
  retryFailed,
  retryJob,
  returnJob
} from "./decideJobs.ts"
import { cancelStatuses, postStatus } from "./decideStatuses.ts"
import { PipelineEvent, pipelineCodec } from "./events.ts"
import { pipelineStream } from "./ids.ts"
import { settled } from "./processing.ts"
import { evolve, initial, type State } from "./state.ts"

const { cases } = PipelineEvent

const create = (state: State, { jobs, pipeline }: Create): Decision => {
  if (state._tag === "Deleted") return Result.fail(new PipelineMissing())
  if (state._tag === "Present") return Result.succeed([])
  const added = jobs.length === 0 ? [] : [jobsAdded(pipeline, pipeline.createdBy, jobs)]
  return Result.succeed(settled(state, [cases.PipelineCreated.make(pipeline), ...added]))
}

const cancel = (state: Extract<State, { readonly _tag: "Present" }>): ReadonlyArray<PipelineEvent> =>
  settled(state, [...cancelBuilds(state.pipeline), ...cancelStatuses(state.pipeline)])

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "PostStatus") return postStatus(state, command)
  if (command._tag === "Create") return create(state, command)
  if (state._tag !== "Present") return Result.fail(new PipelineMissing())
  const { pipeline } = state
  switch (command._tag) {
    case "PlayJob":
      return playJob(state, command)
    case "RetryJob":
      return retryJob(state, command)
    case "RetryFailed":
      return retryFailed(state, command)
    case "CancelJob":
      return cancelJob(state, command.id)
    case "ClaimJob":
      return claimJob(state, command)
    case "ReturnJob":
      return returnJob(state, command.id, command.claim)
    case "EndJob":
      return endJob(state, command)
    case "DropJobs":
      return dropJobs(state, command)
    case "CancelRedundant":
      return Result.succeed(isUninterruptible(pipeline) ? [] : cancel(state))
    case "Cancel":
      return Result.succeed(cancel(state))
    case "Rename":
      return Result.succeed(command.name === pipeline.name ? [] : [cases.PipelineRenamed.make({ name: command.name })])
    case "Delete":
      return Result.succeed([cases.PipelineDeleted.make({})])
  }
}

export const pipelineAggregate: Aggregate<number, Command, State, PipelineEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: pipelineCodec,
  stream: pipelineStream
}
