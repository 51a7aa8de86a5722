import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { groupAggregate } from "#src/groups/aggregate.ts"
import { groupStream } from "#src/groups/ids.ts"
import { handle } from "#src/platform/Commands.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { anyId, anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { everybody, levels, type Somebody } from "#test/support/people/everybody.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf } from "#test/support/service.ts"
import { detailsBody, forbidden, groupNotFound, unauthorized } from "../groups/bodies.ts"
import { idOf, useGroups } from "../groups/useGroups.ts"

const { service, as, create, createWithMembers, join, newPath, userId } = useGroups()

const newProject = async (namespace_id: number, more: object = {}): Promise<number> =>
  idOf(await service.request("POST", "/projects", { json: { name: newPath(), namespace_id, ...more } }))
const share = (thing: string, json: object) => service.request("POST", `${thing}/share`, { json })
const shareAll = (thing: string, group_id: number, group_access: number) => share(thing, { group_id, group_access })
const sharedWith = (group_id: number, path: string, group_access_level: number, expires_at: string | null = null) => ({
  group_id,
  group_name: path,
  group_full_path: path,
  group_access_level,
  expires_at
})
const linkNotFound = [404, { message: "404 Group Link Not Found" }]
const notToBeShared = [404, { message: "Not Found" }]

/** The role of a person in a project or group, as `members/all` tells it. */
const roleOf = async (thing: string, person: Somebody) => {
  const { body } = await service.request("GET", `${thing}/members/all/${userId(person)}`)
  return field(body, "access_level")
}

describe.each(requestForms)("a group shared as %s", (_, sent) => {
  it("shows with whom, until that ends", async () => {
    const [path, invitedPath] = [newPath(), newPath()]
    const [id, invited] = [await create(path), await create(invitedPath)]
    const input = { group_id: invited, group_access: 30, expires_at: "2100-01-02" }
    const received = await service.request("POST", `/groups/${id}/share`, sent(input))
    const body = {
      ...detailsBody(path, path, service.url),
      shared_with_groups: [sharedWith(invited, invitedPath, 30, "2100-01-02")]
    }
    expect(received.status).toBe(201)
    expectExactly(received.body, body)
    expectExactly((await service.request("GET", `/groups/${id}`)).body, body)
    const end = () => service.request("DELETE", `/groups/${id}/share/${invited}`)
    expect(answerOf(await end())).toEqual([204, undefined])
    expect(field((await service.request("GET", `/groups/${id}`)).body, "shared_with_groups")).toEqual([])
    expect(answerOf(await end())).toEqual(linkNotFound)
  })
})

describe.each(requestForms)("a project shared as %s", (_, sent) => {
  it("shows with whom, and is shown with the group, until that ends", async () => {
    const invitedPath = newPath()
    const [project, invited] = [await newProject(await create(newPath())), await create(invitedPath)]
    const input = { group_id: invited, group_access: 50, expires_at: "2100-01-02" }
    const received = await service.request("POST", `/projects/${project}/share`, sent(input))
    expect(received.status).toBe(201)
    expectExactly(received.body, { id: anyId, project_id: project, ...input })
    const shown = async () => [
      field((await service.request("GET", `/projects/${project}`)).body, "shared_with_groups"),
      ids(field((await service.request("GET", `/groups/${invited}`)).body, "shared_projects"))
    ]
    expectExactly(await shown(), [[sharedWith(invited, invitedPath, 50, "2100-01-02")], [project]])
    const end = (since = "Fri, 01 Jan 2100 00:00:00 GMT") =>
      service.request("DELETE", `/projects/${project}/share/${invited}`, { headers: { "if-unmodified-since": since } })
    expect((await end("Sat, 01 Jan 2000 00:00:00 GMT")).status).toBe(412)
    expect(answerOf(await end())).toEqual([204, undefined])
    expect(await shown()).toEqual([[], []])
    expect(answerOf(await end())).toEqual(linkNotFound)
    const noNumber = await service.request("DELETE", `/projects/${project}/share/foo`)
    expect(answerOf(noNumber)).toEqual([400, { error: "group_id is invalid" }])
  })
})

const ids = (list: unknown) => (Array.isArray(list) ? list.map(({ id }) => id) : list)

