import { presentFaults as presentFaultsBy } from "../http/answer/faults.ts"
import { isoMillis } from "../http/answer/jsonTimes.ts"
import { type ProjectReferenceRow, projectReference } from "../http/answer/references.ts"
import { userReference } from "../http/answer/shapes.ts"
import type { ChangedCluster, ClusterShape } from "./contract.ts"
import type { Attribute, ClusterFault } from "./faults.ts"
import type { ClusterRow } from "./Queries.ts"

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

/** The project that manages a cluster; null for none, and for one that is gone. */
const presentManager = ({ management_project_id: id }: ClusterRow, projects: ReadonlyMap<number, ProjectReferenceRow>) => {
  const project = id === null ? undefined : projects.get(id)
  return project === undefined ? null : projectReference(project)
}

/** `projects` are those that manage clusters, by id. */
export const presentCluster = (
  row: ClusterRow,
  projects: ReadonlyMap<number, ProjectReferenceRow>,
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
  management_project: presentManager(row, projects)
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

/** The texts by attribute, such as `{"name":[" has to be present"]}`. */
export const presentFaults = (faults: ReadonlyArray<ClusterFault>) =>
  presentFaultsBy(faults, (attribute) => attributeKeys[attribute])
