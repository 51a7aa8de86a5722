import { describe, expect, it } from "vitest"
import { anyTime, expectExactly } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { rootReference, userReference } from "#test/support/people/userReference.ts"
import { requestForms } from "#test/support/requests/requestForms.ts"
import { forbidden, groupNotFound, unauthorized } from "../groups/bodies.ts"
import { useGroups } from "../groups/useGroups.ts"

const { service, as, create, join, joinUntil, newPath, userId } = useGroups()

let users = 0
const newUser = (name = `user-${users++}`, attributes: object = {}) => createUser(service, name, { ...attributes })
const add = (group: number, json: object) => service.request("POST", `/groups/${group}/members`, { json })
const reference = (id: number, username: string) => userReference(service.url, id, username)
const member = (id: number, username: string, access_level: number, expires_at: string | null = null) => ({
  ...reference(id, username),
  access_level,
  created_at: anyTime,
  created_by: rootReference(service.url),
  expires_at,
  membership_state: "active"
})
const usernames = (body: unknown) => (Array.isArray(body) ? body.map(({ username }) => username) : body)

describe.each(requestForms)("writes as %s", (form, sent) => {
  it("add, change and remove a member", async () => {
    const group = await create(newPath())
    const name = `member-${form.toLowerCase()}`
    const id = await newUser(name)
    const added = await service.request(
      "POST",
      `/groups/${group}/members`,
      sent({ user_id: id, access_level: 30, expires_at: "2100-01-02" })
    )
    expect(added.status).toBe(201)
    expectExactly(added.body, member(id, name, 30, "2100-01-02"))
    const path = `/groups/${group}/members/${id}`
    const changed = await service.request("PUT", path, sent({ access_level: 40 }))
    expect(changed.status).toBe(200)
    expectExactly(changed.body, member(id, name, 40, "2100-01-02"))
    expectExactly((await service.request("PUT", path, sent({ access_level: 40, expires_at: "" }))).body, member(id, name, 40))
    const removed = await service.request("DELETE", path, sent({ skip_subresources: true }))
    expect([removed.status, removed.body]).toEqual([204, undefined])
    expect(await service.request("GET", path)).toMatchObject({ status: 404, body: { message: "404 Not found" } })
  })
})

