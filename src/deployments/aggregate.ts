import { Data, Result } from "effect"
import type { Aggregate } from "../platform/Aggregate.ts"
import { DeploymentEvent, deploymentCodec, type Status } from "./events.ts"
import { deploymentStream } from "./ids.ts"

export type State = { readonly _tag: "Absent" } | { readonly _tag: "Present"; readonly status: Status }

const initial: State = { _tag: "Absent" }

type Created = Extract<DeploymentEvent, { readonly _tag: "DeploymentCreated" }>

export interface Create extends Omit<Created, "_tag"> {
  readonly _tag: "Create"
}

/** Tells how a deployment ended. */
export interface End {
  readonly _tag: "End"
  readonly projectId: number
  readonly status: Status
  readonly mergeRequestIids: ReadonlyArray<number>
}

export type Command = Create | End

/** There is a deployment in this stream. */
export class DeploymentExists extends Data.TaggedError("DeploymentExists") {}

/** There is no such deployment. */
export class DeploymentMissing extends Data.TaggedError("DeploymentMissing") {}

/** What has ended does not go on. */
export class DeploymentOver extends Data.TaggedError("DeploymentOver")<{ readonly status: Status }> {}

export type Refusal = DeploymentExists | DeploymentMissing | DeploymentOver

const { cases } = DeploymentEvent

const end = ({ mergeRequestIids, projectId, status: ended }: End, { status }: Extract<State, { readonly _tag: "Present" }>) => {
  if (status === ended) return Result.succeed([])
  return status === "running"
    ? Result.succeed([cases.DeploymentEnded.make({ projectId, status: ended, mergeRequestIids })])
    : Result.fail(new DeploymentOver({ status }))
}

const decide = (command: Command, state: State): Result.Result<ReadonlyArray<DeploymentEvent>, Refusal> => {
  if (command._tag === "End") return state._tag === "Present" ? end(command, state) : Result.fail(new DeploymentMissing())
  if (state._tag === "Present") return Result.fail(new DeploymentExists())
  const { _tag, ...created } = command
  return Result.succeed([cases.DeploymentCreated.make(created)])
}

const evolve = (state: State, event: DeploymentEvent): State =>
  state._tag === "Absent" && event._tag === "DeploymentEnded" ? state : { _tag: "Present", status: event.status }

export const deploymentAggregate: Aggregate<number, Command, State, DeploymentEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: deploymentCodec,
  stream: deploymentStream
}
