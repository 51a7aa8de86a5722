import { expect, it } from "vitest"
import { clustersReadModel } from "#projections/clusters/projection.ts"
import { ClusterEvent, clusterCodec } from "#src/clusters/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"
import { added, settings } from "./samples.ts"

const { at } = recorded

const changesOf = (event: ClusterEvent, stream = "cluster-9") => changesIn(clustersReadModel)(clusterCodec.encode(event), stream)

const { cases } = ClusterEvent
const patch = (columns: object) => [{ _tag: "Patch", table: "clusters", key: { id: 9 }, columns }]

it("a new cluster is a row without its token", () => {
  expect(changesOf(added)).toEqual([
    { _tag: "IdTaken", kind: "cluster", id: 9 },
    {
      _tag: "Put",
      table: "clusters",
      row: {
        id: 9,
        name: "staging",
        created_at: at,
        updated_at: at,
        domain: null,
        enabled: true,
        managed: true,
        provider_type: "user",
        provider: null,
        environment_scope: "*",
        namespace_per_environment: true,
        management_project_id: null,
        api_url: "https://k8s.example.com",
        namespace: null,
        authorization_type: "rbac",
        ca_cert: null,
        added_by: 1
      }
    }
  ])
})

it.each<[ClusterEvent, ReadonlyArray<object>]>([
  [
    cases.ClusterChanged.make({ changes: { ...settings, domain: "example.com", managementProjectId: 3 } }),
    patch({
      name: "staging",
      enabled: true,
      managed: true,
      environment_scope: "*",
      namespace_per_environment: true,
      domain: "example.com",
      management_project_id: 3,
      api_url: "https://k8s.example.com",
      namespace: null,
      ca_cert: null,
      updated_at: at
    })
  ],
  [cases.ClusterChanged.make({ changes: { enabled: false } }), patch({ enabled: false, updated_at: at })],
  [cases.ClusterTokenReplaced.make({ token: "sealed" }), patch({ updated_at: at })],
  [cases.ClusterRemoved.make({}), [{ _tag: "Remove", table: "clusters", key: { id: 9 } }]]
])("$_tag", (event, changes) => {
  expect(changesOf(event)).toEqual(changes)
})

it("has nothing to do with other streams", () => {
  expect(changesOf(cases.ClusterRemoved.make({}), "schedule-9")).toEqual([])
})