describe("what is refused", () => {
  type Row = readonly [given: string, json: (invited: number, shared: number) => object, status: number, body: unknown]
  const parameters = "group_id is missing, group_access is missing, group_access does not have a valid value"
  const rows: ReadonlyArray<Row> = [
    ["nothing", () => ({}), 400, { error: parameters }],
    [
      "a level that is none",
      (group_id) => ({ group_id, group_access: 5 }),
      400,
      { error: "group_access does not have a valid value" }
    ],
    [
      "what is no number, and a date that is none",
      () => ({ group_id: "x", group_access: 30, expires_at: "x" }),
      400,
      { error: "group_id is invalid, expires_at is invalid" }
    ],
    [
      "a date in the past",
      (group_id) => ({ group_id, group_access: 30, expires_at: "2001-01-01" }),
      400,
      { message: { expires_at: ["cannot be a date in the past"] } }
    ]
  ]
  const ofGroups: ReadonlyArray<Row> = [
    ...rows,
    ["an unknown group", () => ({ group_id: 999_999, group_access: 30 }), 404, groupNotFound],
    [
      "a group that is invited",
      (_, group_id) => ({ group_id, group_access: 30 }),
      409,
      { message: "Shared group The group has already been shared with this group" }
    ]
  ]
  it.each(ofGroups)("of a group: %s", async (_, json, status, body) => {
    const [id, invited, shared] = [await create(newPath()), await create(newPath()), await create(newPath())]
    await shareAll(`/groups/${id}`, shared, 20)
    expect(answerOf(await share(`/groups/${id}`, json(invited, shared)))).toEqual([status, body])
  })

  const ofProjects: ReadonlyArray<Row> = [
    ...rows,
    ["an unknown group", () => ({ group_id: 999_999, group_access: 30 }), 404, { message: "Not Found" }],
    [
      "a group that is invited",
      (_, group_id) => ({ group_id, group_access: 30 }),
      409,
      { message: "Project already shared with this group" }
    ]
  ]
  it.each(ofProjects)("of a project: %s", async (_, json, status, body) => {
    const [project, invited, shared] = [
      await newProject(await create(newPath())),
      await create(newPath()),
      await create(newPath())
    ]
    await shareAll(`/projects/${project}`, shared, 20)
    expect(answerOf(await share(`/projects/${project}`, json(invited, shared)))).toEqual([status, body])
  })

  it("a project with the groups around it, and where a group forbids it", async () => {
    const top = await create(newPath())
    const inner = await create(newPath(), { parent_id: top })
    const project = await newProject(inner)
    const above = { message: "Project cannot be shared with the group it is in or one of its ancestors." }
    for (const group of [top, inner]) expect(answerOf(await shareAll(`/projects/${project}`, group, 10))).toEqual([409, above])
    await service.request("PUT", `/groups/${top}`, { json: { share_with_group_lock: true } })
    expect(answerOf(await shareAll(`/projects/${project}`, await create(newPath()), 10))).toEqual([
      400,
      { message: "The project sharing with group is disabled" }
    ])
  })

  it("a group from outside, where only those within may be invited", async () => {
    const top = await create(newPath(), { prevent_sharing_groups_outside_hierarchy: true })
    const inner = await create(newPath(), { parent_id: top })
    const [within, outside] = [await create(newPath(), { parent_id: top }), await create(newPath())]
    const project = await newProject(inner)
    for (const thing of [`/groups/${inner}`, `/projects/${project}`]) {
      expect(answerOf(await shareAll(thing, outside, 10))).toEqual(notToBeShared)
      expect((await shareAll(thing, within, 10)).status).toBe(201)
    }
  })
})

describe("nobody shares", () => {
  it("as Maintainer a project with Owners, and with a group that they are not in or do not see", async () => {
    const group = await createWithMembers(newPath())
    const project = await newProject(group)
    const invited = await createWithMembers(newPath())
    const as40 = (method: string, path: string, json?: object) =>
      service.request(method, `/projects/${project}/share${path}`, as("maintainer", { json })).then(answerOf)
    expect(await as40("POST", "", { group_id: invited, group_access: 50 })).toEqual([403, forbidden])
    await shareAll(`/projects/${project}`, invited, 50)
    expect(await as40("DELETE", `/${invited}`)).toEqual([403, forbidden])
    const stranger = await create(newPath(), { visibility: "public" })
    expect(await as40("POST", "", { group_id: stranger, group_access: 10 })).toEqual(notToBeShared)
    const hidden = { group_id: await create(newPath()), group_access: 10 }
    expect(answerOf(await service.request("POST", `/groups/${group}/share`, as("owner", { json: hidden })))).toEqual([
      404,
      groupNotFound
    ])
    expect(answerOf(await service.request("POST", `/groups/${group}/share`, { token: null, json: hidden }))).toEqual([
      401,
      unauthorized
    ])
  })
})

