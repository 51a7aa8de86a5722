import { beforeAll, describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { starStream } from "#src/projects/stars/ids.ts"
import { anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { requestEvents } from "#test/support/requests/requestEvents.ts"
import { answerOf, type Received } from "#test/support/service.ts"
import { fullShape } from "../shape.ts"
import { externalUrl, useProjects } from "../useProjects.ts"

const { service, newProject, newUser, read, remove } = useProjects()

interface User {
  readonly id: number
  readonly token: string
}
const users: Record<string, User> = {}
const tokenOf = (name: string | null) => (name === null ? null : users[name]?.token)
const sentBy = (name?: string | null) => (name === undefined ? {} : { token: tokenOf(name) ?? null })
const send = (action: "star" | "unstar", id: number, name?: string | null) =>
  service.request("POST", `/projects/${id}/${action}`, sentBy(name))
const starrers = (id: number, name?: string | null, query: Readonly<Record<string, string>> = {}) =>
  service.request("GET", `/projects/${id}/starrers`, { ...sentBy(name), query })
const names = ({ body }: Received) => (Array.isArray(body) ? body.map((one) => field(field(one, "user"), "username")) : body)
const count = async (id: number) => field((await read(id)).body, "star_count")

beforeAll(async () => {
  for (const name of ["ada", "bob", "cy"]) users[name] = await newUser(name)
  users.shy = await newUser("shy", { name: "Shy Person", private_profile: true })
})

describe("a star", () => {
  it("is given once, and taken back once, each told with the project", async () => {
    const id = await newProject("starred")
    const expected = (stars: number) => [201, { ...fullShape({ id, name: "starred", path: "starred" }), star_count: stars }]
    const first = await send("star", id)
    expectExactly(answerOf(first), expected(1))
    const again = await send("star", id)
    expect([again.status, again.body, again.headers.get("content-type")]).toEqual([304, undefined, null])
    expectExactly(answerOf(await send("unstar", id)), expected(0))
    expect(answerOf(await send("unstar", id))).toEqual([304, undefined])
    const events = await service.run(EventStore.use((store) => store.read(starStream({ projectId: id, userId: 1 }))))
    expect(events.map(({ data, metadata, type }) => [type, data, metadata.actor])).toEqual([
      ["ProjectStarred", { projectId: id, userId: 1 }, "user:1"],
      ["ProjectUnstarred", { projectId: id, userId: 1 }, "user:1"]
    ])
  })

  it("may be given by all who may read the project, to an archived one too", async () => {
    const [open, closed] = [await newProject("open", { visibility: "public" }), await newProject("closed")]
    await service.request("POST", `/projects/${open}/archive`)
    expect(answerOf(await send("star", open, null))).toEqual([401, { message: "401 Unauthorized" }])
    expect((await send("star", open, "ada")).status).toBe(201)
    for (const action of ["star", "unstar"] as const) {
      expect(answerOf(await send(action, closed, "ada"))).toEqual([404, { message: "404 Project Not Found" }])
    }
  })

  it("of one user is one, however many requests come at the same time", async () => {
    const id = await newProject("racing", { visibility: "public" })
    const answers = await Promise.all(Array.from({ length: 8 }, () => send("star", id, "ada")))
    expect([answers.map(({ status }) => status).sort(), await count(id)]).toEqual([[201, ...Array(7).fill(304)], 1])
  })

  it("is told as given to a repeat of the request that gave it", async () => {
    const id = await newProject("repeated")
    const path = `/projects/${id}/star`
    const sent = { headers: { "idempotency-key": "star" } }
    const first = await service.request("POST", path, sent)
    const before = await requestEvents(service)
    expect(answerOf(await service.request("POST", path, sent))).toEqual(answerOf(first))
    expect([first.status, await requestEvents(service)]).toEqual([201, before])
  })
})

describe("the number of stars", () => {
  it("is that of active users, whatever becomes of them", async () => {
    const id = await newProject("tallied", { visibility: "public" })
    const { id: dan } = await newUser("dan")
    for (const name of ["ada", "bob"]) await send("star", id, name)
    expect((await service.request("POST", `/projects/${id}/star`, { headers: { sudo: "dan" } })).status).toBe(201)
    const countAfter = async (action: string, user = dan) => {
      await service.request("POST", `/users/${user}/${action}`)
      return await count(id)
    }
    expect(await count(id)).toBe(3)
    expect([await countAfter("block"), await countAfter("unblock")]).toEqual([2, 3])
    expect([await countAfter("deactivate"), await countAfter("activate")]).toEqual([2, 3])
    expect([await countAfter("ban"), await countAfter("unban")]).toEqual([2, 3])
    const listed = await service.request("GET", "/projects", { query: { order_by: "star_count", per_page: "1" } })
    expect(field(Array.isArray(listed.body) ? listed.body[0] : undefined, "star_count")).toBe(3)
    await service.request("DELETE", `/users/${dan}`, { query: { hard_delete: "true" } })
    await expect.poll(() => count(id)).toBe(2)
  })
})

describe("starrers", () => {
  it("are listed the first one first, with the time, and found by name", async () => {
    const id = await newProject("popular", { visibility: "public" })
    for (const name of ["bob", "ada", "shy"]) await send("star", id, name)
    const { body, headers } = await starrers(id, null, { per_page: "1" })
    const bob = { id: users.bob?.id, username: "bob", name: "bob", state: "active", locked: false, avatar_url: null }
    expectExactly(body, [{ starred_since: anyTime, user: { ...bob, web_url: `${externalUrl}/bob` } }])
    expect([headers.get("x-total"), names(await starrers(id, "ada"))]).toEqual(["2", ["bob", "ada"]])
    expect(names(await starrers(id))).toEqual(["bob", "ada", "shy"])
    expect(names(await starrers(id, "shy", { search: "person" }))).toEqual(["shy"])
    expect(names(await starrers(id, undefined, { search: "bo" }))).toEqual([])
    expect(names(await starrers(id, undefined, { search: "BOB" }))).toEqual(["bob"])
    expect(names(await starrers(id, undefined, { search: "" }))).toHaveLength(3)
    const hidden = await newProject("hidden")
    expect(answerOf(await starrers(hidden, "ada"))).toEqual([404, { message: "404 Project Not Found" }])
  })

  it("count while they are active, and stay when they are again", async () => {
    const id = await newProject("counted", { visibility: "public" })
    const gone = await newUser("gone")
    users.gone = gone
    for (const name of ["cy", "gone"]) await send("star", id, name)
    const seen = async () => [await count(id), names(await starrers(id))]
    expect(await seen()).toEqual([2, ["cy", "gone"]])
    await service.request("POST", `/users/${gone.id}/block`)
    expect(await seen()).toEqual([1, ["cy"]])
    await service.request("POST", `/users/${gone.id}/unblock`)
    expect(await seen()).toEqual([2, ["cy", "gone"]])
    await service.request("DELETE", `/users/${gone.id}`)
    expect(await seen()).toEqual([1, ["cy"]])
  })
})

describe("GET /users/:user_id/starred_projects", () => {
  const list = async (user: number | string, name?: string | null, query: Readonly<Record<string, string>> = {}) => {
    const { body, status } = await service.request("GET", `/users/${user}/starred_projects`, { ...sentBy(name), query })
    return [status, Array.isArray(body) ? body.map((one) => field(one, "path")) : body]
  }

  it("lists what a user starred, as far as the caller may see it", async () => {
    users.fan = await newUser("fan")
    const { id, token } = users.fan
    const open = await newProject("fan-open", { visibility: "public" })
    const own = await newProject("fan-own", {}, token)
    for (const project of [open, own]) await send("star", project, "fan")
    await send("star", open, "cy")
    expect(await list(id, "fan")).toEqual([200, ["fan-own", "fan-open"]])
    expect(await list("FAN", null)).toEqual([200, ["fan-open"]])
    expect(await list(id, "fan", { search: "own" })).toEqual([200, ["fan-own"]])
    expect(await list(id, "cy", { starred: "true" })).toEqual([200, ["fan-open"]])
    expect(await list(id, "fan", { starred: "true" })).toEqual([200, ["fan-own", "fan-open"]])
    expect(await list(id, null, { starred: "true" })).toEqual([200, []])
    expect(await list("nobody-at-all", "cy")).toEqual([404, { message: "404 User Not Found" }])
    await remove(own)
    expect(await list(id)).toEqual([200, ["fan-open"]])
    await service.request("POST", `/users/${id}/ban`)
    expect([await list(id, "cy"), await list(id)]).toEqual([
      [200, []],
      [200, ["fan-open"]]
    ])
  })

  it("tells nothing of private profiles to others", async () => {
    const id = await newProject("shy-likes", { visibility: "public" })
    await send("star", id, "shy")
    const shy = users.shy?.id ?? 0
    const seen = await Promise.all(
      [null, "cy", "shy", undefined].map(async (name) => (await list(shy, name, { search: "likes" }))[1])
    )
    expect(seen).toEqual([[], [], ["shy-likes"], ["shy-likes"]])
  })
})

it("stars are the same after a rebuild", async () => {
  const id = await newProject("rebuilt", { visibility: "public" })
  for (const name of ["ada", "cy", "bob"]) await send("star", id, name)
  await send("unstar", id, "cy")
  const before = answerOf(await starrers(id))
  const rebuild = await service.run(Projections.use((projections) => projections.requestRebuild(["projects"])))
  const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(rebuild)))
  await expect.poll(async () => (await progress())?.state).toBe("finished")
  expect(await progress()).toMatchObject({ differing: 0, examples: [] })
  expect([answerOf(await starrers(id)), await count(id)]).toEqual([before, 2])
})
