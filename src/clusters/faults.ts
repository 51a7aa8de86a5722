import { isLongerThan } from "../kernel/characters.ts"
import { effectiveChanges } from "../kernel/effectiveChanges.ts"
import { type Fault, faultsOf } from "../kernel/faults.ts"
import { webUrlErrors } from "../kernel/webUrlErrors.ts"
import type { CloudProvider, ClusterSettings, ProviderType, SettingsChanges } from "./events.ts"

/** What an error of a cluster is about: an attribute, or `cluster` and `platform` as a whole. */
export type Attribute =
  | "name"
  | "domain"
  | "cluster"
  | "environmentScope"
  | "managementProject"
  | "apiUrl"
  | "token"
  | "caCert"
  | "namespace"
  | "platform"

export type ClusterFault = Fault<Attribute>

/** A cluster as far as it tells what may change about it. */
export interface Changeable {
  readonly settings: ClusterSettings
  readonly providerType: ProviderType
  readonly provider: CloudProvider | null
}

interface Addition {
  readonly settings: ClusterSettings
  /** Another cluster has this environment scope. */
  readonly scopeTaken: boolean
}

interface Alteration {
  readonly changes: SettingsChanges
  /** Another cluster has the requested environment scope. */
  readonly scopeTaken: boolean
}

const maxTextLength = 255
const maxNameLength = 2048
const maxNamespaceLength = 63
const reservedNamespaces: ReadonlyArray<string> = ["gitlab-managed-apps"]
const blank = "can't be blank"

// Gap: a limit for names is not shown; later releases of the reference have this one.
const nameFaults = (name: string): ReadonlyArray<string> => {
  if (name.trim() === "") return [" has to be present"]
  return isLongerThan(name, maxNameLength) ? [" is too long"] : []
}

const scopeFaults = (scope: string): ReadonlyArray<string> => [
  ...(scope === "" ? [blank] : []),
  ...(/^[a-zA-Z0-9_/${}. *-]+$/.test(scope)
    ? []
    : ["can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', '*' and spaces"]),
  ...(scope === "" ? ["is too short (minimum is 1 character)"] : []),
  ...(isLongerThan(scope, maxTextLength) ? [`is too long (maximum is ${maxTextLength} characters)`] : [])
]

const labelCharacters = "contains invalid characters (valid characters: [a-z0-9\\-])"

const labelFaults = (label: string): ReadonlyArray<string> => [
  ...(label.length >= 1 && label.length <= 63 ? [] : ["must be between 1 and 63 characters long"]),
  ...(label.startsWith("-") || label.endsWith("-") ? ["begins or ends with hyphen"] : []),
  ...(/^[a-z0-9-]+$/i.test(label) ? [] : [labelCharacters])
]

const domainTooLong = "must be between 1 and 255 characters long"

/** What is wrong with a host name, each text once; of one that is too long only that. Labels of digits only are fine. */
export const domainFaults = (domain: string): ReadonlyArray<string> => {
  if (domain.length > 255) return [domainTooLong]
  // A trailing dot is a fault of its own and no empty label.
  const labels = domain.replace(/\.+$/, "").split(".")
  const faults = [
    ...labels.flatMap(labelFaults),
    ...(domain.includes("..") ? ["must not contain consecutive dots"] : []),
    ...(domain.endsWith(".") ? ["must not end with a dot"] : [])
  ]
  return [...new Set(faults)]
}

/** Any http or https address will do, private ones too: the service never calls it. */
const apiUrlFaults = (url: string): ReadonlyArray<string> => {
  // Gap: the texts for a blank address in an update are not shown; these are the reference's for a blank URL.
  return url.trim() === "" ? ["must be a valid URL", blank] : webUrlErrors(url)
}

/** One certificate or several, each between its markers. They are not parsed. */
const certificates = /^(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]*[A-Za-z0-9+/=]\s*-----END CERTIFICATE-----\s*)+$/

const caCertFaults = (caCert: string | null): ReadonlyArray<string> =>
  caCert === null || certificates.test(caCert) ? [] : ["must be a valid PEM certificate"]

const namespaceFaults = (namespace: string | null): ReadonlyArray<string> => {
  if (namespace === null) return []
  return [
    ...(namespace.length > maxNamespaceLength ? [`is too long (maximum is ${maxNamespaceLength} characters)`] : []),
    ...(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(namespace)
      ? []
      : ["can contain only lowercase letters, digits, and '-'. Must start with a letter, and cannot end with '-'"]),
    ...(reservedNamespaces.includes(namespace) ? ["is reserved"] : [])
  ]
}

/** Everything that is wrong with the settings that are there. */
export const settingsFaults = (settings: SettingsChanges): ReadonlyArray<ClusterFault> => {
  const { name, domain, environmentScope, apiUrl, caCert, namespace } = settings
  return [
    ...faultsOf("name", name === undefined ? [] : nameFaults(name)),
    ...faultsOf("domain", domain === undefined || domain === null ? [] : domainFaults(domain)),
    ...faultsOf("environmentScope", environmentScope === undefined ? [] : scopeFaults(environmentScope)),
    ...faultsOf("apiUrl", apiUrl === undefined ? [] : apiUrlFaults(apiUrl)),
    ...faultsOf("caCert", caCert === undefined ? [] : caCertFaults(caCert)),
    ...faultsOf("namespace", namespace === undefined ? [] : namespaceFaults(namespace))
  ]
}

export const scopeIsTaken: ClusterFault = { attribute: "environmentScope", text: "cannot add duplicated environment scope" }

/** Everything that is wrong with a cluster that is to be added, with a token or without. */
export const additionFaults = ({ scopeTaken, settings }: Addition, hasToken: boolean): ReadonlyArray<ClusterFault> => [
  ...settingsFaults(settings),
  ...(scopeTaken ? [scopeIsTaken] : []),
  ...faultsOf("token", hasToken ? [] : [blank])
]

/** What may not change about a cluster that a cloud provider made: its name, and how it is reached. */
const foreignFaults = (
  { providerType }: Pick<Changeable, "providerType">,
  changes: SettingsChanges,
  hasToken: boolean
): ReadonlyArray<ClusterFault> => {
  if (providerType === "user") return []
  const isNamed = changes.name !== undefined
  const isReached = changes.apiUrl !== undefined || changes.caCert !== undefined || hasToken
  return [
    ...faultsOf("name", isNamed ? [" can not be changed because it's synchronized with provider"] : []),
    ...faultsOf("platform", isReached ? ["Cannot modify managed Kubernetes cluster"] : [])
  ]
}

const isInCreation = ({ provider }: Pick<Changeable, "provider">): boolean =>
  provider?.status === "scheduled" || provider?.status === "creating"

/** Everything that is wrong with a change of a cluster, which may come with another token. */
export const changeFaults = (
  { changes: requested, scopeTaken }: Alteration,
  cluster: Changeable,
  hasToken: boolean
): ReadonlyArray<ClusterFault> => {
  const changes = effectiveChanges(requested, cluster.settings)
  return [
    ...faultsOf("cluster", isInCreation(cluster) ? ["Cannot modify provider during creation"] : []),
    ...settingsFaults(changes),
    ...(changes.environmentScope !== undefined && scopeTaken ? [scopeIsTaken] : []),
    ...foreignFaults(cluster, changes, hasToken)
  ]
}
