import { beforeAll, describe, expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { useService } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"

const service = useService()
let cluster = ""

beforeAll(async () => {
  const platform = { api_url: "https://cluster.example", token: "t" }
  const { body } = await service.request("POST", "/admin/clusters/add", {
    json: { name: "c", platform_kubernetes_attributes: platform }
  })
  cluster = String(field(body, "id"))
  // Token and user change once more when it is noted that they are in use.
  const isNoted = async (path: string, name: string) => field((await service.request("GET", path)).body, name) !== null
  await until(() => isNoted("/personal_access_tokens/self", "last_used_at"))
  await until(() => isNoted("/user", "last_activity_on"))
})

/** Statements on read models that a request costs. */
const statementsOf = async (path: string): Promise<ReadonlyArray<string>> => {
  const before = service.statements.length
  expect((await service.request("GET", path)).status).toBe(200)
  return service.statements.slice(before).filter((text) => /\brm_\w+\./.test(text))
}
const costOf = async (path: string): Promise<number> => (await statementsOf(path)).length

describe("a read with a token costs", () => {
  it.each([
    ["a look whether token and user are as they were", () => "/user", 1],
    ["no more where nothing else is read", () => "/version", 1],
    ["one more for a record", () => `/admin/clusters/${cluster}`, 2]
  ])("%s", async (_, path, statements) => {
    expect([await costOf(path()), await costOf(path())]).toEqual([statements, statements])
  })

  it("one more after the user was changed, whose change it shows", async () => {
    await service.request("PUT", "/users/1", { json: { name: "Renamed" } })
    expect([await costOf("/user"), await costOf("/user")]).toEqual([2, 1])
    expect((await service.request("GET", "/user")).body).toMatchObject({ name: "Renamed" })
  })

  it("the whole of token and user after the connection was lost, for another server may have taken over", async () => {
    const others = "datname = current_database() and pid <> pg_backend_pid() and application_name = 'chronoforge'"
    await service.run(
      Sql.use(({ client }) =>
        query(() => client.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`))
      )
    )
    const before = service.statements.length
    // A request may still meet the end of the connection.
    await expect.poll(async () => (await service.request("GET", "/user")).status).toBe(200)
    const whole = (text: string) => text.includes("rm_tokens.tokens") && text.includes("u.username")
    expect(service.statements.slice(before).filter(whole).length).toBe(1)
    expect((await statementsOf("/user")).filter(whole)).toEqual([])
  })
})
