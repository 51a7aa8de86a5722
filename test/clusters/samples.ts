import type { Add, Change, Cluster, State } from "#src/clusters/aggregate.ts"
import { type CloudProvider, ClusterEvent, type ClusterSettings } from "#src/clusters/events.ts"

export const settings: ClusterSettings = {
  name: "staging",
  enabled: true,
  managed: true,
  environmentScope: "*",
  namespacePerEnvironment: true,
  domain: null,
  managementProjectId: null,
  apiUrl: "https://k8s.example.com",
  namespace: null,
  caCert: null
}

export const pem = "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\nabc=\n-----END CERTIFICATE-----"

export const add: Add = {
  _tag: "Add",
  settings,
  authorizationType: "rbac",
  addedBy: 1,
  token: "sealed",
  scopeTaken: false
}

export const change: Change = { _tag: "Change", changes: { name: "production" }, scopeTaken: false }

export const added = ClusterEvent.cases.ClusterAdded.make({
  settings,
  authorizationType: "rbac",
  providerType: "user",
  provider: null,
  addedBy: 1,
  token: "sealed"
})

export const cluster: Cluster = { settings, providerType: "user", provider: null, token: "sealed" }

export const atProvider: CloudProvider = {
  status: "created",
  cloudProjectId: "infra",
  zone: "us-central1-a",
  machineType: "n1-standard-2",
  numNodes: 3,
  endpoint: "203.0.113.7"
}

export const states: { readonly [Tag in State["_tag"]]: State } = {
  Absent: { _tag: "Absent" },
  Connected: { _tag: "Connected", cluster },
  Removed: { _tag: "Removed" }
}
