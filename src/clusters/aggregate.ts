import { Data, Result } from "effect"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import { type AuthorizationType, ClusterEvent, type ClusterSettings, clusterCodec, type SettingsChanges } from "./events.ts"
import { additionFaults, type Changeable, type ClusterFault, changeFaults } from "./faults.ts"
import { clusterStream } from "./ids.ts"

export interface Cluster extends Changeable {
  /** The token is sealed. */
  readonly token: string
}

export type State =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Connected"; readonly cluster: Cluster }
  | { readonly _tag: "Removed" }

const initial: State = { _tag: "Absent" }

/** Connects an existing cluster. */
export interface Add {
  readonly _tag: "Add"
  readonly settings: ClusterSettings
  readonly authorizationType: AuthorizationType
  readonly addedBy: number
  /** The token is sealed. */
  readonly token: string
  /** Another cluster has this environment scope. */
  readonly scopeTaken: boolean
}

/** Absent settings stay as they are. */
export interface Change {
  readonly _tag: "Change"
  readonly changes: SettingsChanges
  /** The token is sealed, and set only when it differs from the present one. */
  readonly token?: string
  /** Another cluster has the requested environment scope. */
  readonly scopeTaken: boolean
}

export type Command = Add | Change | { readonly _tag: "Remove" }

/** Everything that is wrong with the requested cluster. */
export class ClusterInvalid extends Data.TaggedError("ClusterInvalid")<{ readonly faults: ReadonlyArray<ClusterFault> }> {}

/** There is a cluster in this stream, or was one. */
export class ClusterExists extends Data.TaggedError("ClusterExists") {}

/** The cluster was never there, or is removed. */
export class ClusterMissing extends Data.TaggedError("ClusterMissing") {}

export type Refusal = ClusterInvalid | ClusterExists | ClusterMissing

type Decision = Result.Result<ReadonlyArray<ClusterEvent>, Refusal>

const { cases } = ClusterEvent

const decided = (faults: ReadonlyArray<ClusterFault>, events: ReadonlyArray<ClusterEvent>): Decision =>
  faults.length > 0 ? Result.fail(new ClusterInvalid({ faults })) : Result.succeed(events)

const add = (command: Add): Decision => {
  const { settings, authorizationType, addedBy, token } = command
  const by = { providerType: "user", provider: null } as const
  return decided(additionFaults(command, true), [cases.ClusterAdded.make({ settings, authorizationType, ...by, addedBy, token })])
}

const change = (command: Change, cluster: Cluster): Decision => {
  const { token } = command
  const changes = effectiveChanges(command.changes, cluster.settings)
  return decided(changeFaults(command, cluster, token !== undefined), [
    ...(Object.keys(changes).length === 0 ? [] : [cases.ClusterChanged.make({ changes })]),
    ...(token === undefined ? [] : [cases.ClusterTokenReplaced.make({ token })])
  ])
}

const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Add") return state._tag === "Absent" ? add(command) : Result.fail(new ClusterExists())
  if (state._tag !== "Connected") return Result.fail(new ClusterMissing())
  switch (command._tag) {
    case "Change":
      return change(command, state.cluster)
    case "Remove":
      return Result.succeed([cases.ClusterRemoved.make({})])
  }
}

const connected = (cluster: Cluster): State => ({ _tag: "Connected", cluster })

/** Events of a cluster that is not connected change nothing, and a removed one stays removed. */
const evolve = (state: State, event: ClusterEvent): State => {
  if (state._tag === "Removed") return state
  if (event._tag === "ClusterAdded") {
    const { settings, providerType, provider, token } = event
    return state._tag === "Absent" ? connected({ settings, providerType, provider, token }) : state
  }
  if (state._tag === "Absent") return state
  return ClusterEvent.match(event, {
    ClusterAdded: () => state,
    ClusterChanged: ({ changes }) => connected({ ...state.cluster, settings: { ...state.cluster.settings, ...changes } }),
    ClusterTokenReplaced: ({ token }) => connected({ ...state.cluster, token }),
    ClusterRemoved: (): State => ({ _tag: "Removed" })
  })
}

export const clusterAggregate: Aggregate<number, Command, State, ClusterEvent, Refusal> = {
  initial,
  decide,
  evolve,
  codec: clusterCodec,
  stream: clusterStream
}
