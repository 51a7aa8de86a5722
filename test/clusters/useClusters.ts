import { Effect } from "effect"
import { clusterAggregate } from "#src/clusters/aggregate.ts"
import { load } from "#src/platform/Commands.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Secrets } from "#src/platform/secrets/Secrets.ts"
import { anyId, anyTime, field } from "#test/support/exactly.ts"
import { rootReference } from "#test/support/people/userReference.ts"
import type { Fields } from "#test/support/requests/requestForms.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"

const externalUrl = "https://forge.example.com"

const platform: Fields = { api_url: "https://k8s.example.com", token: "secret-token" }
/** What is required of an addition. */
export const complete: Fields = { name: "staging", platform_kubernetes_attributes: platform }
/** The same with other or more fields of the platform. */
export const onPlatform = (fields: Fields): Fields => ({
  ...complete,
  platform_kubernetes_attributes: { ...platform, ...fields }
})

export const platformShape = {
  api_url: "https://k8s.example.com",
  namespace: null,
  authorization_type: "rbac",
  ca_cert: null
}

/** A cluster that was added with nothing but what is required, in the order of the reference. */
export const shape = {
  id: anyId,
  name: "staging",
  created_at: anyTime,
  domain: null,
  enabled: true,
  managed: true,
  provider_type: "user",
  platform_type: "kubernetes",
  environment_scope: "*",
  cluster_type: "instance_type",
  namespace_per_environment: true,
  user: rootReference(externalUrl),
  platform_kubernetes: platformShape,
  provider_gcp: null,
  management_project: null
}

export const idOf = ({ body }: Received): number => Number(field(body, "id"))

export const scopeTaken = { message: { environment_scope: ["cannot add duplicated environment scope"] } }

/** A running service, and short ways to its clusters. */
export const useClusters = () => {
  const service = useService({ EXTERNAL_URL: externalUrl })
  const add = (sent: Sent): Promise<Received> => service.request("POST", "/admin/clusters/add", sent)
  const addWith = (fields: Fields): Promise<Received> => add({ json: { ...complete, ...fields } })
  return {
    service,
    add,
    /** Adds a cluster; `fields` are beside what is required. */
    addWith,
    /** A new cluster that has the scope. */
    addScope: async (scope: string): Promise<number> => idOf(await addWith({ environment_scope: scope })),
    read: (id: number) => service.request("GET", `/admin/clusters/${id}`),
    put: (id: number | string, sent: Sent) => service.request("PUT", `/admin/clusters/${id}`, sent),
    remove: (id: number, sent?: Sent) => service.request("DELETE", `/admin/clusters/${id}`, sent),
    /** The token that is kept for a cluster, in clear. */
    keptToken: (id: number) =>
      service.run(
        Effect.gen(function* () {
          const { state } = yield* load(clusterAggregate, id)
          if (state._tag !== "Connected") return undefined
          const { token } = state.cluster
          return yield* Secrets.use(({ open }) => open(`cluster-${id}`, token))
        })
      ),
    eventTypes: (id: number) =>
      service.run(
        Effect.map(
          EventStore.use((store) => store.read(`cluster-${id}`)),
          (events) => events.map(({ type }) => type)
        )
      )
  }
}
