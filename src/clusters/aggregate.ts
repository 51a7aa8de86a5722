import { Data, Result } from "effect"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import type { Aggregate } from "../platform/Aggregate.ts"
import {
  type AuthorizationType,
  type CloudProvider,
  ClusterEvent,
  type ClusterSettings,
  clusterCodec,
  type ProviderType,
  type SettingsChanges
} from "./events.ts"
import { type ClusterFault, settingsFaults } from "./faults.ts"
import { clusterStream } from "./ids.ts"

export interface Cluster {
  readonly settings: ClusterSettings
  readonly providerType: ProviderType
  readonly provider: CloudProvider | null
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
  /** The token is sealed; it is null when none was sent. */
  readonly token: string | null
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

export const scopeIsTaken: ClusterFault = { attribute: "environmentScope", text: "cannot add duplicated environment scope" }
const tokenIsBlank: ClusterFault = { attribute: "token", text: "can't be blank" }
const inCreation: ClusterFault = { attribute: "cluster", text: "Cannot modify provider during creation" }
const nameIsForeign: ClusterFault = { attribute: "name", text: " can not be changed because it's synchronized with provider" }
const platformIsForeign: ClusterFault = { attribute: "platform", text: "Cannot modify managed Kubernetes cluster" }

const invalid = (faults: ReadonlyArray<ClusterFault>): Decision => Result.fail(new ClusterInvalid({ faults }))

const add = ({ settings, authorizationType, addedBy, token, scopeTaken }: Add): Decision => {
  const faults = [...settingsFaults(settings), ...(scopeTaken ? [scopeIsTaken] : []), ...(token === null ? [tokenIsBlank] : [])]
  if (faults.length > 0 || token === null) return invalid(faults)
  return Result.succeed([
    cases.ClusterAdded.make({ settings, authorizationType, providerType: "user", provider: null, addedBy, token })
  ])
}

/** What may not change about a cluster that a cloud provider made: its name, and how it is reached. */
const foreignFaults = (
  { providerType }: Cluster,
  changes: SettingsChanges,
  token: string | undefined
): ReadonlyArray<ClusterFault> => {
  if (providerType === "user") return []
  const platformChanges = changes.apiUrl !== undefined || changes.caCert !== undefined || token !== undefined
  return [...(changes.name === undefined ? [] : [nameIsForeign]), ...(platformChanges ? [platformIsForeign] : [])]
}

const isInCreation = ({ provider }: Cluster): boolean => provider?.status === "scheduled" || provider?.status === "creating"

const change = (command: Change, cluster: Cluster): Decision => {
  const { token } = command
  const changes = effectiveChanges(command.changes, cluster.settings)
  const faults = [
    ...(isInCreation(cluster) ? [inCreation] : []),
    ...settingsFaults(changes),
    ...(changes.environmentScope !== undefined && command.scopeTaken ? [scopeIsTaken] : []),
    ...foreignFaults(cluster, changes, token)
  ]
  if (faults.length > 0) return invalid(faults)
  return Result.succeed([
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
