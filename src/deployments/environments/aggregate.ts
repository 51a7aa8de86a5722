import { Data, Result } from "effect"
import { effectiveChanges } from "../../kernel/effectiveChanges.ts"
import type { Aggregate } from "../../platform/Aggregate.ts"
import { type EnvironmentChanges, EnvironmentEvent, environmentCodec, type Tier } from "../events.ts"
import { type EnvironmentKey, environmentStream } from "../ids.ts"

/** The environment that has the name now. What was deleted leaves the name to another one. */
export type State =
  | { readonly _tag: "Absent" }
  | {
      readonly _tag: "Present"
      readonly id: number
      readonly externalUrl: string | null
      readonly tier: Tier
      readonly isStopped: boolean
    }

type Present = Extract<State, { readonly _tag: "Present" }>

const initial: State = { _tag: "Absent" }

export interface Create {
  readonly _tag: "Create"
  readonly id: number
  readonly by: number
  readonly name: string
  readonly slug: string
  readonly externalUrl: string | null
  readonly tier: Tier
}

/** The environment that is meant, and who orders it. */
interface Order {
  readonly id: number
  readonly by: number
}

/** Absent settings stay as they are. */
export interface Change extends Order {
  readonly _tag: "Change"
  readonly changes: EnvironmentChanges
}

export interface Stop extends Order {
  readonly _tag: "Stop"
}

/** What is deployed into it makes it available again. */
export interface Start extends Order {
  readonly _tag: "Start"
}

export interface Delete extends Order {
  readonly _tag: "Delete"
}

export type Command = Create | Change | Stop | Start | Delete

/** The project has an environment of this name. */
export class EnvironmentExists extends Data.TaggedError("EnvironmentExists")<{ readonly id: number }> {}

/** There is no such environment, or not any more. */
export class EnvironmentMissing extends Data.TaggedError("EnvironmentMissing") {}

/** It is not stopped. */
export class EnvironmentAvailable extends Data.TaggedError("EnvironmentAvailable") {}

export type Refusal = EnvironmentExists | EnvironmentMissing | EnvironmentAvailable

type Decision = Result.Result<ReadonlyArray<EnvironmentEvent>, Refusal>

const { cases } = EnvironmentEvent

const change = ({ by, changes: wanted, id }: Change, state: Present): Decision => {
  const changes = effectiveChanges(wanted, state)
  return Result.succeed(Object.keys(changes).length === 0 ? [] : [cases.EnvironmentChanged.make({ id, by, changes })])
}

const ordered = (command: Exclude<Command, Create>, state: Present): Decision => {
  const { by, id } = command
  switch (command._tag) {
    case "Change":
      return change(command, state)
    case "Stop":
      return Result.succeed(state.isStopped ? [] : [cases.EnvironmentStopped.make({ id, by })])
    case "Start":
      return Result.succeed(state.isStopped ? [cases.EnvironmentStarted.make({ id, by })] : [])
    case "Delete":
      return state.isStopped
        ? Result.succeed([cases.EnvironmentDeleted.make({ id, by })])
        : Result.fail(new EnvironmentAvailable())
  }
}

const decide = (command: Command, state: State): Decision => {
  if (command._tag !== "Create")
    return state._tag === "Present" && state.id === command.id ? ordered(command, state) : Result.fail(new EnvironmentMissing())
  if (state._tag === "Present") return Result.fail(new EnvironmentExists({ id: state.id }))
  const { _tag, ...created } = command
  return Result.succeed([cases.EnvironmentCreated.make(created)])
}

const evolve = (state: State, event: EnvironmentEvent): State => {
  if (event._tag === "EnvironmentCreated") {
    const { externalUrl, id, tier } = event
    return state._tag === "Present" ? state : { _tag: "Present", id, externalUrl, tier, isStopped: false }
  }
  if (state._tag === "Absent" || state.id !== event.id) return state
  return EnvironmentEvent.match(event, {
    EnvironmentCreated: () => state,
    EnvironmentChanged: ({ changes }) => ({ ...state, ...changes }),
    EnvironmentStopped: () => ({ ...state, isStopped: true }),
    EnvironmentStarted: () => ({ ...state, isStopped: false }),
    EnvironmentDeleted: () => initial
  })
}

export const environmentAggregate: Aggregate<EnvironmentKey, Command, State, EnvironmentEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: environmentCodec,
  stream: environmentStream
}
