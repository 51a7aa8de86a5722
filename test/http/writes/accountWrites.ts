import { Effect } from "effect"
import { clusterAggregate } from "#src/clusters/aggregate.ts"
import { clusterStream } from "#src/clusters/ids.ts"
import { load } from "#src/platform/Commands.ts"
import { Secrets } from "#src/platform/secrets/Secrets.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { issueTokenFor } from "#test/support/people/accounts.ts"
import type { Received, Sent, TestService } from "#test/support/service.ts"
import { revoked } from "#test/tokens/bodies.ts"
import { idOf, makers, newKeyText, type Writes } from "./Write.ts"

const cluster = (scope: string): Sent => ({
  json: {
    name: "staging",
    environment_scope: scope,
    platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: "first" }
  }
})
const account = (username: string): Sent => ({
  json: { username, name: "made", email: `${username}@example.com`, password: "a good passphrase", note: "n" }
})
const token: Sent = { json: { name: "ci", scopes: ["api"] } }

const secretIsGoneMessage = ({ body }: Received) => ({
  message: `This request was carried out already, and its secret is shown only once: personal access token ${field(body, "id")}`
})
const secretIsGone = (first: Received) => [409, secretIsGoneMessage(first)] as const

/** Of users, tokens, keys of users and clusters. */
export const accountWrites = (service: TestService, run: number): Writes => {
  const { isShown, named, newKey, newUser } = makers(service, run)
  const newCluster = async (scope: string): Promise<number> => {
    const added = await service.request("POST", "/admin/clusters/add", cluster(named(scope)))
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
  const tokenWorks = async ({ body }: Received) =>
    (await service.request("GET", "/user", { token: String(field(body, "token")) })).status === 200
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

  return {
    "users.create": async () => ({ path: "/users", sent: account(named("made")), works: isShown("/users") }),
    "users.update": async () => ({
      path: `/users/${await newUser()}`,
      sent: {
        json: {
          username: named("renamed"),
          email: `${named("renamed")}@example.com`,
          password: "another passphrase",
          note: "changed"
        }
      }
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
    // Killed before it ended the token, it is refused as of any other token.
    "personalAccessTokens.rotateSelf": async () => ({
      ...(await ownToken("/rotate")),
      interrupted: (first) => ({ status: 409, body: secretIsGoneMessage(first) })
    }),
    "keys.addOwn": async () => ({
      path: "/user/keys",
      sent: { json: { title: "own", key: newKeyText() } },
      works: isShown("/user/keys")
    }),
    "keys.deleteOwn": async () => ({ path: `/user/keys/${await newKey("/user/keys")}` }),
    "keys.addForUser": async () => {
      const path = `/users/${await newUser()}/keys`
      return { path, sent: { json: { title: "theirs", key: newKeyText() } }, works: isShown(path) }
    },
    "keys.deleteOfUser": async () => {
      const path = `/users/${await newUser()}/keys`
      return { path: `${path}/${await newKey(path)}` }
    },
    "keys.createDeployKey": async () => ({
      path: "/deploy_keys",
      sent: { json: { title: "deploy", key: newKeyText() } },
      works: isShown("/keys")
    }),
    "clusters.add": async () => ({
      path: "/admin/clusters/add",
      sent: cluster(named("added")),
      works: async (first) => (await keptToken(idOf(first))) === "first"
    }),
    "clusters.change": async () => ({
      path: `/admin/clusters/${await newCluster("before")}`,
      sent: { json: { environment_scope: named("after"), platform_kubernetes_attributes: { token: "second" } } },
      works: async (first) => (await keptToken(idOf(first))) === "second"
    }),
    "clusters.delete": async () => {
      const id = await newCluster("deleted")
      return { path: `/admin/clusters/${id}`, works: async () => (await dataKeys(id)) === 0 }
    }
  }
}
