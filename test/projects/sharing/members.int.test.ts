import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { groupAggregate } from "#src/groups/aggregate.ts"
import { handle } from "#src/platform/Commands.ts"
import { projectAggregate } from "#src/projects/aggregate.ts"
import { anyTime, expectExactly } from "#test/support/exactly.ts"
import { rootReference, userReference } from "#test/support/people/userReference.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { answerOf } from "#test/support/service.ts"
import { externalUrl, useProjects } from "../useProjects.ts"

const { service, addMember, newGroup, newProject, newUser } = useProjects()
const forbidden = [403, { message: "403 Forbidden" }]

const reference = (id: number, username: string) => userReference(externalUrl, id, username)
const member = (id: number, username: string, level: number) => ({
  ...reference(id, username),
  access_level: level,
  created_at: anyTime,
  created_by: rootReference(externalUrl),
  expires_at: null,
  membership_state: "active"
})

describe.each(requestForms)("members as %s", (form, sent) => {
  it("are added, changed and removed", async () => {
    const project = await newProject(`members-${form}`)
    const { id } = await newUser(`member-${form}`)
    const path = `/projects/${project}/members`
    const added = await service.request("POST", path, sent({ user_id: id, access_level: 20 }))
    expect(added.status).toBe(201)
    expectExactly(added.body, member(id, `member-${form}`, 20))
    expect(answerOf(await service.request("POST", path, sent({ user_id: id, access_level: 20 })))).toEqual([
      409,
      { message: "Member already exists" }
    ])
    const changed = await service.request("PUT", `${path}/${id}`, sent({ access_level: 40, expires_at: "2999-01-01" }))
    expect(answerOf(changed)).toEqual([200, { ...member(id, `member-${form}`, 40), expires_at: "2999-01-01" }])
    expect(answerOf(await service.request("GET", `${path}/${id}`))).toEqual(answerOf(changed))
    expect((await service.request("DELETE", `${path}/${id}`)).status).toBe(204)
    expect(answerOf(await service.request("GET", `${path}/${id}`))).toEqual([404, { message: "404 Not found" }])
  })

  it("are refused", async () => {
    const project = await newProject(`refusals-${form}`)
    const add = (fields: Parameters<typeof sent>[0]) =>
      service.request("POST", `/projects/${project}/members`, sent(fields)).then(answerOf)
    expect(await add({ user_id: 1 })).toEqual([400, { error: "access_level is missing" }])
    expect(await add({ user_id: 4711, access_level: 30 })).toEqual([404, { message: "404 User Not Found" }])
    const { id } = await newUser(`refused-${form}`)
    expect(await add({ user_id: id, access_level: 5 })).toEqual([
      400,
      { message: { access_level: ["is not included in the list"] } }
    ])
  })
})

it("the owner of a personal project is a member who stays", async () => {
  const { id, token } = await newUser("home")
  const project = await newProject("house", {}, token)
  const { body } = await service.request("GET", `/projects/${project}/members`, { token })
  expect(body).toEqual([{ ...member(id, "home", 50), created_by: reference(id, "home") }])
  expect(answerOf(await service.request("DELETE", `/projects/${project}/members/${id}`, { token }))).toEqual(forbidden)
  expect(
    answerOf(await service.request("PUT", `/projects/${project}/members/${id}`, { token, json: { access_level: 30 } }))
  ).toEqual(forbidden)
})

it("Maintainers manage members up to their own level", async () => {
  const project = await newProject("managed")
  const [boss, other] = [await newUser("boss"), await newUser("other")]
  await addMember(`/projects/${project}`, boss.id, 40)
  const send = (method: string, path: string, json: object) =>
    service.request(method, `/projects/${project}/members${path}`, { token: boss.token, json }).then(answerOf)
  expect(await send("POST", "", { user_id: other.id, access_level: 50 })).toEqual(forbidden)
  expect((await send("POST", "", { user_id: other.id, access_level: 40 }))[0]).toBe(201)
  expect(await send("PUT", `/${other.id}`, { access_level: 50 })).toEqual(forbidden)
  expect(await send("DELETE", "/1", {})).toEqual(forbidden)
  expect((await send("DELETE", `/${boss.id}`, {}))[0]).toBe(204)
  expect((await service.request("GET", `/projects/${project}`, { token: boss.token })).status).toBe(404)
})

