import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { useGroups } from "../groups/useGroups.ts"

const { service, as, create, join, userId } = useGroups()

const notFound = { message: "404 Namespace Not Found" }
let [top, inner] = [0, 0]
beforeAll(async () => {
  top = await create("Acme", { name: "Acme Corp" })
  inner = await create("tools", { parent_id: top, name: "Tools" })
  await join(top, userId("developer"), 30)
  await join(inner, userId("guest"), 10)
  await join(inner, userId("owner"), 50)
})

const personalId = async (person: "developer" | "guest" | "owner") =>
  Number(field((await service.request("GET", `/users/${userId(person)}`)).body, "namespace_id"))

const group = (differences: object) => ({
  id: top,
  name: "Acme Corp",
  path: "Acme",
  kind: "group",
  full_path: "Acme",
  parent_id: null,
  avatar_url: null,
  web_url: `${service.url}/groups/Acme`,
  ...differences
})
const personal = (id: number, name: string) => ({
  id,
  name,
  path: name,
  kind: "user",
  full_path: name,
  parent_id: null,
  avatar_url: null,
  web_url: `${service.url}/${name}`
})
const tools = (differences: object = {}) =>
  group({
    id: inner,
    name: "Tools",
    path: "tools",
    full_path: "Acme/tools",
    parent_id: top,
    web_url: `${service.url}/groups/Acme/tools`,
    ...differences
  })

describe("GET /namespaces/:id", () => {
  it.each(["top", "Acme", "ACME"])("shows a group to its members, by %s", async (way) => {
    const { body } = await service.request("GET", `/namespaces/${way === "top" ? top : way}`, as("developer"))
    expectExactly(body, group({}))
  })

  it("shows owners how many members there are, below too, each once", async () => {
    expectExactly(
      (await service.request("GET", "/namespaces/acme%2Ftools", as("owner"))).body,
      tools({ members_count_with_descendants: 3 })
    )
    expectExactly((await service.request("GET", `/namespaces/${top}`)).body, group({ members_count_with_descendants: 4 }))
  })

  it("shows users their own", async () => {
    const id = await personalId("guest")
    expectExactly((await service.request("GET", "/namespaces/Guest", as("guest"))).body, personal(id, "guest"))
    expectExactly((await service.request("GET", `/namespaces/${id}`)).body, personal(id, "guest"))
  })

  it.each(["999999", "nobody", "owner", "acme%2Fnone"])("knows no %s", async (id) => {
    expect(await service.request("GET", `/namespaces/${id}`, as("guest"))).toMatchObject({ status: 404, body: notFound })
  })

  it("needs a user", async () => {
    expect((await service.request("GET", `/namespaces/${top}`, { token: null })).status).toBe(401)
  })
})

describe("GET /namespaces", () => {
  const list = async (person: "administrator" | "developer" | "guest" | "owner", query = {}) =>
    (await service.request("GET", "/namespaces", as(person, { query }))).body
  const paths = async (...asked: Parameters<typeof list>) => {
    const body = await list(...asked)
    return Array.isArray(body) ? body.map(({ full_path }) => full_path).toSorted() : body
  }

  it("has the user's own and the groups that the user is in", async () => {
    expectExactly(await list("guest"), [personal(await personalId("guest"), "guest"), tools()])
    expect(await paths("developer")).toEqual(["Acme", "developer"])
    expect(await paths("owner", { owned_only: true })).toEqual(["Acme/tools", "owner"])
    expect(await paths("guest", { owned_only: true })).toEqual(["guest"])
    expect(await paths("owner", { top_level_only: true })).toEqual(["owner"])
  })

  it("has all for administrators, page by page", async () => {
    const { body, headers } = await service.request("GET", "/namespaces", as("administrator", { query: { per_page: "3" } }))
    expect([Array.isArray(body) ? body.length : 0, headers.get("x-total")]).toEqual([3, "12"])
  })

  it.each([
    [{ search: "acme" }, ["Acme"]],
    [{ search: "tool" }, ["Acme/tools"]],
    [{ search: "acme/tools" }, []],
    [{ search: "acme/tools", full_path_search: true }, ["Acme/tools"]],
    [{ search: "root" }, ["root"]]
  ])("finds by %o", async (query, expected) => {
    expect(await paths("administrator", query)).toEqual(expected)
  })
})