describe("members of an invited group", () => {
  const members = Object.entries(levels)
  let [invited, shared, below, inside] = [0, 0, 0, 0]
  beforeAll(async () => {
    const above = await create("above-invited")
    await join(above, userId("outsider"), 20)
    invited = await createWithMembers("invited", { parent_id: above })
    const top = await create("top-of-shared")
    shared = await create("shared", { parent_id: top })
    below = await create("below-shared", { parent_id: shared })
    inside = await newProject(below)
    await shareAll(`/groups/${shared}`, invited, 30)
  })
  const things = () => [`/groups/${shared}`, `/groups/${below}`, `/projects/${inside}`]

  it.each(members)("have their level, up to that of the share: %s %i", async (person, level = 0) => {
    const who = everybody.find((each) => each === person) ?? "anonymous"
    for (const thing of things()) expect(await roleOf(thing, who)).toBe(Math.min(level, 30))
    expect((await service.request("GET", `/groups/${below}`, as(who))).status).toBe(200)
    expect((await service.request("GET", `/projects/${inside}`, as(who))).status).toBe(level >= 10 ? 200 : 404)
    expect((await service.request("PUT", `/groups/${shared}`, as(who, { json: { description: "d" } }))).status).toBe(403)
  })

  it("are those from above it too, but not those of groups invited to it", async () => {
    for (const thing of things()) expect(await roleOf(thing, "outsider")).toBe(20)
    const others = await create(newPath())
    await join(others, userId("external"), 50)
    await shareAll(`/groups/${invited}`, others, 50)
    expect(await roleOf(`/groups/${invited}`, "external")).toBe(50)
    for (const thing of things()) expect(await roleOf(thing, "external")).toBeUndefined()
    expect((await service.request("GET", `/groups/${shared}`, as("external"))).status).toBe(404)
  })

  it("are members of all kinds, but no direct ones", async () => {
    const { body } = await service.request("GET", `/groups/${shared}/members/all`, {
      query: { user_ids: String(userId("owner")) }
    })
    expectExactly(body, [
      {
        id: userId("owner"),
        username: "owner",
        name: "owner",
        state: "active",
        locked: false,
        avatar_url: null,
        web_url: `${service.url}/owner`,
        access_level: 30,
        created_at: anyTime,
        created_by: field((await service.request("GET", `/groups/${invited}/members/${userId("owner")}`)).body, "created_by"),
        expires_at: null,
        membership_state: "active"
      }
    ])
    expect((await service.request("GET", `/groups/${shared}/members/${userId("owner")}`)).status).toBe(404)
    const users = (await service.request("GET", `/projects/${inside}/users`, { query: { search: "reporter" } })).body
    expect(ids(users)).toEqual([userId("reporter")])
  })

  it("find what is shared in their lists, and the way to it", async () => {
    const list = async (path: string, query = {}) =>
      ids((await service.request("GET", path, as("developer", { query: { per_page: "100", ...query } }))).body)
    const top = field((await service.request("GET", "/groups/top-of-shared")).body, "id")
    expect(await list("/groups", { all_available: "false", search: "shared" })).toEqual([below, shared, top])
    expect(await list("/groups", { min_access_level: "30", search: "shared" })).toEqual([below, shared])
    expect(await list("/groups", { min_access_level: "40", search: "shared" })).toEqual([])
    expect(
      await list("/projects", { id_after: String(inside - 1), id_before: String(inside + 1), min_access_level: "30" })
    ).toEqual([inside])
    expect((await service.request("GET", "/groups/top-of-shared", as("developer"))).status).toBe(200)
    expect((await service.request("GET", "/groups/top-of-shared", as("external"))).status).toBe(404)
  })

  it("do not keep the last owner from staying, and are given less without fault", async () => {
    const [group, owners] = [await create(newPath()), await create(newPath())]
    await join(owners, userId("owner"), 50)
    await shareAll(`/groups/${group}`, owners, 50)
    expect((await service.request("PUT", `/groups/${group}`, as("owner", { json: { description: "d" } }))).status).toBe(200)
    expect((await service.request("DELETE", `/groups/${group}/members/1`)).status).toBe(403)
    expect((await service.request("DELETE", "/users/1", as("owner"))).status).toBe(403)
    await join(group, userId("owner"), 10)
    expect(await roleOf(`/groups/${group}`, "owner")).toBe(50)
  })
})

it("a shared project lets members of the group in, up to the level of the share", async () => {
  const around = await create(newPath())
  const project = await newProject(around)
  const invited = await createWithMembers(newPath())
  const read = (person: Somebody) => service.request("GET", `/projects/${project}`, as(person))
  expect((await read("owner")).status).toBe(404)
  await shareAll(`/projects/${project}`, invited, 20)
  for (const [person, level] of [
    ["guest", 10],
    ["reporter", 20],
    ["owner", 20]
  ] as const) {
    expect(await roleOf(`/projects/${project}`, person)).toBe(level)
    const { body, status } = await read(person)
    expect([status, field(body, "permissions")]).toEqual([200, { project_access: null, group_access: null }])
    expect((await service.request("GET", `/groups/${around}`, as(person))).status).toBe(200)
    const lists = await service.request(
      "GET",
      "/projects",
      as(person, { query: { id_after: String(project - 1), membership: "true" } })
    )
    expect(ids(lists.body)).toEqual([project])
  }
  expect((await read("outsider")).status).toBe(404)
  const direct = { user_id: userId("owner"), access_level: 30 }
  await service.request("POST", `/projects/${project}/members`, { json: direct })
  expect(await roleOf(`/projects/${project}`, "owner")).toBe(30)
})

