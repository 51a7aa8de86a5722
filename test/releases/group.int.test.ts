import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly } from "#test/support/exactly.ts"
import { releaseShape } from "./shapes.ts"
import { at, listed, type Project, useReleases } from "./useReleases.ts"

const { ask, done, make, minute, newProject, person, release, service } = useReleases()
const { request } = service

interface World {
  readonly group: number
  readonly open: Project
  readonly closed: Project
  /** The tokens of a Guest and a Reporter of the closed project, of a Guest of the group, and of somebody else. */
  readonly guest: string
  readonly reporter: string
  readonly ofGroup: string
  readonly outsider: string
}
let world: World
const list = (query: Readonly<Record<string, string>> = {}, token?: string | null) =>
  request("GET", `/groups/${world.group}/releases`, { query, token })
const tags = async (query: Readonly<Record<string, string>> = {}, token?: string | null) =>
  listed("tag_name", await list(query, token))

/** A public and a private project in a group, and one in a group below it. */
beforeAll(async () => {
  const group = await make("/groups", { name: "Tools", path: "tools", visibility: "public" })
  const below = await make("/groups", { name: "Below", path: "below", parent_id: group, visibility: "public" })
  const open = await newProject("open", { namespace_id: group, visibility: "public" })
  const closed = await newProject("closed", { namespace_id: group, visibility: "private" })
  const deep = await newProject("deep", { namespace_id: below, visibility: "public" })
  const member = async (name: string, place: string, access_level: number) => {
    const { id, token } = await person(name)
    await done("POST", `/${place}/members`, { user_id: id, access_level })
    return token
  }
  world = {
    group,
    open,
    closed,
    guest: await member("guest", `projects/${closed.id}`, 10),
    reporter: await member("reporter", `projects/${closed.id}`, 20),
    ofGroup: await member("of-group", `groups/${group}`, 10),
    outsider: (await person("outsider")).token
  }
  await release(open.id, "v1", { name: "First", description: "Words" })
  minute(1)
  await release(closed.id, "v2")
  minute(2)
  await release(open.id, "v3", { released_at: "2031-01-01" })
  await release(open.id, "v0", { released_at: "2020-01-01" })
  await release(deep.id, "deep")
})

