import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Projections } from "#src/platform/Projections.ts"
import { useService } from "#test/support/service.ts"

describe("rebuilding every read model while requests come in", () => {
  const service = useService()

  const rebuilt = Effect.gen(function* () {
    const projections = yield* Projections
    const id = yield* projections.requestRebuild(projections.names)
    return yield* projections
      .rebuildProgress(id)
      .pipe(Effect.repeat({ until: (it) => it?.state === "finished" || it?.state === "failed" }))
  })

  it("fails no request, loses no write and finds no difference", async () => {
    let running = true
    const statuses = new Map<number, number>()
    const answered = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const read = async () => {
      while (running) answered((await service.request("GET", "/user")).status)
    }
    const added: Array<unknown> = []
    const write = async (writer: number) => {
      for (let round = 0; running; round++) {
        const name = `${writer}-${round}`
        const platform = { api_url: "https://k8s.example.com", token: "t" }
        const json = { name, environment_scope: name, platform_kubernetes_attributes: platform }
        const { body, status } = await service.request("POST", "/admin/clusters/add", { json })
        answered(status)
        added.push(body)
        const { id } = body as { readonly id: number }
        const shown = await service.request("GET", `/admin/clusters/${id}`)
        expect(shown.body).toEqual(body)
      }
    }
    const load = Promise.all([read(), read(), write(1), write(2)])
    for (let round = 0; round < 4; round++) {
      expect(await service.run(rebuilt)).toMatchObject({ state: "finished", differing: 0, error: null })
    }
    running = false
    await load
    expect([...statuses.keys()].sort()).toEqual([200, 201])
    const { headers } = await service.request("GET", "/admin/clusters")
    expect(headers.get("x-total")).toBe(String(added.length))
  })
})
