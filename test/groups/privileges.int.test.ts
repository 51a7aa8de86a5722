import { beforeAll, describe, expect, it } from "vitest"
import { everybody, type Somebody } from "#test/support/people/everybody.ts"
import type { Sent } from "#test/support/service.ts"
import { useGroups } from "./useGroups.ts"

const { service, as, create, createWithMembers, newPath, userId } = useGroups()

beforeAll(async () => {
  for (const visibility of ["private", "internal", "public"]) await createWithMembers(`${visibility}-group`, { visibility })
})

/** The status for each person, in their order. */
const statuses = (request: (person: Somebody) => Promise<readonly [method: string, path: string, sent?: Sent]>) =>
  Promise.all(
    everybody.map(async (person) => {
      const [method, path, sent] = await request(person)
      return [person, (await service.request(method, path, as(person, sent))).status]
    })
  )
const expected = (...row: ReadonlyArray<number>) => everybody.map((person, index) => [person, row[index]])

describe("who may read", () => {
  it("a personal namespace", async () => {
    expect(await statuses(async () => ["GET", "/namespaces/owner"])).toEqual(
      expected(401, 404, 404, 404, 404, 404, 404, 404, 200, 200)
    )
  })

  it("lists, which everybody sees, each their own", async () => {
    const seen = await Promise.all(
      everybody.map(async (person) => {
        const { body } = await service.request("GET", "/groups", as(person))
        return [person, Array.isArray(body) ? body.map(({ path }) => path) : body]
      })
    )
    const all = ["internal-group", "private-group", "public-group"]
    const members = everybody.slice(3).map((person) => [person, all])
    expect(seen).toEqual([
      ["anonymous", ["public-group"]],
      ["external", ["public-group"]],
      ["outsider", ["internal-group", "public-group"]],
      ...members
    ])
  })
})

describe("who may write", () => {
  it("nobody creates groups from whom it was taken", async () => {
    await service.request("PUT", `/users/${userId("outsider")}`, { json: { can_create_group: false } })
    expect(await service.request("POST", "/groups", as("outsider", { json: { name: "n", path: newPath() } }))).toMatchObject({
      status: 403
    })
  })

  it("creates groups in a group that keeps that to owners", async () => {
    const parent_id = await createWithMembers(newPath(), { subgroup_creation_level: "owner" })
    expect(await statuses(async () => ["POST", "/groups", { json: { name: "n", path: newPath(), parent_id } }])).toEqual(
      expected(401, 404, 404, 403, 403, 403, 403, 403, 201, 201)
    )
  })

  it("members leave by themselves, but for the last owner", async () => {
    const id = await create(newPath())
    for (const [person, access_level] of [
      ["guest", 10],
      ["owner", 50]
    ] as const) {
      await service.request("POST", `/groups/${id}/members`, { json: { user_id: userId(person), access_level } })
    }
    const leave = (person: Somebody) => service.request("DELETE", `/groups/${id}/members/${userId(person)}`, as(person))
    expect((await leave("guest")).status).toBe(204)
    expect((await service.request("GET", `/groups/${id}`, as("guest"))).status).toBe(404)
    expect((await service.request("DELETE", `/groups/${id}/members/1`)).status).toBe(204)
    expect(await leave("owner")).toMatchObject({ status: 403, body: { message: "403 Forbidden" } })
  })
})
