import { beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import type { Somebody } from "#test/support/people/everybody.ts"
import { rootReference } from "#test/support/people/userReference.ts"
import { answerOf } from "#test/support/service.ts"
import { forbidden, groupNotFound } from "../groups/bodies.ts"
import { idOf, useGroups } from "../groups/useGroups.ts"

const { service, as, create, join, newPath, userId } = useGroups()

const usernames = (body: unknown) => (Array.isArray(body) ? body.map(({ username }) => username) : body)

describe("members of a private group that is invited", () => {
  const things = { group: "", subgroup: "", project: "", "shared project": "" }
  beforeAll(async () => {
    const above = await create(newPath())
    const invited = await create(newPath(), { parent_id: above })
    await join(above, userId("reporter"), 20)
    await join(invited, userId("developer"), 30)
    const inner = await create(newPath(), { parent_id: invited })
    await join(inner, userId("guest"), 10)
    const group = await create(newPath(), { visibility: "public" })
    await join(group, userId("maintainer"), 40)
    await join(group, userId("owner"), 50)
    const subgroup = await create(newPath(), { parent_id: group, visibility: "public" })
    const newProject = async (namespace_id: number) =>
      idOf(await service.request("POST", "/projects", { json: { name: newPath(), namespace_id, visibility: "public" } }))
    const [project, shared] = [await newProject(subgroup), await newProject(subgroup)]
    const share = (thing: string) => service.request("POST", `${thing}/share`, { json: { group_id: invited, group_access: 30 } })
    await share(`/groups/${group}`)
    await share(`/projects/${shared}`)
    things.group = `/groups/${group}`
    things.subgroup = `/groups/${subgroup}`
    things.project = `/projects/${project}`
    things["shared project"] = `/projects/${shared}`
  })

  const rest = ["maintainer", "owner", "root"]
  const all = ["developer", "maintainer", "owner", "reporter", "root"]
  describe.each(["group", "subgroup", "project", "shared project"] as const)("to a %s", (name) => {
    it.each<[Somebody, ReadonlyArray<string>]>([
      ["outsider", rest],
      ["external", rest],
      ["owner", rest],
      ["reporter", all],
      ["developer", all],
      ["guest", all],
      ["administrator", all]
    ])("are shown to those who may see that group: %s", async (person, shown) => {
      const list = await service.request("GET", `${things[name]}/members/all`, as(person))
      expect([usernames(list.body)].flat().sort()).toEqual(shown)
      expect(list.headers.get("x-total")).toBe(String(shown.length))
      const one = await service.request("GET", `${things[name]}/members/all/${userId("developer")}`, as(person))
      expect(one.status).toBe(shown === all ? 200 : 404)
      if (shown === rest) expect(one.body).toEqual({ message: "404 Not found" })
    })
  })

  it.each<[Somebody, boolean]>([
    ["guest", false],
    ["developer", true],
    ["reporter", true],
    ["administrator", true]
  ])("tell who added them to its members alone: %s %s", async (person, isTold) => {
    for (const thing of Object.values(things)) {
      const one = await service.request("GET", `${thing}/members/all/${userId("developer")}`, as(person))
      expect(field(one.body, "created_by")).toEqual(isTold ? rootReference(service.url) : null)
      const direct = await service.request("GET", `${thing}/members/all/1`, as(person))
      expect(direct.status).toBe(200)
    }
  })

  it("who are members in another way too are shown as that alone", async () => {
    const [group, invited] = [await create(newPath(), { visibility: "public" }), await create(newPath())]
    await join(group, userId("guest"), 10)
    await join(invited, userId("guest"), 40)
    await service.request("POST", `/groups/${group}/share`, { json: { group_id: invited, group_access: 40 } })
    const level = async (person: Somebody) =>
      (await service.request("GET", `/groups/${group}/members/all/${userId("guest")}`, as(person))).body
    expect(await level("outsider")).toMatchObject({ access_level: 10 })
    expect(await level("guest")).toMatchObject({ access_level: 40 })
  })

  it("are shown where the group is internal, but not to external users", async () => {
    const [group, invited] = [
      await create(newPath(), { visibility: "public" }),
      await create(newPath(), { visibility: "internal" })
    ]
    await join(invited, userId("guest"), 10)
    await service.request("POST", `/groups/${group}/share`, { json: { group_id: invited, group_access: 40 } })
    const list = async (person: Somebody) =>
      usernames((await service.request("GET", `/groups/${group}/members/all`, as(person))).body)
    expect(await list("outsider")).toEqual(["root", "guest"])
    expect(await list("external")).toEqual(["root"])
  })
})

describe("a private group", () => {
  it("shows its members to none who are members of something below it alone", async () => {
    const group = await create(newPath())
    const subgroup = await create(newPath(), { parent_id: group })
    await join(subgroup, userId("owner"), 50)
    const read = (path: string) => service.request("GET", `/groups/${group}${path}`, as("owner"))
    expect((await read("")).status).toBe(200)
    for (const path of ["/members", "/members/all", "/members/1", "/members/all/1"]) {
      expect(answerOf(await read(path))).toEqual([403, forbidden])
    }
    const inherited = await service.request("GET", `/groups/${subgroup}/members/all`, as("owner"))
    expect(usernames(inherited.body)).toEqual(["root", "owner"])
    const hidden = await service.request("GET", `/groups/${group}/members`, as("outsider"))
    expect(answerOf(hidden)).toEqual([404, groupNotFound])
  })
})
