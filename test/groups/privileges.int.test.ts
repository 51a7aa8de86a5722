import { beforeAll, describe, expect, it } from "vitest"
import type { Sent } from "#test/support/service.ts"
import { type Person, people, useGroups } from "./useGroups.ts"

const { service, as, create, createWithMembers, newPath, userId } = useGroups()

const groups = new Map<string, number>()
beforeAll(async () => {
  for (const visibility of ["private", "internal", "public"]) {
    groups.set(visibility, await createWithMembers(`${visibility}-group`, { visibility }))
  }
})
const idOf = (visibility: string): number => groups.get(visibility) ?? 0

/** The status for each person, in their order. */
const statuses = (request: (person: Person) => Promise<readonly [method: string, path: string, sent?: Sent]>) =>
  Promise.all(
    people.map(async (person) => {
      const [method, path, sent] = await request(person)
      return [person, (await service.request(method, path, as(person, sent))).status]
    })
  )
const expected = (...row: ReadonlyArray<number>) => people.map((person, index) => [person, row[index]])

describe("who may read", () => {
  // anonymous, outsider, external, minimal, guest, reporter, developer, maintainer, owner, administrator
  it.each([
    ["private", [404, 404, 404, 200, 200, 200, 200, 200, 200, 200]],
    ["internal", [404, 200, 404, 200, 200, 200, 200, 200, 200, 200]],
    ["public", [200, 200, 200, 200, 200, 200, 200, 200, 200, 200]]
  ])("a %s group", async (visibility, row) => {
    expect(await statuses(async () => ["GET", `/groups/${idOf(visibility)}`])).toEqual(expected(...row))
    expect(await statuses(async () => ["GET", `/groups/${visibility}-group/subgroups`])).toEqual(expected(...row))
    expect(await statuses(async () => ["GET", `/groups/${idOf(visibility)}/descendant_groups`])).toEqual(expected(...row))
  })

  it.each([
    ["private", [401, 404, 404, 200, 200, 200, 200, 200, 200, 200]],
    ["internal", [401, 200, 404, 200, 200, 200, 200, 200, 200, 200]],
    ["public", [401, 200, 200, 200, 200, 200, 200, 200, 200, 200]]
  ])("the members of a %s group", async (visibility, row) => {
    const id = idOf(visibility)
    for (const path of ["members", "members/all", `members/${userId("guest")}`, `members/all/${userId("guest")}`]) {
      expect(await statuses(async () => ["GET", `/groups/${id}/${path}`])).toEqual(expected(...row))
    }
  })

  it("a namespace", async () => {
    const members = expected(401, 404, 404, 200, 200, 200, 200, 200, 200, 200)
    expect(await statuses(async () => ["GET", `/namespaces/${idOf("public")}`])).toEqual(members)
    expect(await statuses(async () => ["GET", "/namespaces/owner"])).toEqual(
      expected(401, 404, 404, 404, 404, 404, 404, 404, 200, 200)
    )
    expect(await statuses(async () => ["GET", "/namespaces"])).toEqual(expected(401, 200, 200, 200, 200, 200, 200, 200, 200, 200))
  })

  it("lists, which everybody sees, each their own", async () => {
    const seen = await Promise.all(
      people.map(async (person) => {
        const { body } = await service.request("GET", "/groups", as(person))
        return [person, Array.isArray(body) ? body.map(({ path }) => path) : body]
      })
    )
    const all = ["internal-group", "private-group", "public-group"]
    const members = people.slice(3).map((person) => [person, all])
    expect(seen).toEqual([
      ["anonymous", ["public-group"]],
      ["outsider", ["internal-group", "public-group"]],
      ["external", ["public-group"]],
      ...members
    ])
  })
})