describe("POST /groups/:id/members", () => {
  it.each<[string, () => Promise<object> | object, number, unknown]>([
    [
      "nothing",
      () => ({}),
      400,
      { error: "access_level is missing, user_id, username are missing, at least one parameter must be provided" }
    ],
    ["no level", () => ({ user_id: 1 }), 400, { error: "access_level is missing" }],
    [
      "id and name",
      () => ({ user_id: 1, username: "root", access_level: 30 }),
      400,
      { error: "user_id, username are mutually exclusive" }
    ],
    ["a level that is no number", () => ({ user_id: 1, access_level: "dev" }), 400, { error: "access_level is invalid" }],
    ["a date that is none", () => ({ user_id: 1, access_level: 30, expires_at: "x" }), 400, { error: "expires_at is invalid" }],
    ["an unknown user", () => ({ user_id: 999_999, access_level: 30 }), 404, { message: "404 User Not Found" }],
    ["an unknown name", () => ({ username: "nobody", access_level: 30 }), 404, { message: "404 User Not Found" }],
    [
      "a level that is none",
      async () => ({ user_id: await newUser(), access_level: 31 }),
      400,
      { message: { access_level: ["is not included in the list"] } }
    ],
    [
      "a date in the past",
      async () => ({ user_id: await newUser(), access_level: 30, expires_at: "2001-01-01" }),
      400,
      { message: { expires_at: ["cannot be a date in the past"] } }
    ],
    ["a member", () => ({ user_id: 1, access_level: 30 }), 409, { message: "Member already exists" }]
  ])("with %s", async (_, json, status, body) => {
    const received = await add(await create(newPath()), await json())
    expect([received.status, received.body]).toEqual([status, body])
  })

  it("takes a user name", async () => {
    const id = await newUser("named")
    expectExactly((await add(await create(newPath()), { username: "NAMED", access_level: 5 })).body, member(id, "named", 5))
  })

  it("takes several users, and tells of those who cannot be added", async () => {
    const group = await create(newPath())
    const [one, two, three] = [await newUser("one"), await newUser("two"), await newUser("three")]
    const both = await add(group, { user_id: `${one},${two}`, access_level: 20 })
    expect([both.status, both.body]).toEqual([201, { status: "success" }])
    const again = await add(group, { user_id: `${one}, 999999, ${three}`, access_level: 20 })
    const message = { one: "Member already exists", 999999: "404 User Not Found" }
    expect([again.status, again.body]).toEqual([201, { status: "error", message }])
    const list = async () => usernames((await service.request("GET", `/groups/${group}/members`)).body)
    expect(await list()).toEqual(["root", "one", "two", "three"])
    const many = await add(group, { user_id: [await newUser(), ...Array(101).keys()].join(","), access_level: 20 })
    expect([many.status, many.body]).toEqual([201, { status: "error", message: "Too many users specified (limit is 100)" }])
    const repeated = await add(group, {
      user_id: Array(101)
        .fill(await newUser("four"))
        .join(","),
      access_level: 20
    })
    expect([repeated.status, repeated.body]).toEqual([201, { status: "success" }])
    expect(await list()).toEqual(["root", "one", "two", "three", "four"])
  })

  it("is for owners, up to their own level, and not for groups that they do not see", async () => {
    const group = await create(newPath(), { visibility: "public" })
    const hidden = await create(newPath())
    await join(group, userId("maintainer"), 40)
    const json = { user_id: userId("guest"), access_level: 10 }
    const post = (id: number, person: "anonymous" | "maintainer") =>
      service.request("POST", `/groups/${id}/members`, as(person, { json }))
    expect(await post(group, "anonymous")).toMatchObject({ status: 401, body: unauthorized })
    expect(await post(group, "maintainer")).toMatchObject({ status: 403, body: forbidden })
    expect(await post(hidden, "maintainer")).toMatchObject({ status: 404, body: groupNotFound })
    const former = (await service.request("GET", `/groups/${group}/members`, { token: null })).body
    expect(former).toEqual(unauthorized)
  })
})

