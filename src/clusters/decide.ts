import { Result } from "effect"
import { differing } from "../kernel/differing.ts"
import type { Add, Change, Command } from "./commands.ts"
import { ClusterExists, ClusterInvalid, ClusterMissing, type Fault, type Refusal } from "./errors.ts"
import { ClusterEvent, type SettingsChanges } from "./events.ts"
import { settingsFaults } from "./settingsFaults.ts"
import type { Cluster, State } from "./state.ts"

type Decision = Result.Result<ReadonlyArray<ClusterEvent>, Refusal>

const event = ClusterEvent.cases

export const scopeIsTaken: Fault = { attribute: "environmentScope", text: "cannot add duplicated environment scope" }
const tokenIsBlank: Fault = { attribute: "token", text: "can't be blank" }
const inCreation: Fault = { attribute: "cluster", text: "Cannot modify provider during creation" }
const nameIsForeign: Fault = { attribute: "name", text: " can not be changed because it's synchronized with provider" }
const platformIsForeign: Fault = { attribute: "platform", text: "Cannot modify managed Kubernetes cluster" }

const invalid = (faults: ReadonlyArray<Fault>): Decision => Result.fail(new ClusterInvalid({ faults }))

const add = ({ settings, authorizationType, addedBy, token, scopeTaken }: Add): Decision => {
  const faults = [...settingsFaults(settings), ...(scopeTaken ? [scopeIsTaken] : []), ...(token === null ? [tokenIsBlank] : [])]
  if (faults.length > 0 || token === null) return invalid(faults)
  return Result.succeed([
    event.ClusterAdded.make({ settings, authorizationType, providerType: "user", provider: null, addedBy, token })
  ])
}

/** What may not change about a cluster that a cloud provider made: its name, and how it is reached. */
const foreignFaults = ({ providerType }: Cluster, changes: SettingsChanges, token: string | undefined): ReadonlyArray<Fault> => {
  if (providerType === "user") return []
  const platformChanges = changes.apiUrl !== undefined || changes.caCert !== undefined || token !== undefined
  return [...(changes.name === undefined ? [] : [nameIsForeign]), ...(platformChanges ? [platformIsForeign] : [])]
}

const isInCreation = ({ provider }: Cluster): boolean => provider?.status === "scheduled" || provider?.status === "creating"

const change = (command: Change, cluster: Cluster): Decision => {
  const { token } = command
  const changes = differing(command.changes, cluster.settings)
  const faults = [
    ...(isInCreation(cluster) ? [inCreation] : []),
    ...settingsFaults(changes),
    ...(changes.environmentScope !== undefined && command.scopeTaken ? [scopeIsTaken] : []),
    ...foreignFaults(cluster, changes, token)
  ]
  if (faults.length > 0) return invalid(faults)
  return Result.succeed([
    ...(Object.keys(changes).length === 0 ? [] : [event.ClusterChanged.make({ changes })]),
    ...(token === undefined ? [] : [event.ClusterTokenReplaced.make({ token })])
  ])
}

export const decide = (command: Command, state: State): Decision => {
  if (command._tag === "Add") return state._tag === "Absent" ? add(command) : Result.fail(new ClusterExists())
  if (state._tag !== "Connected") return Result.fail(new ClusterMissing())
  switch (command._tag) {
    case "Change":
      return change(command, state.cluster)
    case "Remove":
      return Result.succeed([event.ClusterRemoved.make({})])
  }
}
