import { isoMillis } from "../http/jsonTimes.ts"
import { userReference } from "../http/shapes.ts"
import type { ChangedCluster, ClusterShape } from "./contract.ts"
import type { Attribute, Fault } from "./errors.ts"
import type { ManagementProject } from "./ManagementProjects.ts"
import type { ClusterRow } from "./ReadModel.ts"

const presentProvider = ({ id, provider, provider_type }: ClusterRow): (typeof ClusterShape.Type)["provider_gcp"] => {
  if (provider === null || provider_type !== "gcp") return null
  return {
    cluster_id: id,
    status_name: provider.status,
    gcp_project_id: provider.cloudProjectId,
    zone: provider.zone,
    machine_type: provider.machineType,
    num_nodes: provider.numNodes,
    endpoint: provider.endpoint
  }
}

const presentProject = (
  id: number | null,
  projects: ReadonlyMap<number, ManagementProject>
): (typeof ClusterShape.Type)["management_project"] => {
  const project = id === null ? undefined : projects.get(id)
  if (project === undefined) return null
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: project.nameWithNamespace,
    path: project.path,
    path_with_namespace: project.pathWithNamespace,
    created_at: isoMillis(project.createdAt)
  }
}

/** `projects` are those that manage clusters, by id. */
export const presentCluster = (
  row: ClusterRow,
  projects: ReadonlyMap<number, ManagementProject>,
  externalUrl: string
): typeof ClusterShape.Type => ({
  id: row.id,
  name: row.name,
  created_at: isoMillis(row.created_at),
  domain: row.domain,
  enabled: row.enabled,
  managed: row.managed,
  provider_type: row.provider_type,
  platform_type: "kubernetes",
  environment_scope: row.environment_scope,
  cluster_type: "instance_type",
  namespace_per_environment: row.namespace_per_environment,
  user: row.creator === null ? null : userReference(row.creator, externalUrl),
  platform_kubernetes: {
    api_url: row.api_url,
    namespace: row.namespace,
    authorization_type: row.authorization_type,
    ca_cert: row.ca_cert
  },
  provider_gcp: presentProvider(row),
  management_project: presentProject(row.management_project_id, projects)
})

export const presentChanged = (cluster: typeof ClusterShape.Type): typeof ChangedCluster.Type => ({ ...cluster, project: null })

const attributeKeys: Readonly<Record<Attribute, string>> = {
  name: "name",
  domain: "domain",
  cluster: "base",
  environmentScope: "environment_scope",
  managementProject: "management_project_id",
  apiUrl: "platform_kubernetes.api_url",
  token: "platform_kubernetes.token",
  caCert: "platform_kubernetes.ca_cert",
  namespace: "platform_kubernetes.namespace",
  platform: "platform_kubernetes.base"
}

/** Texts by attribute: `{"name":[" has to be present"]}`. */
export const presentFaults = (faults: ReadonlyArray<Fault>): Readonly<Record<string, ReadonlyArray<string>>> => {
  const byKey = Map.groupBy(faults, ({ attribute }) => attributeKeys[attribute])
  return Object.fromEntries([...byKey].map(([key, group]) => [key, group.map(({ text }) => text)]))
}
