import { Schema } from "effect"
import { type Endpoint, endpoint } from "#src/http/Endpoint.ts"

const Cluster = Schema.Struct({
  id: Schema.Int,
  name: Schema.String,
  created_at: Schema.String,
  domain: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Cluster" })

export const listClusters = endpoint({
  name: "clusters.list",
  area: "clusters",
  method: "GET",
  path: "/admin/clusters",
  summary: "List the clusters",
  access: "administrator",
  parameters: {
    labels: { kind: "stringList" },
    state: { kind: "string", values: ["enabled", "disabled"], default: "enabled", description: "Which clusters." },
    since: { kind: "dateTime", deprecated: true }
  },
  paginated: true,
  success: { status: 200, body: Schema.Array(Cluster) }
})

export const addCluster = endpoint({
  name: "clusters.add",
  area: "clusters",
  method: "POST",
  path: "/admin/clusters/add",
  summary: "Add a cluster",
  access: "administrator",
  parameters: {
    name: { kind: "string", required: true, description: "Name of the cluster.", example: "production" },
    enabled: { kind: "boolean", default: true },
    management_project_id: { kind: "integer" },
    scopes: { kind: "stringList", example: ["a", "b"] },
    nodes: { kind: "hashList", fields: { size: { kind: "integer", example: 3 }, zone: { kind: "string" } } },
    platform_kubernetes_attributes: {
      kind: "hash",
      required: true,
      fields: {
        api_url: { kind: "string", required: true, allowBlank: false, pattern: /^https?:/, example: "https://k8s" },
        namespace: { kind: "string" }
      }
    }
  },
  groups: [{ rule: "mutuallyExclusive", names: ["management_project_id", "scopes"] }],
  success: { status: 201, body: Cluster },
  refusals: { 400: "Another cluster has the same scope." }
})

export const deleteCluster = endpoint({
  name: "clusters.delete",
  area: "clusters",
  method: "DELETE",
  path: "/admin/clusters/:cluster_id",
  summary: "Delete a cluster",
  deprecated: true,
  access: "administrator",
  parameters: { cluster_id: { kind: "integer", required: true, example: 7 } },
  success: { status: 204 }
})

export const findKey = endpoint({
  name: "keys.find",
  area: "keys",
  method: "GET",
  path: "/keys/:id",
  summary: "Read a key",
  access: "anyone",
  readScopes: ["read_user"],
  parameters: {},
  success: { status: 200, body: Schema.Struct({ id: Schema.Int, cluster: Cluster }) }
})

export const downloadKey = endpoint({
  name: "keys.download",
  area: "keys",
  method: "GET",
  path: "/keys/:id/raw",
  summary: "Download a key",
  access: "anyone",
  parameters: {},
  success: { status: 200, raw: ["text/plain", "application/*"], description: "The bytes." }
})

export const enableKey = endpoint({
  name: "keys.enable",
  area: "keys",
  method: "POST",
  path: "/keys/:id/enable",
  summary: "Enable a key",
  access: "user",
  parameters: {},
  success: { status: 201, body: Cluster },
  otherSuccesses: [
    { status: 200, body: Schema.Struct({ tried: Schema.Boolean }), description: "It may be enabled." },
    { status: 304 }
  ]
})

/** Endpoints that show every form a declaration can take. */
export const sampleEndpoints: ReadonlyArray<Endpoint> = [listClusters, addCluster, deleteCluster, findKey, downloadKey, enableKey]
