import { Result, Schema } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { clusterRoutes } from "#src/clusters/handlers.ts"
import { keyRoutes } from "#src/keys/handlers.ts"
import { ed25519, nistp256, rsa } from "#test/keys/keySamples.ts"
import { createUser } from "#test/support/accounts.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"

const service = useService()

const endpoints = [...clusterRoutes, ...keyRoutes].map(({ endpoint }) => endpoint)
const answers = new Map<string, Array<Received>>()

/** Sends a request and notes its answer as one of the endpoint. */
const ask = async (name: string, sent?: Sent, ids: Readonly<Record<string, unknown>> = {}): Promise<unknown> => {
  const declared = endpoints.find((endpoint) => endpoint.name === name)
  if (declared === undefined) throw new Error(`no endpoint ${name}`)
  const path = declared.path.replace(/:(\w+)/g, (_, id: string) => String(ids[id]))
  const received = await service.request(declared.method, path, sent)
  answers.set(name, [...(answers.get(name) ?? []), received])
  return received.body
}

beforeAll(async () => {
  const platform = { api_url: "https://k8s.example.com", token: "t", namespace: "team" }
  const cluster = await ask("clusters.add", { json: { name: "a", domain: "a.b", platform_kubernetes_attributes: platform } })
  const cluster_id = field(cluster, "id")
  await ask("clusters.change", { json: { domain: "" } }, { cluster_id })
  await ask("clusters.read", {}, { cluster_id })
  await ask("clusters.list")
  await ask("clusters.delete", {}, { cluster_id })

  const user_id = await createUser(service, "ada")
  const json = { title: "a", key: ed25519.text, expires_at: "2100-01-01" }
  const key_id = field(await ask("keys.addForUser", { json }, { user_id }), "id")
  await ask("keys.listOfUser", {}, { user_id })
  await ask("keys.readOfUser", {}, { id: user_id, key_id })
  await ask("keys.read", {}, { id: key_id })
  await ask("keys.find", { query: { fingerprint: ed25519.fingerprint } })
  await ask("keys.deleteOfUser", {}, { id: user_id, key_id })
  const own = field(await ask("keys.addOwn", { json: { title: "b", key: nistp256.text } }), "id")
  await ask("keys.listOwn")
  await ask("keys.readOwn", {}, { key_id: own })
  await ask("keys.deleteOwn", {}, { key_id: own })
  const deploy = field(await ask("keys.createDeployKey", { json: { title: "c", key: rsa.text } }), "id")
  await ask("keys.listDeployKeys")
  await ask("keys.read", {}, { id: deploy })
  await ask("keys.find", { query: { fingerprint: rsa.fingerprint } })
})

it("every endpoint is asked", () => {
  expect([...answers.keys()].sort()).toEqual(endpoints.map(({ name }) => name).sort())
})

describe.each(endpoints.map((endpoint) => [endpoint.name, endpoint.success] as const))("%s", (name, { body, status }) => {
  it("answers as its contract says: status, keys and their order, kinds", () => {
    const received = answers.get(name) ?? []
    expect(received.map((answer) => answer.status)).toEqual(received.map(() => status))
    for (const answer of received) {
      if (body === undefined) {
        expect(answer.body).toBeUndefined()
        continue
      }
      const shape = Schema.make<Schema.Codec<unknown>>(body.ast)
      const decode = Schema.decodeUnknownResult(shape, { onExcessProperty: "error", errors: "all" })
      const decoded = decode(answer.body)
      expect(Result.isFailure(decoded) ? String(decoded.failure) : undefined).toBeUndefined()
      expectExactly(answer.body, Result.getOrUndefined(decoded))
    }
  })
})