describe("who may write", () => {
  it("creates groups: everybody but external users, unless it was taken from them", async () => {
    const json = () => ({ name: "n", path: newPath() })
    expect(await statuses(async () => ["POST", "/groups", { json: json() }])).toEqual(
      expected(401, 201, 403, 201, 201, 201, 201, 201, 201, 201)
    )
    await service.request("PUT", `/users/${userId("outsider")}`, { json: { can_create_group: false } })
    expect(await service.request("POST", "/groups", as("outsider", { json: json() }))).toMatchObject({ status: 403 })
    await service.request("PUT", `/users/${userId("outsider")}`, { json: { can_create_group: true } })
  })

  it.each([
    ["private", {}, [401, 404, 404, 403, 403, 403, 403, 201, 201, 201]],
    ["internal", {}, [401, 403, 404, 403, 403, 403, 403, 201, 201, 201]],
    ["public", {}, [401, 403, 403, 403, 403, 403, 403, 201, 201, 201]],
    ["private", { subgroup_creation_level: "owner" }, [401, 404, 404, 403, 403, 403, 403, 403, 201, 201]]
  ])("creates groups in a %s group with %o", async (visibility, settings, row) => {
    const parent_id = await createWithMembers(newPath(), { visibility, ...settings })
    expect(await statuses(async () => ["POST", "/groups", { json: { name: "n", path: newPath(), parent_id } }])).toEqual(
      expected(...row)
    )
  })

  it.each([
    ["private", [401, 404, 404, 403, 403, 403, 403, 403, 200, 200]],
    ["internal", [401, 403, 404, 403, 403, 403, 403, 403, 200, 200]],
    ["public", [401, 403, 403, 403, 403, 403, 403, 403, 200, 200]]
  ])("changes a %s group, its members, and deletes it", async (visibility, row) => {
    const id = idOf(visibility)
    expect(await statuses(async (person) => ["PUT", `/groups/${id}`, { json: { description: person } }])).toEqual(
      expected(...row)
    )
    const [member, added] = [await newMember(id), row.map((status) => (status === 200 ? 201 : status))]
    expect(await statuses(async () => ["PUT", `/groups/${id}/members/${member}`, { json: { access_level: 10 } }])).toEqual(
      expected(...row)
    )
    const additions = await statuses(async () => {
      const user_id = await newUser()
      return ["POST", `/groups/${id}/members`, { json: { user_id, access_level: 50 } }]
    })
    expect(additions).toEqual(expected(...added))
    const removed = row.map((status) => (status === 200 ? 204 : status))
    expect(await statuses(async () => ["DELETE", `/groups/${id}/members/${await newMember(id)}`])).toEqual(expected(...removed))
    const deleted = row.map((status) => (status === 200 ? 202 : status))
    const deletions = people.map(async (person, index) => {
      const doomed = await createWithMembers(newPath(), { visibility })
      const { status } = await service.request("DELETE", `/groups/${doomed}`, as(person))
      return [status, deleted[index]]
    })
    for (const deletion of deletions) {
      const [status, wanted] = await deletion
      expect(status).toBe(wanted)
    }
  })

  it("members leave by themselves, but for the last owner", async () => {
    const id = await create(newPath())
    for (const [person, access_level] of [
      ["guest", 10],
      ["owner", 50]
    ] as const) {
      await service.request("POST", `/groups/${id}/members`, { json: { user_id: userId(person), access_level } })
    }
    const leave = (person: Person) => service.request("DELETE", `/groups/${id}/members/${userId(person)}`, as(person))
    expect((await leave("guest")).status).toBe(204)
    expect((await service.request("GET", `/groups/${id}`, as("guest"))).status).toBe(404)
    expect((await service.request("DELETE", `/groups/${id}/members/1`)).status).toBe(204)
    expect(await leave("owner")).toMatchObject({ status: 403, body: { message: "403 Forbidden" } })
  })
})

let users = 0
const newUser = async (): Promise<number> => {
  const name = `somebody-${users++}`
  const json = { username: name, name, email: `${name}@example.com`, force_random_password: true }
  const { body } = await service.request("POST", "/users", { json })
  return Number(typeof body === "object" && body !== null && "id" in body ? body.id : 0)
}
const newMember = async (group: number): Promise<number> => {
  const user = await newUser()
  await service.request("POST", `/groups/${group}/members`, { json: { user_id: user, access_level: 20 } })
  return user
}