describe("the releases of a group", () => {
  it("are those of the projects directly in it, by the time of their release", async () => {
    const { closed, open } = world
    const shapes = [
      releaseShape(
        service.url,
        open,
        { tag: "v3", made: 2 },
        { released_at: "2031-01-01T00:00:00.000Z", upcoming_release: true }
      ),
      releaseShape(service.url, closed, { tag: "v2", made: 1 }),
      releaseShape(service.url, open, { tag: "v1" }, { name: "First", description: "Words" }),
      releaseShape(service.url, open, { tag: "v0", made: 2 }, { released_at: "2020-01-01T00:00:00.000Z" })
    ]
    const received = await list()
    expect(received.status).toBe(200)
    expectExactly(received.body, shapes)
    expect(await tags({ sort: "asc" })).toEqual(["v0", "v1", "v2", "v3"])
    expect(listed("tag_name", await request("GET", "/groups/tools/releases"))).toEqual(["v3", "v2", "v1", "v0"])
    expect(listed("tag_name", await request("GET", "/groups/tools%2Fbelow/releases"))).toEqual(["deep"])
  })

  it("are shown in short", async () => {
    expectExactly((await list({ simple: "true", per_page: "3" })).body, [
      {
        name: "v3",
        tag_name: "v3",
        description: null,
        created_at: at(2),
        released_at: "2031-01-01T00:00:00.000Z",
        upcoming_release: true
      },
      { name: "v2", tag_name: "v2", description: null, created_at: at(1), released_at: at(1), upcoming_release: false },
      { name: "First", tag_name: "v1", description: "Words", created_at: at(0), released_at: at(0), upcoming_release: false }
    ])
  })

  it("come in pages", async () => {
    const received = await list({ per_page: "3", page: "2" })
    expect(listed("tag_name", received)).toEqual(["v0"])
    const names = ["x-page", "x-per-page", "x-total", "x-total-pages", "x-prev-page", "x-next-page"]
    expect(names.map((name) => received.headers.get(name))).toEqual(["2", "3", "4", "2", "1", ""])
    const link = (page: number, rel: string) =>
      `<${service.url}/api/v4/groups/${world.group}/releases?id=${world.group}&page=${page}&per_page=3&simple=false&sort=desc>; rel="${rel}"`
    expect(received.headers.get("link")).toBe([link(1, "prev"), link(1, "first"), link(2, "last")].join(", "))
  })

  it("are those of projects that the caller sees", async () => {
    const { guest, ofGroup, outsider, reporter } = world
    for (const token of [null, outsider]) {
      expect(await tags({}, token)).toEqual(["v3", "v1", "v0"])
      expect(await tags({ simple: "true" }, token)).toEqual(["v3", "v1", "v0"])
    }
    for (const token of [guest, reporter, ofGroup]) expect(await tags({}, token)).toEqual(["v3", "v2", "v1", "v0"])
    expect((await list({}, outsider)).headers.get("x-total")).toBe("3")
  })

  it("are shown as the caller sees them in their projects", async () => {
    const { closed, guest, ofGroup, open, reporter } = world
    const second = async (token: string) =>
      (await request("GET", `/groups/${world.group}/releases`, { token, query: { per_page: "1", page: "2" } })).body
    const reduced = releaseShape(service.url, closed, { tag: "v2", made: 1, hasCode: false, mayChange: false })
    expectExactly(await second(guest), [reduced])
    expectExactly(await second(ofGroup), [reduced])
    expectExactly(await second(reporter), [releaseShape(service.url, closed, { tag: "v2", made: 1, mayChange: false })])
    const json = { releases_access_level: "private" }
    await done("PUT", `/projects/${open.id}`, json)
    expect(await tags({}, reporter)).toEqual(["v2"])
    expect(await tags({}, null)).toEqual([])
    expect(await tags({}, ofGroup)).toEqual(["v3", "v2", "v1", "v0"])
    await done("PUT", `/projects/${open.id}`, { releases_access_level: "disabled" })
    expect([await tags(), await tags({}, ofGroup)]).toEqual([["v2"], ["v2"]])
    await done("PUT", `/projects/${open.id}`, { releases_access_level: "enabled" })
    expect(await tags()).toEqual(["v3", "v2", "v1", "v0"])
  })

  it("of one project cost no more statements than one of them", async () => {
    const { outsider } = world
    const asked = async (per_page: string) => {
      const before = service.statements.length
      const found = await tags({ per_page }, outsider)
      return [found, service.statements.length - before]
    }
    await asked("1")
    const [, count] = await asked("1")
    expect(await asked("3")).toEqual([["v3", "v1", "v0"], count])
  })

  it("are not found in a group that the caller does not see", async () => {
    const hidden = await make("/groups", { name: "Hidden", path: "hidden", visibility: "private" })
    const missing = [404, { message: "404 Group Not Found" }]
    for (const token of [null, world.outsider]) expect(await ask("GET", `/groups/${hidden}/releases`, { token })).toEqual(missing)
    expect(await ask("GET", "/groups/999999/releases")).toEqual(missing)
    expect(await ask("GET", `/groups/${hidden}/releases`)).toEqual([200, []])
  })

  it("are refused for other values", async () => {
    const get = (query: Readonly<Record<string, string>>) => ask("GET", `/groups/${world.group}/releases`, { query })
    expect(await get({ sort: "up" })).toEqual([400, { error: "sort does not have a valid value" }])
    expect(await get({ simple: "x" })).toEqual([400, { error: "simple is invalid" }])
  })
})
