import { Schema } from "effect"
import { flag, integer, literal, nothing, nullableInteger, nullableText, text, time, url } from "../http/answer/fields.ts"
import { ProjectReference } from "../http/answer/references.ts"
import { UserReference } from "../http/answer/shapes.ts"
import { endpoint } from "../http/Endpoint.ts"
import { AuthorizationType, ProviderType } from "./events.ts"

const area = "clusters"
const access = "administrator"
const deprecated = true

const clusterFields = {
  id: integer("ID of the cluster."),
  name: text("Name of the cluster."),
  created_at: time("When the cluster was connected."),
  domain: nullableText("Base domain of the cluster."),
  enabled: flag("Whether the cluster is active."),
  managed: flag("Whether the service manages namespaces and service accounts."),
  provider_type: ProviderType.annotate({ description: "Who provides the cluster: `user` for one that was there." }),
  platform_type: literal("kubernetes", "Always `kubernetes`."),
  environment_scope: text("Environments that the cluster is for; `*` for all."),
  cluster_type: literal("instance_type", "Always `instance_type`: the cluster is that of the installation."),
  namespace_per_environment: flag("Whether each environment has a namespace of its own."),
  user: Schema.NullOr(UserReference).annotate({ description: "Who connected the cluster." }),
  platform_kubernetes: Schema.Struct({
    api_url: url("URL of the cluster's API."),
    namespace: nullableText("Namespace of the projects."),
    authorization_type: AuthorizationType.annotate({
      description: "How the cluster decides who may do what: by roles (`rbac`), by attributes (`abac`), or unknown."
    }),
    ca_cert: nullableText("Certificate of the API in PEM form.")
  }).annotate({ description: "How the cluster is reached." }),
  provider_gcp: Schema.NullOr(
    Schema.Struct({
      cluster_id: integer("ID of the cluster."),
      status_name: text("How far the making of the cluster is."),
      gcp_project_id: text("ID of the project at Google."),
      zone: text("Zone in which it runs."),
      machine_type: nullableText("Type of its machines."),
      num_nodes: nullableInteger("Number of its machines."),
      endpoint: nullableText("Address of its API.")
    })
  ).annotate({ description: "The cluster at Google, where it was made there." }),
  management_project: Schema.NullOr(ProjectReference).annotate({ description: "Project that manages the cluster." })
}

/** A cluster of the instance. Its token is never shown. */
export const ClusterShape = Schema.Struct(clusterFields).annotate({ identifier: "Cluster" })

/** What an update answers. A cluster of the instance belongs to no project. */
export const ChangedCluster = Schema.Struct({
  ...clusterFields,
  project: nothing("Null: a cluster of the installation belongs to no project.")
}).annotate({ identifier: "ChangedCluster" })

const clusterId = { kind: "integer", required: true, description: "ID of the cluster.", example: 1 } as const
const name = { kind: "string", description: "Name of the cluster." } as const
const domain = { kind: "string", description: "Base domain of the cluster." } as const
const environmentScope = { kind: "string", description: "Environments that the cluster is for; `*` for all. Unique." } as const
const managementProjectId = { kind: "integer", description: "Project that manages the cluster." } as const
const enabled = { kind: "boolean", description: "Whether the cluster is active." } as const
const managed = { kind: "boolean", description: "Whether the service manages namespaces and service accounts." } as const
const perEnvironment = {
  kind: "boolean",
  default: true,
  description: "Whether each environment has a namespace of its own."
} as const
const apiUrl = { kind: "string", description: "URL of the cluster's API." } as const
const token = { kind: "string", description: "Token for the cluster's API. Never shown." } as const
const caCert = { kind: "string", description: "Certificate in PEM form, needed if the API's is self-signed." } as const
const namespace = { kind: "string", description: "Namespace of the projects." } as const

const platformText = "How the cluster is reached."

const missing = { 404: "No such cluster." }

export const listClusters = endpoint({
  name: "clusters.list",
  area,
  method: "GET",
  path: "/admin/clusters",
  summary: "List the clusters of the instance",
  deprecated,
  access,
  parameters: {},
  paginated: true,
  success: { status: 200, body: Schema.Array(ClusterShape) }
})

export const readCluster = endpoint({
  name: "clusters.read",
  area,
  method: "GET",
  path: "/admin/clusters/:cluster_id",
  summary: "Read a cluster",
  deprecated,
  access,
  parameters: { cluster_id: clusterId },
  success: { status: 200, body: ClusterShape },
  refusals: missing
})

export const addExistingCluster = endpoint({
  name: "clusters.add",
  area,
  method: "POST",
  path: "/admin/clusters/add",
  summary: "Connect an existing cluster to the instance",
  deprecated,
  access,
  takesContent: true,
  parameters: {
    name: { ...name, required: true, example: "Example cluster" },
    enabled: { ...enabled, default: true },
    environment_scope: { ...environmentScope, default: "*" },
    namespace_per_environment: perEnvironment,
    domain,
    management_project_id: managementProjectId,
    managed: { ...managed, default: true },
    platform_kubernetes_attributes: {
      kind: "hash",
      description: platformText,
      required: true,
      fields: {
        api_url: { ...apiUrl, required: true, allowBlank: false, example: "https://kubernetes.example.com" },
        token: { ...token, required: true, example: "token-of-a-service-account" },
        ca_cert: caCert,
        namespace,
        authorization_type: {
          kind: "string",
          values: ["unknown_authorization", "rbac", "abac"],
          default: "rbac",
          description: "How the cluster decides who may do what: by roles, or by attributes."
        }
      }
    }
  },
  success: { status: 201, body: ClusterShape }
})

export const changeClusterSettings = endpoint({
  name: "clusters.change",
  area,
  method: "PUT",
  path: "/admin/clusters/:cluster_id",
  summary: "Change a cluster",
  description: "What is not given stays, but for `namespace_per_environment`, which becomes true. A blank token is ignored.",
  deprecated,
  access,
  takesContent: true,
  parameters: {
    cluster_id: clusterId,
    name: { ...name, example: "Renamed cluster" },
    enabled,
    environment_scope: environmentScope,
    namespace_per_environment: perEnvironment,
    domain,
    management_project_id: managementProjectId,
    managed,
    platform_kubernetes_attributes: {
      kind: "hash",
      description: platformText,
      fields: { api_url: apiUrl, token, ca_cert: caCert, namespace }
    }
  },
  success: { status: 200, body: ChangedCluster },
  refusals: missing
})

export const deleteCluster = endpoint({
  name: "clusters.delete",
  area,
  method: "DELETE",
  path: "/admin/clusters/:cluster_id",
  summary: "Disconnect a cluster",
  description: "Nothing inside the cluster is touched.",
  deprecated,
  access,
  parameters: { cluster_id: clusterId },
  success: { status: 204 },
  refusals: { ...missing, 412: "The cluster was changed after `If-Unmodified-Since`." }
})
