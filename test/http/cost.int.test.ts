import { beforeAll, describe, expect, it } from "vitest"
import { useService } from "#test/support/service.ts"

const service = useService()
let cluster = ""

beforeAll(async () => {
  const platform = { api_url: "https://cluster.example", token: "t" }
  const { body } = await service.request("POST", "/admin/clusters/add", {
    json: { name: "c", platform_kubernetes_attributes: platform }
  })
  cluster = String(typeof body === "object" && body !== null && "id" in body ? body.id : body)
})

/** Statements on read models that a request costs. */
const costOf = async (path: string, token?: null): Promise<number> => {
  const before = service.statements.length
  expect((await service.request("GET", path, token === null ? { token } : {})).status).toBe(200)
  return service.statements.slice(before).filter((text) => /\brm_\w+\./.test(text)).length
}

describe("a read with a token costs", () => {
  it.each([
    ["the token and its user together", () => "/user", 1],
    ["no more where nothing else is read", () => "/version", 1],
    ["one more for a record", () => `/admin/clusters/${cluster}`, 2]
  ])("%s", async (_, path, statements) => {
    expect([await costOf(path()), await costOf(path())]).toEqual([statements, statements])
  })
})
