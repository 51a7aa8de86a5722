import { Effect } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { type EventStoreDbServer, startEventStoreDbServer } from "#test/support/eventStoreDbServer/EventStoreDbServer.ts"
import { useService } from "#test/support/service.ts"

describe("the service over EventStoreDB", () => {
  let server: EventStoreDbServer | undefined
  const service = useService(async () => {
    server = await startEventStoreDbServer()
    return { EVENTSTORE_URL: server.url }
  })
  afterAll(() => server?.stop())

  const add = (scope: string) =>
    service.request("POST", "/admin/clusters/add", {
      json: {
        name: scope,
        environment_scope: scope,
        platform_kubernetes_attributes: { api_url: "https://k8s.example.com", token: "t" }
      }
    })

  it("shows what was written, refuses what is taken, and keeps no event in Postgres", async () => {
    expect((await add("a")).status).toBe(201)
    expect(await add("a")).toMatchObject({
      status: 400,
      body: { message: { environment_scope: ["cannot add duplicated environment scope"] } }
    })
    const { body } = await service.request("GET", "/admin/clusters")
    expect(body).toMatchObject([{ id: 1, name: "a" }])
    const stored = await service.run(
      Sql.use(({ client }) => query(() => client`select count(*) as events from chronoforge.events`))
    )
    expect(stored).toEqual([{ events: 0 }])
  })

  it("goes on after the connection was lost", async () => {
    server?.dropConnections()
    expect((await add("b")).status).toBe(201)
    expect((await service.request("GET", "/admin/clusters")).body).toMatchObject([{ name: "a" }, { name: "b" }])
  })

  it("rebuilds its read models from that log", async () => {
    const progress = await service.run(
      Effect.gen(function* () {
        const projections = yield* Projections
        const id = yield* projections.requestRebuild(projections.names)
        return yield* projections
          .rebuildProgress(id)
          .pipe(Effect.repeat({ until: (it) => it?.state === "finished" || it?.state === "failed" }))
      })
    )
    expect(progress).toMatchObject({
      state: "finished",
      differing: 0,
      head: await service.run(EventStore.use((store) => store.head))
    })
    expect((await service.request("GET", "/admin/clusters")).body).toMatchObject([{ name: "a" }, { name: "b" }])
  })
})
