import { describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { detailsBody, forbidden, groupNotFound } from "./bodies.ts"
import { idOf, useGroups } from "./useGroups.ts"

const { service, as, create, createWithMembers, join, newPath, userId } = useGroups()

const transfer = (id: number | string, group_id: number | null) =>
  service.request("POST", `/groups/${id}/transfer`, { json: group_id === null ? {} : { group_id } })
const read = (id: number | string) => service.request("GET", `/groups/${encodeURIComponent(id)}`)
const newProject = async (namespace_id: number, path: string, visibility: string) =>
  idOf(await service.request("POST", "/projects", { json: { name: path, path, namespace_id, visibility } }))
const failed = (reason: string) => [400, { message: `Transfer failed: ${reason}` }]

describe.each(requestForms)("a transfer sent as %s", (_, sent) => {
  it("takes a group below another one, and back to the top level", async () => {
    const [path, parentPath] = [newPath(), newPath()]
    const [id, parent] = [await create(path), await create(parentPath)]
    const moved = await service.request("POST", `/groups/${path}/transfer`, sent({ group_id: parent }))
    const differences = { parent_id: parent, full_name: `${parentPath} / ${path}` }
    const body = detailsBody(path, `${parentPath}/${path}`, service.url, differences)
    expect(moved.status).toBe(201)
    expectExactly(moved.body, body)
    expectExactly((await read(id)).body, body)
    const back = await service.request("POST", `/groups/${id}/transfer`, sent({}))
    expect(back.status).toBe(201)
    expectExactly(back.body, detailsBody(path, path, service.url))
  })
})

describe("what is below the group", () => {
  it("goes with it, is found under its former paths, and shows no more than the new parent", async () => {
    const [path, parentPath] = [newPath(), newPath()]
    const open = { visibility: "public" }
    const [id, parent] = [await create(path, open), await create(parentPath, { visibility: "internal" })]
    const below = await create("below", { parent_id: id, ...open })
    const hidden = await create("hidden", { parent_id: below })
    const projects = [await newProject(id, "one", "public"), await newProject(below, "two", "public")]
    const kept = await newProject(hidden, "three", "private")
    expect((await transfer(id, parent)).status).toBe(201)
    const shown = async (thing: string) => {
      const { body } = await service.request("GET", thing)
      return [field(body, thing.startsWith("/p") ? "path_with_namespace" : "full_path"), field(body, "visibility")]
    }
    const at = `${parentPath}/${path}`
    expect(await Promise.all([id, below, hidden].map((each) => shown(`/groups/${each}`)))).toEqual([
      [at, "internal"],
      [`${at}/below`, "internal"],
      [`${at}/below/hidden`, "private"]
    ])
    expect(await Promise.all([...projects, kept].map((each) => shown(`/projects/${each}`)))).toEqual([
      [`${at}/one`, "internal"],
      [`${at}/below/two`, "internal"],
      [`${at}/below/hidden/three`, "private"]
    ])
    const redirected = await service.request("GET", `/projects/${encodeURIComponent(`${path}/below/two`)}`)
    expect([redirected.status, redirected.headers.get("location")]).toEqual([
      301,
      `${service.url}/api/v4/projects/${projects[1]}`
    ])
    expect((await read(`${path}/below`)).headers.get("location")).toBe(`${service.url}/api/v4/groups/${below}`)
    expect(await create(path)).toBeGreaterThan(id)
    expect((await read(`${path}/below`)).status).toBe(404)
  })

  it("is there for the members of the new parent, no longer for those of the former one", async () => {
    const [from, to] = [await create(newPath()), await create(newPath())]
    const id = await create(newPath(), { parent_id: from })
    await join(from, userId("guest"), 10)
    await join(to, userId("developer"), 30)
    const seen = async () =>
      Promise.all(
        (["guest", "developer"] as const).map(async (one) => (await service.request("GET", `/groups/${id}`, as(one))).status)
      )
    expect(await seen()).toEqual([200, 404])
    await transfer(id, to)
    expect(await seen()).toEqual([404, 200])
  })
})

describe("the owner", () => {
  it("of a group that comes to the top level without one is who brings it there", async () => {
    const parent = await createWithMembers(newPath())
    const owned = await service.request(
      "POST",
      "/groups",
      as("owner", { json: { name: "a", path: newPath(), parent_id: parent } })
    )
    const id = idOf(owned)
    await service.request("DELETE", `/groups/${id}/members/${userId("owner")}`)
    const path = `/groups/${id}/members`
    expect((await service.request("GET", path)).body).toEqual([])
    expect((await service.request("POST", `/groups/${id}/transfer`, as("owner"))).status).toBe(201)
    const { body } = await service.request("GET", path)
    expect(Array.isArray(body) && body.map((member) => [field(member, "id"), field(member, "access_level")])).toEqual([
      [userId("owner"), 50]
    ])
  })
})

describe("what is refused", () => {
  it("says why", async () => {
    const [path, top] = [newPath(), newPath()]
    const [id, parent] = [await create(top), await create(newPath())]
    const below = await create(path, { parent_id: id })
    const reserved = await create("users", { parent_id: id })
    await newProject(parent, path, "private")
    const said = async (group: number | string, to: number | null) => {
      const { body, status } = await transfer(group, to)
      return [status, body]
    }
    expect(await said(id, null)).toEqual(failed("Group is already a root group."))
    expect(await said(below, id)).toEqual(failed("Group is already associated to the parent group."))
    expect(await said(id, id)).toEqual(failed("Cannot transfer group to one of its subgroup."))
    expect(await said(id, below)).toEqual(failed("Cannot transfer group to one of its subgroup."))
    expect(await said(below, parent)).toEqual(failed("The parent group already has a subgroup or a project with the same path."))
    expect(await said(reserved, null)).toEqual(failed("Validation failed: Path is a reserved name"))
    expect(await said(id, 999_999)).toEqual([404, groupNotFound])
    expect(await said(999_999, id)).toEqual([404, groupNotFound])
  })

  it("of who may not create groups there, or does not own it", async () => {
    const [id, other] = [await createWithMembers(newPath()), await create(newPath(), { visibility: "public" })]
    const ask = async (person: "maintainer" | "owner", group_id: number) => {
      const { body, status } = await service.request("POST", `/groups/${id}/transfer`, as(person, { json: { group_id } }))
      return [status, body]
    }
    expect(await ask("maintainer", other)).toEqual([403, forbidden])
    expect(await ask("owner", other)).toEqual(failed("You don't have enough permissions."))
    expect(await ask("owner", await create(newPath()))).toEqual([404, groupNotFound])
  })
})

describe("the places for a group", () => {
  it("are the groups that the caller owns, but itself, what is below it, and where it is", async () => {
    const [from, maintained, to] = [await create(newPath()), await create(newPath()), await create(newPath())]
    const id = await create(newPath(), { parent_id: from })
    const below = await create("below", { parent_id: id })
    for (const [group, level] of [
      [from, 50],
      [maintained, 40],
      [to, 50]
    ] as const)
      await join(group, userId("outsider"), level)
    const inside = await create("inside", { parent_id: to })
    const { body } = await service.request("GET", `/groups/${id}/transfer_locations`, as("outsider"))
    const names = [to, inside, maintained, below]
    const ids = Array.isArray(body) ? body.map((one) => Number(field(one, "id"))) : []
    expect(names.map((one) => ids.includes(one))).toEqual([true, true, false, false])
    expect(ids.length).toBe(2)
  })
})