it("those of groups above are inherited: listed, counted as a role, and not given less", async () => {
  const group = await newGroup("heirs")
  const inner = await newGroup("heirs-inner", { parent_id: group })
  const project = await newProject("heirloom", { namespace_id: inner })
  const { id, token } = await newUser("heir")
  await addMember(`/groups/${group}`, id, 30)
  const ids = async (path: string, query = {}) => {
    const { body } = await service.request("GET", `/projects/${project}${path}`, { query })
    return (body as ReadonlyArray<{ id: number; access_level: number }>).map((one) => [one.id, one.access_level])
  }
  expect(await ids("/members")).toEqual([])
  expect(await ids("/members/all")).toEqual([
    [1, 50],
    [id, 30]
  ])
  expect(await ids("/members/all", { query: "HEI" })).toEqual([[id, 30]])
  expect(await ids("/users")).toEqual([
    [1, undefined],
    [id, undefined]
  ])
  expect(await ids("/users", { sort: "desc" })).toEqual(await ids("/users"))
  expect(await ids("/users", { skip_users: String(id) })).toEqual([[1, undefined]])
  expect((await service.request("GET", `/projects/${project}`, { token })).body).toMatchObject({
    permissions: { project_access: null, group_access: { access_level: 30, notification_level: 3 } }
  })
  expect((await addMember(`/projects/${project}`, id, 20)).status).toBe(400)
  expect((await addMember(`/projects/${project}`, id, 40)).status).toBe(201)
  expect(await ids("/members/all")).toEqual([
    [1, 50],
    [id, 40]
  ])
  expect((await service.request("DELETE", `/projects/${project}/members/${id}`)).status).toBe(204)
  expect((await service.request("DELETE", `/groups/${group}/members/${id}`)).status).toBe(204)
  expect((await service.request("GET", `/projects/${project}`, { token })).status).toBe(404)
})

describe.each(["project", "group"] as const)("a membership of the %s that ends", (kind) => {
  const today = () => new Date().toISOString().slice(0, 10)
  /** Beside the interface, which refuses dates in the past. */
  const join = (id: number, userId: number, expiresAt: string) => {
    const until = { userId, accessLevel: 30, expiresAt, addedBy: 1, today: "2000-01-01", actingLevel: 50 }
    const command = { _tag: "AddMember", ...until } as const
    const joined =
      kind === "project"
        ? Effect.asVoid(Effect.orDie(handle(projectAggregate, id, command)))
        : Effect.asVoid(Effect.orDie(handle(groupAggregate, id, command)))
    return service.run(Effect.andThen(joined, settled))
  }

  it.each<[string, () => string, boolean]>([
    ["long ago gives nothing", () => "2001-01-01", false],
    ["today gives nothing", today, false],
    ["some day gives its level until then", () => "2999-01-01", true]
  ])("%s", async (when, expiresAt, isThere) => {
    const path = `${kind}-${when.replaceAll(" ", "-")}`
    const group = await newGroup(path)
    const project = await newProject("ending", { namespace_id: group })
    const { id, token } = await newUser(`user-${path}`)
    await join(kind === "project" ? project : group, id, expiresAt())
    const count = async (url: string, sent: object = {}) =>
      ((await service.request("GET", url, sent)).body as Array<object>).length
    for (const url of [`/projects/${project}`, `/projects/${project}/repository/branches`]) {
      expect((await service.request("GET", url, { token })).status).toBe(isThere ? 200 : 404)
    }
    expect(await count("/projects", { token, query: { membership: "true" } })).toBe(isThere ? 1 : 0)
    expect(await count(`/projects/${project}/members/all`, { query: { user_ids: String(id) } })).toBe(isThere ? 1 : 0)
    expect(await count(`/projects/${project}/users`, { query: { search: path } })).toBe(isThere ? 1 : 0)
  })
})
