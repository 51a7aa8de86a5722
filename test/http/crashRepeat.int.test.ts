import { Effect } from "effect"
import { expect, it } from "vitest"
import { clusterAggregate } from "#src/clusters/handle.ts"
import { clusterStream } from "#src/clusters/ids.ts"
import { routes } from "#src/composition.ts"
import { load } from "#src/platform/Commands.ts"
import { Secrets } from "#src/platform/Secrets.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { bareEd25519, ed25519, nistp256, otherEd25519, rsa } from "#test/keys/keySamples.ts"
import { createUser, issueTokenFor } from "#test/support/accounts.ts"
import { field } from "#test/support/exactly.ts"
import { requestEvents } from "#test/support/requestEvents.ts"
import { type Received, type Sent, useService } from "#test/support/service.ts"
import { revoked } from "#test/tokens/bodies.ts"

const service = useService()
let users = 0
const newUser = () => createUser(service, `user-${users++}`)
const idOf = ({ body }: Received): number => Number(field(body, "id"))

/** Leaves of a request what a process leaves that died after its last append: events and a claim without an answer. */
const crash = (key: string) =>
  service.run(
    Sql.use(({ client }) =>
      query(
        () => client`update chronoforge.idempotent_answers set status = null, headers = null, body = null, secret_of = null,
          started_at = now() - interval '3 minutes' where key = ${key}`
      )
    ).pipe(Effect.asVoid)
  )

const cluster = (scope: string): Sent => ({
  json: {
    name: "staging",
    environment_scope: scope,
    platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: "first" }
  }
})
const newCluster = async (scope: string): Promise<number> => {
  const added = await service.request("POST", "/admin/clusters/add", cluster(scope))
  return idOf(added)
}
const keptToken = (id: number) =>
  service.run(
    Effect.gen(function* () {
      const { state } = yield* load(clusterAggregate, id)
      return state._tag === "Connected"
        ? yield* Secrets.use(({ open }) => open(clusterStream(id), state.cluster.token))
        : undefined
    })
  )
const dataKeys = (id: number) =>
  service.run(
    Sql.use(({ client }) =>
      query(() => client<Array<object>>`select from chronoforge.data_keys where stream = ${clusterStream(id)}`)
    ).pipe(Effect.map((rows) => rows.length))
  )
const account: Sent = {
  json: { username: "made", name: "made", email: "made@example.com", password: "a good passphrase", note: "n" }
}
const token: Sent = { json: { name: "ci", scopes: ["api"] } }

interface Row {
  readonly path: string
  readonly sent?: Sent
  /** Default: what the first run answered. */
  readonly repeated?: (first: Received) => readonly [status: number, body: unknown]
  /** Whether what the first run made still works after the repeat. */
  readonly works?: (first: Received) => Promise<unknown>
}

const secretIsGone = ({ body }: Received) =>
  [
    409,
    {
      message: `This request was carried out already, and its secret is shown only once: personal access token ${field(body, "id")}`
    }
  ] as const
const tokenWorks = async ({ body }: Received) =>
  (await service.request("GET", "/user", { token: String(field(body, "token")) })).status === 200

const isShown = (path: string) => async (first: Received) =>
  (await service.request("GET", `${path}/${idOf(first)}`)).status === 200

const ofUser =
  (action: string, before: ReadonlyArray<string> = []) =>
  async () => {
    const id = await newUser()
    for (const earlier of before) await service.request("POST", `/users/${id}/${earlier}`)
    return { path: `/users/${id}/${action}` }
  }

const ownToken = async (action: string) => {
  const { text } = await issueTokenFor(service, await newUser())
  return { path: `/personal_access_tokens/self${action}`, sent: { token: text }, repeated: () => [401, revoked] as const }
}

const newKey = async (path: string, { text }: { readonly text: string }) =>
  idOf(await service.request("POST", path, { json: { title: "laptop", key: text } }))