describe("PUT and DELETE /groups/:id/members/:user_id", () => {
  it("refuse what would leave the group without owner", async () => {
    const group = await create(newPath())
    const root = `/groups/${group}/members/1`
    const lower = () => service.request("PUT", root, { json: { access_level: 40 } })
    expect(await lower()).toMatchObject({ status: 403, body: forbidden })
    expect(await service.request("PUT", root, { json: { access_level: 50, expires_at: "2100-01-01" } })).toMatchObject({
      status: 403
    })
    expect((await service.request("PUT", root, { json: { access_level: 50 } })).status).toBe(200)
    expect(await service.request("DELETE", root)).toMatchObject({ status: 403, body: forbidden })
    await join(group, userId("owner"), 50)
    expect((await lower()).status).toBe(200)
  })

  it("let the last owner of a group go where there are owners above", async () => {
    const parent_id = await create(newPath())
    const group = await create(newPath(), { parent_id })
    await join(parent_id, userId("owner"), 50)
    expect((await service.request("DELETE", `/groups/${group}/members/1`)).status).toBe(204)
  })

  it("count no owners who are deleted", async () => {
    const group = await create(newPath())
    const id = await newUser()
    await join(group, id, 50)
    await service.request("DELETE", `/users/${id}`)
    expect(await service.request("DELETE", `/groups/${group}/members/1`)).toMatchObject({ status: 403 })
    const { body } = await service.request("GET", `/groups/${group}/members`)
    expect(usernames(body)).toEqual(["root"])
  })

  it.each<[string, object, number, unknown]>([
    ["no level", {}, 400, { error: "access_level is missing" }],
    ["a level that is none", { access_level: 60 }, 400, { message: { access_level: ["is not included in the list"] } }],
    [
      "a date in the past",
      { access_level: 10, expires_at: "2001-01-01" },
      400,
      { message: { expires_at: ["cannot be a date in the past"] } }
    ]
  ])("with %s", async (_, json, status, body) => {
    const group = await create(newPath())
    await join(group, userId("guest"), 10)
    const received = await service.request("PUT", `/groups/${group}/members/${userId("guest")}`, { json })
    expect([received.status, received.body]).toEqual([status, body])
  })

  it.each(["PUT", "DELETE"])("%s of who is no member here", async (method) => {
    const parent_id = await create(newPath())
    await join(parent_id, userId("guest"), 10)
    const group = await create(newPath(), { parent_id })
    for (const id of [userId("guest"), userId("outsider"), 999_999]) {
      const received = await service.request(method, `/groups/${group}/members/${id}`, { json: { access_level: 20 } })
      expect([received.status, received.body]).toEqual([404, { message: "404 Not found" }])
    }
    expect(await service.request(method, `/groups/${group}/members/abc`)).toMatchObject({
      status: 404,
      body: { error: "404 Not Found" }
    })
  })

  it("a removal only if nothing changed since then", async () => {
    const group = await create(newPath())
    await join(group, userId("guest"), 10)
    const remove = (date: string) =>
      service.request("DELETE", `/groups/${group}/members/${userId("guest")}`, { headers: { "if-unmodified-since": date } })
    expect((await remove("Sat, 01 Jan 2000 00:00:00 GMT")).status).toBe(412)
    expect((await remove("Fri, 01 Jan 2100 00:00:00 GMT")).status).toBe(204)
  })

  it("a removal reaches below, unless it is told not to", async () => {
    const parent_id = await create(newPath())
    const below = await create(newPath(), { parent_id })
    const deepest = await create(newPath(), { parent_id: below })
    const guest = userId("guest")
    for (const [query, remaining] of [
      [{ skip_subresources: "true" }, ["root", "guest"]],
      [{}, ["root"]]
    ] as const) {
      await join(parent_id, guest, 10)
      await service.request("POST", `/groups/${deepest}/members`, { json: { user_id: guest, access_level: 30 } })
      await service.request("DELETE", `/groups/${parent_id}/members/${guest}`, { query })
      expect(usernames((await service.request("GET", `/groups/${deepest}/members`)).body)).toEqual(remaining)
    }
  })
})

describe("inherited members", () => {
  it("have the highest of their levels, and may not get a lower one below", async () => {
    const parent_id = await create(newPath(), { name: "Parent" })
    const group = await create(newPath(), { parent_id })
    await join(parent_id, userId("developer"), 30)
    await join(parent_id, userId("reporter"), 20)
    const lower = await add(group, { user_id: userId("developer"), access_level: 20 })
    expect([lower.status, lower.body]).toEqual([
      400,
      {
        message: {
          access_level: ["should be greater than or equal to Developer inherited membership from group Parent"]
        }
      }
    ])
    await join(group, userId("developer"), 40)
    const levels = async (path: string) => {
      const { body } = await service.request("GET", `/groups/${group}/members${path}`)
      return Array.isArray(body) ? body.map(({ username, access_level }) => [username, access_level]) : body
    }
    expect(await levels("")).toEqual([
      ["root", 50],
      ["developer", 40]
    ])
    expect(await levels("/all")).toEqual(
      expect.arrayContaining([
        ["root", 50],
        ["developer", 40],
        ["reporter", 20]
      ])
    )
    const all = `/groups/${group}/members/all/${userId("reporter")}`
    expectExactly((await service.request("GET", all)).body, member(userId("reporter"), "reporter", 20))
    expect((await service.request("GET", `/groups/${group}/members/${userId("reporter")}`)).status).toBe(404)
    expect((await service.request("GET", `/groups/${group}`, as("reporter"))).status).toBe(200)
    expect((await service.request("PUT", `/groups/${group}`, as("reporter", { json: {} }))).status).toBe(403)
  })

  it("let their owner manage what is below", async () => {
    const parent_id = await create(newPath())
    await join(parent_id, userId("owner"), 50)
    const group = await create(newPath(), { parent_id })
    const received = await service.request("PUT", `/groups/${group}`, as("owner", { json: { description: "mine" } }))
    expect(received).toMatchObject({ status: 200, body: { description: "mine" } })
  })

  it("of a group below see that what is above is there, but not who is in it", async () => {
    const parent_id = await create(newPath())
    const group = await create(newPath(), { parent_id })
    await join(group, userId("guest"), 10)
    expect((await service.request("GET", `/groups/${parent_id}`, as("guest"))).status).toBe(200)
    const { body } = await service.request("GET", "/groups", as("guest", { query: { per_page: "100" } }))
    const ids = Array.isArray(body) ? body.map(({ id }) => id) : []
    expect([ids.includes(parent_id), ids.includes(group)]).toEqual([true, true])
    const sibling = await create(newPath(), { parent_id })
    expect((await service.request("GET", `/groups/${sibling}`, as("guest"))).status).toBe(404)
  })
})