describe("a share", () => {
  it("that has ended gives nothing, is not shown, and can be given anew", async () => {
    const [group, invited] = [await create(newPath()), await create(newPath())]
    await join(invited, userId("guest"), 10)
    const ended = { id: 4711, groupId: invited, accessLevel: 30, expiresAt: "2001-01-01", today: "2000-01-01", actingLevel: 50 }
    await service.run(
      Effect.gen(function* () {
        const { position } = yield* Effect.orDie(handle(groupAggregate, group, { _tag: "ShareWithGroup", ...ended }))
        yield* Projections.use((projections) => projections.awaitPosition(position))
      })
    )
    const read = () => service.request("GET", `/groups/${group}`, as("guest"))
    expect((await read()).status).toBe(404)
    expect(field((await service.request("GET", `/groups/${group}`)).body, "shared_with_groups")).toEqual([])
    expect(answerOf(await service.request("DELETE", `/groups/${group}/share/${invited}`))).toEqual(linkNotFound)
    expect(answerOf(await service.request("DELETE", `/groups/${group}/share/foo`))).toEqual([
      400,
      { error: "group_id is invalid" }
    ])
    expect((await shareAll(`/groups/${group}`, invited, 20)).status).toBe(201)
    expect((await read()).status).toBe(200)
  })

  it("is shown to those who may see the group", async () => {
    const id = await createWithMembers(newPath(), { visibility: "public" })
    const [hidden, open] = [await create(newPath()), await create(newPath(), { visibility: "public" })]
    for (const group of [hidden, open]) await shareAll(`/groups/${id}`, group, 20)
    const shown = async (person: Somebody) => {
      const { body } = await service.request("GET", `/groups/${id}`, as(person))
      const list = field(body, "shared_with_groups")
      return Array.isArray(list) ? list.map(({ group_id }) => group_id) : list
    }
    expect([await shown("anonymous"), await shown("owner"), await shown("administrator")]).toEqual([
      [open],
      [open],
      [hidden, open]
    ])
  })

  it("ends with the invited group", async () => {
    const [group, invited] = [await create(newPath()), await create(newPath())]
    const project = await newProject(group)
    await join(invited, userId("guest"), 10)
    for (const thing of [`/groups/${group}`, `/projects/${project}`]) await shareAll(thing, invited, 20)
    await service.request("DELETE", `/groups/${invited}`)
    for (const thing of [`/groups/${group}`, `/projects/${project}`]) {
      expect(field((await service.request("GET", thing)).body, "shared_with_groups")).toEqual([])
      expect((await service.request("GET", thing, as("guest"))).status).toBe(404)
    }
  })

  it("is in the log with whoever gave and ended it", async () => {
    const group = await createWithMembers(newPath())
    const invited = await create(newPath(), { visibility: "public" })
    const json = { group_id: invited, group_access: 30 }
    await service.request("POST", `/groups/${group}/share`, as("owner", { json }))
    await service.request("DELETE", `/groups/${group}/share/${invited}`)
    const events = await service.run(EventStore.use((store) => store.read(groupStream(group))))
    expect(events.slice(-2).map(({ type, metadata }) => [type, metadata.actor])).toEqual([
      ["SharedWithGroup", `user:${userId("owner")}`],
      ["SharingEnded", "user:1"]
    ])
  })

  it("is given once when a request is repeated", async () => {
    const [project, invited] = [await newProject(await create(newPath())), await create(newPath())]
    const json = { group_id: invited, group_access: 30 }
    const once = () =>
      service.request("POST", `/projects/${project}/share`, { json, headers: { "idempotency-key": "share-once" } })
    const [first, second] = [await once(), await once()]
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  })

  it("is there after a rebuild", async () => {
    const [group, invited] = [await create(newPath()), await create(newPath())]
    const project = await newProject(group)
    for (const thing of [`/groups/${group}`, `/projects/${project}`]) await shareAll(thing, invited, 20)
    const read = async () => [
      (await service.request("GET", `/groups/${group}`)).body,
      (await service.request("GET", `/groups/${invited}`)).body
    ]
    const before = await read()
    const id = await service.run(Projections.use((projections) => projections.requestRebuild(["namespaces", "projects"])))
    const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(id)))
    await expect.poll(async () => (await progress())?.state).toBe("finished")
    expect(await progress()).toMatchObject({ differing: 0, examples: [] })
    expect(await read()).toEqual(before)
    const next = await shareAll(`/projects/${project}`, await create(newPath()), 10)
    expect(field(next.body, "id")).toBeGreaterThan(Number(4711))
  })
})