/** Every endpoint that writes. */
const rows: Readonly<Record<string, () => Promise<Row>>> = {
  "users.create": async () => ({ path: "/users", sent: account, works: isShown("/users") }),
  "users.update": async () => ({
    path: `/users/${await newUser()}`,
    sent: { json: { username: "renamed", email: "renamed@example.com", password: "another passphrase", note: "changed" } }
  }),
  "users.delete": async () => ({ path: `/users/${await newUser()}` }),
  "users.block": ofUser("block"),
  "users.unblock": ofUser("unblock", ["block"]),
  "users.deactivate": ofUser("deactivate"),
  "users.activate": ofUser("activate", ["deactivate"]),
  "users.ban": ofUser("ban"),
  "users.unban": ofUser("unban", ["ban"]),
  "personalAccessTokens.create": async () => ({
    path: `/users/${await newUser()}/personal_access_tokens`,
    sent: token,
    repeated: secretIsGone,
    works: tokenWorks
  }),
  "personalAccessTokens.rotate": async () => ({
    path: `/personal_access_tokens/${(await issueTokenFor(service, await newUser())).id}/rotate`,
    repeated: secretIsGone,
    works: tokenWorks
  }),
  "personalAccessTokens.revoke": async () => ({
    path: `/personal_access_tokens/${(await issueTokenFor(service, await newUser())).id}`
  }),
  // The first run ended the token, so the repeat is refused like any other request with it.
  "personalAccessTokens.revokeSelf": () => ownToken(""),
  "personalAccessTokens.rotateSelf": () => ownToken("/rotate"),
  "keys.addOwn": async () => ({
    path: "/user/keys",
    sent: { json: { title: "own", key: ed25519.text } },
    works: isShown("/user/keys")
  }),
  "keys.deleteOwn": async () => ({ path: `/user/keys/${await newKey("/user/keys", otherEd25519)}` }),
  "keys.addForUser": async () => {
    const path = `/users/${await newUser()}/keys`
    return { path, sent: { json: { title: "theirs", key: nistp256.text } }, works: isShown(path) }
  },
  "keys.deleteOfUser": async () => {
    const path = `/users/${await newUser()}/keys`
    return { path: `${path}/${await newKey(path, rsa)}` }
  },
  "keys.createDeployKey": async () => ({
    path: "/deploy_keys",
    sent: { json: { title: "deploy", key: bareEd25519.text } },
    works: isShown("/keys")
  }),
  "clusters.add": async () => ({
    path: "/admin/clusters/add",
    sent: cluster("added"),
    works: async (first) => (await keptToken(idOf(first))) === "first"
  }),
  "clusters.change": async () => ({
    path: `/admin/clusters/${await newCluster("before")}`,
    sent: { json: { environment_scope: "after", platform_kubernetes_attributes: { token: "second" } } },
    works: async (first) => (await keptToken(idOf(first))) === "second"
  }),
  "clusters.delete": async () => {
    const id = await newCluster("deleted")
    return { path: `/admin/clusters/${id}`, works: async () => (await dataKeys(id)) === 0 }
  }
}

const writes = routes.map(({ endpoint }) => endpoint).filter(({ method }) => method !== "GET")
/** Presenting a rotated token writes: it revokes what took its place. */
const writesOnReuse = "personalAccessTokens.rotateSelf"

it("every write endpoint has a row", () => {
  expect(Object.keys(rows).toSorted()).toEqual(writes.map(({ name }) => name).toSorted())
})

it.each(writes.map(({ method, name }) => [name, method] as const))("%s", async (name, method) => {
  const { path, sent = {}, repeated, works } = (await rows[name]?.()) ?? { path: "/no-row" }
  const send = () => service.request(method, path, { ...sent, headers: { "idempotency-key": name } })
  const first = await send()
  expect([first.status, first.body]).toEqual([expect.toSatisfy((status: number) => status < 300), first.body])
  await crash(name)
  const before = await requestEvents(service)
  const second = await send()
  expect([second.status, second.body]).toEqual(repeated === undefined ? [first.status, first.body] : repeated(first))
  if (name !== writesOnReuse) expect(await requestEvents(service)).toBe(before)
  expect(await works?.(first)).toBe(works === undefined ? undefined : true)
})