describe("a membership that has ended", () => {
  it("gives nothing and is not shown, and can be given anew", async () => {
    const group = await create(newPath())
    const guest = userId("guest")
    await joinUntil(group, guest, 50, "2001-01-01")
    expect((await service.request("GET", `/groups/${group}`, as("guest"))).status).toBe(404)
    expect(usernames((await service.request("GET", `/groups/${group}/members`)).body)).toEqual(["root"])
    expect(usernames((await service.request("GET", `/groups/${group}/members/all`)).body)).toEqual(["root"])
    const path = `/groups/${group}/members/${guest}`
    expect((await service.request("GET", path)).status).toBe(404)
    expect((await service.request("PUT", path, { json: { access_level: 10 } })).status).toBe(404)
    expect((await service.request("DELETE", path)).status).toBe(404)
    expect((await service.request("DELETE", `/groups/${group}/members/1`)).status).toBe(403)
    expect(await add(group, { user_id: guest, access_level: 20 })).toMatchObject({ status: 201, body: { access_level: 20 } })
    expect((await service.request("GET", `/groups/${group}`, as("guest"))).status).toBe(200)
  })

  it("that ends today has ended", async () => {
    const group = await create(newPath())
    const today = new Date().toISOString().slice(0, 10)
    await joinUntil(group, userId("guest"), 10, today)
    expect((await service.request("GET", `/groups/${group}`, as("guest"))).status).toBe(404)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await joinUntil(group, userId("reporter"), 20, tomorrow)
    expect((await service.request("GET", `/groups/${group}`, as("reporter"))).status).toBe(200)
  })
})

describe("lists", () => {
  it("are filtered and paged", async () => {
    const group = await create(newPath())
    for (const person of ["guest", "reporter", "developer"] as const) await join(group, userId(person), 20)
    const list = async (query: Readonly<Record<string, string>>, path = "members") => {
      const { body, headers } = await service.request("GET", `/groups/${group}/${path}`, { query })
      return [usernames(body), headers.get("x-total")]
    }
    expect(await list({})).toEqual([["root", "guest", "reporter", "developer"], "4"])
    expect(await list({ query: "EPORT" })).toEqual([["reporter"], "1"])
    expect(await list({ query: "administrator" })).toEqual([["root"], "1"])
    expect(await list({ "user_ids[]": String(userId("guest")) })).toEqual([["guest"], "1"])
    expect(await list({ skip_users: `1,${userId("guest")}` })).toEqual([["reporter", "developer"], "2"])
    expect(await list({ page: "2", per_page: "3" })).toEqual([["developer"], "4"])
    expect(await list({ page: "2", per_page: "3" }, "members/all")).toEqual([["developer"], "4"])
    expect(await list({ state: "awaiting" }, "members/all")).toEqual([[], "0"])
    expect(await list({ state: "active", query: "guest" }, "members/all")).toEqual([["guest"], "1"])
  })
})

