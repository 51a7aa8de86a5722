import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { freshDatabase } from "#test/support/database.ts"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"

const addCluster = (service: ServeProcess, name: string) =>
  service.request("POST", "/admin/clusters/add", {
    form: {
      name,
      environment_scope: name,
      "platform_kubernetes_attributes[api_url]": "https://k8s.example.com",
      "platform_kubernetes_attributes[token]": "t"
    }
  })

const idOf = (body: unknown): number => (typeof body === "object" && body !== null && "id" in body ? Number(body.id) : Number.NaN)
const nameOf = (body: unknown): unknown => (typeof body === "object" && body !== null && "name" in body ? body.name : undefined)

const isLeader = async (service: ServeProcess): Promise<boolean> => {
  const { body } = await service.request("GET", "/-/metrics")
  return /^chronoforge_leader 1$/m.test(String(body))
}

describe("two service processes on one database", () => {
  const scope = Scope.makeUnsafe()
  let services: [ServeProcess, ServeProcess]

  beforeAll(async () => {
    const url = await Effect.runPromise(Scope.provide(freshDatabase("template0"), scope))
    // Both at once: one migrates, the other waits for it.
    services = await Promise.all([serveProcess({ DATABASE_URL: url }), serveProcess({ DATABASE_URL: url })])
  })
  afterAll(async () => {
    await Promise.all(services.map((service) => service.end("SIGTERM")))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("one projects, and a write on one is readable on the other as soon as it was answered", async () => {
    expect((await Promise.all(services.map(isLeader))).sort()).toEqual([false, true])
    for (let round = 0; round < 20; round++) {
      const [writer, reader] = round % 2 === 0 ? services : [services[1], services[0]]
      const added = await addCluster(writer, `round-${round}`)
      expect(added.status).toBe(201)
      const read = await reader.request("GET", `/admin/clusters/${idOf(added.body)}`)
      expect([read.status, nameOf(read.body)]).toEqual([200, `round-${round}`])
    }
  })

  it("refuses a revoked token and a blocked user on one from the moment the other has answered", async () => {
    const [here, there] = services
    const user = await here.request("POST", "/users", {
      json: { username: "ada", name: "Ada", email: "ada@example.com", force_random_password: true }
    })
    const issue = async () => {
      const { body } = await here.request("POST", `/users/${idOf(user.body)}/personal_access_tokens`, {
        json: { name: "t", scopes: ["api"] }
      })
      return { id: idOf(body), token: typeof body === "object" && body !== null && "token" in body ? String(body.token) : "" }
    }
    const status = async (service: ServeProcess, token: string) => (await service.request("GET", "/user", { token })).status
    const [revoked, blocked] = [await issue(), await issue()]
    expect([await status(there, revoked.token), await status(there, blocked.token)]).toEqual([200, 200])
    await here.request("DELETE", `/personal_access_tokens/${revoked.id}`)
    expect(await status(there, revoked.token)).toBe(401)
    await there.request("POST", `/users/${idOf(user.body)}/block`)
    expect(await status(here, blocked.token)).toBe(403)
  })

  it("hands over from a projecting one that stands still for 5 seconds", async () => {
    const [leader, follower] = (await isLeader(services[0])) ? services : [services[1], services[0]]
    const before = performance.now()
    process.kill(leader.pid, "SIGSTOP")
    expect((await addCluster(follower, "beside one that stands still")).status).toBe(201)
    const millis = performance.now() - before
    expect(await isLeader(follower)).toBe(true)
    // It showed itself alive up to a second before it stopped.
    expect(millis).toBeGreaterThan(3_900)
    expect(millis).toBeLessThan(7_500)
    process.kill(leader.pid, "SIGCONT")
    expect((await addCluster(leader, "by one that stood still")).status).toBe(201)
    expect((await Promise.all(services.map(isLeader))).sort()).toEqual([false, true])
  })

  it("hands over when the projecting one is killed, sooner than a write gives up", async () => {
    const [leader, follower] = (await isLeader(services[0])) ? services : [services[1], services[0]]
    await leader.end("SIGKILL")
    const added = await addCluster(follower, "after the kill")
    expect(added.status).toBe(201)
    expect(await isLeader(follower)).toBe(true)
  })
})
