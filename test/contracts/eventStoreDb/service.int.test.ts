import { afterAll, describe, expect, it } from "vitest"
import { type EventStoreDbServer, startEventStoreDbServer } from "#test/support/eventStoreDbServer/EventStoreDbServer.ts"
import { accessDenied, unauthenticated } from "#test/support/eventStoreDbServer/messages.ts"
import { useService } from "#test/support/service.ts"

describe("the service over an EventStoreDB that refuses", () => {
  let server: EventStoreDbServer | undefined
  const service = useService(async () => {
    server = await startEventStoreDbServer()
    return { EVENTSTORE_URL: server.url }
  })
  afterAll(() => server?.stop())

  const add = (name: string) =>
    service.request("POST", "/admin/clusters/add", {
      json: {
        name,
        environment_scope: name,
        platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: "t" }
      }
    })

  it("answers 503 at once, and goes on when it may", async () => {
    expect((await add("a")).status).toBe(201)
    for (const refusal of [accessDenied, unauthenticated]) {
      if (server !== undefined) server.behaviour.refusal = refusal
      const start = performance.now()
      expect(await add("b")).toMatchObject({ status: 503, body: { message: "503 Service Unavailable" } })
      expect(performance.now() - start).toBeLessThan(5_000)
    }
    if (server !== undefined) server.behaviour.refusal = undefined
    expect((await add("b")).status).toBe(201)
    expect((await service.request("GET", "/admin/clusters")).body).toMatchObject([{ name: "a" }, { name: "b" }])
  })
})