describe("the deletion of a user", () => {
  it("is refused as long as a group would have no owner; a hard one deletes such groups", async () => {
    const id = await newUser("sole")
    const [owned, shared] = [await create(newPath()), await create(newPath())]
    const below = await create(newPath(), { parent_id: owned })
    await service.request("POST", "/projects", { json: { name: "inside", namespace_id: below } })
    for (const group of [owned, below, shared]) await join(group, id, 50)
    for (const group of [owned, below]) await service.request("DELETE", `/groups/${group}/members/1`)
    const received = await service.request("DELETE", `/users/${id}`)
    expect([received.status, received.body]).toEqual([
      409,
      { message: "User cannot be removed while is the sole-owner of a group" }
    ])
    expect((await service.request("DELETE", `/users/${id}`, { query: { hard_delete: "true" } })).status).toBe(204)
    const statuses = await Promise.all([owned, below, shared].map((group) => service.request("GET", `/groups/${group}`)))
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 200])
    expect((await service.request("GET", "/projects", { query: { search: "inside" } })).body).toEqual([])
  })
})

describe("what would end today", () => {
  const today = () => new Date().toISOString().slice(0, 10)
  const refused = [400, { message: { expires_at: ["cannot be a date in the past"] } }]

  it("is refused: a membership, its change and a share", async () => {
    const [group, invited, id] = [await create(newPath()), await create(newPath()), await newUser()]
    const answer = async (method: string, path: string, json: object) => {
      const { body, status } = await service.request(method, `/groups/${group}${path}`, {
        json: { ...json, expires_at: today() }
      })
      return [status, body]
    }
    expect(await answer("POST", "/members", { user_id: id, access_level: 30 })).toEqual(refused)
    await join(group, id, 30)
    expect(await answer("PUT", `/members/${id}`, { access_level: 20 })).toEqual(refused)
    expect((await service.request("GET", `/groups/${group}/members/${id}`)).body).toMatchObject({
      access_level: 30,
      expires_at: null
    })
    expect(await answer("POST", "/share", { group_id: invited, group_access: 30 })).toEqual(refused)
  })
})

describe("a group keeps an owner", () => {
  const owners = async (group: number) => {
    const { body } = await service.request("GET", `/groups/${group}/members`)
    return Array.isArray(body) ? body.filter(({ access_level }) => access_level === 50).length : 0
  }
  const rounds = Array.from({ length: 8 }, (_, round) => round)

  it.each(rounds)("when two owners leave, are demoted or deleted at once: %i", async (round) => {
    const group = await create(newPath())
    const people = [await newUser(), await newUser()]
    for (const id of people) await join(group, id, 50)
    await service.request("DELETE", `/groups/${group}/members/1`)
    const leave = (id: number) => service.request("DELETE", `/groups/${group}/members/${id}`)
    const demote = (id: number) => service.request("PUT", `/groups/${group}/members/${id}`, { json: { access_level: 10 } })
    const remove = (id: number) => service.request("DELETE", `/users/${id}`)
    const ends = [leave, demote, remove]
    const answers = await Promise.all(people.map((id, index) => (ends[(round + index * 2) % 3] ?? leave)(id)))
    expect(await owners(group)).toBe(1)
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
  })

  it.each(rounds)("when its creator is deleted meanwhile: %i", async () => {
    const id = await newUser()
    const { text } = await issueTokenFor(service, id)
    const path = newPath()
    const [made, removed] = await Promise.all([
      service.request("POST", "/groups", { json: { name: path, path }, token: text }),
      service.request("DELETE", `/users/${id}`)
    ])
    const { status } = await service.request("GET", `/groups/${path}`)
    expect([made.status, removed.status, status]).toEqual(made.status === 201 ? [201, 409, 200] : [401, 204, 404])
  })
})
