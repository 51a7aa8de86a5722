import { describe, expect, it } from "vitest"
import { ed25519, nistp256, nistp384, nistp521, rsa } from "#test/keys/keySamples.ts"
import { answerOf, useService } from "#test/support/service.ts"
import { idOf } from "./Write.ts"

const service = useService()
const post = (path: string, json: object) => service.request("POST", path, { json })

const atOnce = 10
const userKeys = [rsa, ed25519, nistp256]
const deployKeys = [nistp384, nistp521]

const user = (text: string) => ({ name: "U", username: text, email: `${text}@example.com`, force_random_password: true })
const cluster = (environment_scope: string) => ({
  name: "c",
  environment_scope,
  platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: "t" }
})
const keyOf = (samples: typeof userKeys, round: number) => ({ title: "k", key: samples[round % samples.length]?.text })

type Made = readonly [things: string, path: () => Promise<string> | string, body: (round: number) => object, rounds: number]

const source = async () => `/projects/${idOf(await post("/projects", { path: "source" }))}/fork`
const made: ReadonlyArray<Made> = [
  ["projects", () => "/projects", (round) => ({ name: `Race ${round}`, path: `race-${round}` }), 3],
  ["forks", source, (round) => ({ name: `Fork ${round}`, path: `fork-${round}` }), 3],
  ["groups", () => "/groups", (round) => ({ name: `Group ${round}`, path: `group-${round}` }), 3],
  ["users", () => "/users", (round) => user(`racer-${round}`), 3],
  ["keys of users", () => "/user/keys", (round) => keyOf(userKeys, round), userKeys.length],
  ["deploy keys", () => "/deploy_keys", (round) => keyOf(deployKeys, round), deployKeys.length],
  ["clusters", () => "/admin/clusters/add", (round) => cluster(`race-${round}`), 3]
]

describe("of those who ask for one name at once, one gets it, and the others are told what anybody is told later", () => {
  it.each(made)("%s", async (_, path, body, rounds) => {
    const target = await path()
    for (let round = 0; round < rounds; round += 1) {
      const answers = await Promise.all(Array.from({ length: atOnce }, () => post(target, body(round))))
      const later = answerOf(await post(target, body(round)))
      const refused = answers.filter(({ status }) => status !== 201).map(answerOf)
      expect(refused).toEqual(Array.from({ length: atOnce - 1 }, () => later))
    }
  })
})

describe("a refused creation uses up no id", () => {
  const rows: ReadonlyArray<
    readonly [things: string, path: string, body: (text: string) => object, refused: ReadonlyArray<object>]
  > = [
    [
      "clusters",
      "/admin/clusters/add",
      cluster,
      [cluster("first"), cluster("not a scope!"), { ...cluster("x"), name: "" }, { ...cluster("x"), domain: "-" }]
    ],
    ["projects", "/projects", (path) => ({ path }), [{ path: "first" }, { path: "-" }, { path: "x", namespace_id: 4711 }]],
    [
      "groups",
      "/groups",
      (path) => ({ name: path, path: `g-${path}` }),
      [
        { name: "g", path: "g-first" },
        { name: "g", path: "-" }
      ]
    ],
    ["users", "/users", user, [user("first"), { ...user("x"), email: "first@example.com" }, { ...user("x"), email: "x" }]]
  ]
  it.each(rows)("%s", async (_, path, body, refused) => {
    const first = idOf(await post(path, body("first")))
    for (const each of refused) expect((await post(path, each)).status).toBeOneOf([400, 409])
    expect(idOf(await post(path, body("second")))).toBe(first + 1)
  })
})
