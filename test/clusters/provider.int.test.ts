import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { type CloudProvider, ClusterEvent, clusterCodec } from "#src/clusters/events.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { expectExactly } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { userReference } from "#test/support/people/userReference.ts"
import { added, atProvider, pem, settings } from "./samples.ts"
import { idOf, shape, useClusters } from "./useClusters.ts"

const { service, put, read, remove } = useClusters()

/** Seeds a cluster that a cloud provider made, which the interface cannot add. */
const provide = (id: number, provider: CloudProvider) => {
  const event = ClusterEvent.cases.ClusterAdded.make({
    ...added,
    settings: { ...settings, environmentScope: `provided-${id}` },
    providerType: "gcp",
    provider
  })
  const metadata = { actor: "system:test", commandId: "seed", correlationId: "seed" }
  const events = [{ ...clusterCodec.encode(event), id: `018f0000-0000-7000-8000-000000${id}`, metadata }]
  return service.run(
    Effect.gen(function* () {
      const { position } = yield* EventStore.use((store) => store.append(`cluster-${id}`, "noStream", events))
      yield* Projections.use((projections) => projections.awaitPosition(position))
    })
  )
}

const [id, creating] = [900_001, 900_002]
beforeAll(async () => {
  await provide(id, atProvider)
  await provide(creating, { ...atProvider, status: "creating", machineType: null, numNodes: null, endpoint: null })
})

const provider = {
  cluster_id: id,
  status_name: "created",
  gcp_project_id: "infra",
  zone: "us-central1-a",
  machine_type: "n1-standard-2",
  num_nodes: 3,
  endpoint: "203.0.113.7"
}
const provided = { ...shape, id, environment_scope: `provided-${id}`, provider_type: "gcp", provider_gcp: provider }

describe("a cluster that a cloud provider made", () => {
  it("shows its provider", async () => {
    expectExactly((await read(id)).body, provided)
    const unfinished = { cluster_id: creating, status_name: "creating", machine_type: null, num_nodes: null, endpoint: null }
    expectExactly((await read(creating)).body, {
      ...provided,
      id: creating,
      environment_scope: `provided-${creating}`,
      provider_gcp: { ...provider, ...unfinished }
    })
  })

  const nameIsForeign = { name: [" can not be changed because it's synchronized with provider"] }
  const platformIsForeign = { "platform_kubernetes.base": ["Cannot modify managed Kubernetes cluster"] }
  it.each<[string, object, object]>([
    ["name", { name: "x" }, nameIsForeign],
    ["api_url", { platform_kubernetes_attributes: { api_url: "https://x.example.com" } }, platformIsForeign],
    ["token", { platform_kubernetes_attributes: { token: "x" } }, platformIsForeign],
    ["ca_cert", { platform_kubernetes_attributes: { ca_cert: pem } }, platformIsForeign],
    [
      "name and token",
      { name: "x", domain: "example.com", platform_kubernetes_attributes: { token: "x" } },
      { ...nameIsForeign, ...platformIsForeign }
    ]
  ])("keeps its %s", async (_, json, message) => {
    const { body, status } = await put(id, { json })
    expect([status, body]).toEqual([400, { message }])
    expectExactly((await read(id)).body, provided)
  })

  it("changes otherwise, and may be told its own name and platform", async () => {
    const same = { name: settings.name, platform_kubernetes_attributes: { api_url: settings.apiUrl, token: "" } }
    expectExactly((await put(id, { json: same })).body, { ...provided, project: null })
    const { body, status } = await put(id, { json: { domain: "example.com", enabled: false } })
    expect(status).toBe(200)
    expectExactly(body, { ...provided, domain: "example.com", enabled: false, project: null })
  })

  it("does not change while it is made", async () => {
    const { body, status } = await put(creating, { json: { domain: "example.com" } })
    expect([status, body]).toEqual([400, { message: { base: ["Cannot modify provider during creation"] } }])
  })

  it("can be disconnected", async () => {
    expect((await remove(creating)).status).toBe(204)
    expect((await read(creating)).status).toBe(404)
  })
})

it("a cluster shows who added it as they are now, and nobody once they are deleted", async () => {
  const userId = await createUser(service, "grace", { admin: true })
  const { text: token } = await issueTokenFor(service, userId)
  const json = { name: "a", environment_scope: "orphan", platform_kubernetes_attributes: { api_url: "https://a", token: "t" } }
  const added = await service.request("POST", "/admin/clusters/add", { json, token })
  const reference = userReference("https://forge.example.com", userId, "grace")
  const cluster = {
    ...shape,
    id: idOf(added),
    name: "a",
    environment_scope: "orphan",
    platform_kubernetes: { ...shape.platform_kubernetes, api_url: "https://a" }
  }
  expectExactly(added.body, { ...cluster, user: reference })
  await service.request("POST", `/users/${userId}/block`)
  await service.request("PUT", `/users/${userId}`, { json: { name: "Grace H" } })
  expectExactly((await read(idOf(added))).body, { ...cluster, user: { ...reference, name: "Grace H", state: "blocked" } })
  expect((await service.request("DELETE", `/users/${userId}`)).status).toBe(204)
  expectExactly((await read(idOf(added))).body, { ...cluster, user: null })
})
