import { describe, expect, it } from "vitest"
import { Projections } from "#src/platform/Projections.ts"
import { useMergeRequests } from "#test/mergeRequests/useMergeRequests.ts"
import { anyId, anyTime, expectExactly, field, picked } from "#test/support/exactly.ts"

const { commit, member, newProject, open, pathOf, service } = useMergeRequests()
const { request } = service

const environments = (id: number, more: unknown = "") =>
  more === "" ? `/projects/${id}/environments` : `/projects/${id}/environments/${more}`

const make = async (id: number, json: object) => {
  const { body, status } = await request("POST", environments(id), { json })
  expect([status, body]).toEqual([201, expect.anything()])
  return Number(field(body, "id"))
}

const deploy = async (id: number, environment: string, status = "success") => {
  const json = { environment, sha: "main", ref: "main", tag: false, status }
  const { body } = await request("POST", `/projects/${id}/deployments`, { json })
  return Number(field(body, "id"))
}

const stateOf = async (id: number, environment: number) =>
  field((await request("GET", environments(id, environment))).body, "state")

/** What is asked and what is answered. */
const ask = async (method: "DELETE" | "GET" | "POST" | "PUT", path: string, sent: Parameters<typeof request>[2] = {}) => {
  const { body, status } = await request(method, path, sent)
  return [status, body]
}

const notFound = [404, { message: "404 Not found" }]
const forbidden = [403, { message: "403 Forbidden" }]
const blocked = { external_url: ["is blocked: Only allowed schemes are http, https"] }
const slugIsFixed = [400, { error: "slug is automatically generated and cannot be changed" }]

describe("an environment", () => {
  it("is created, told with its project, and listed", async () => {
    const id = await newProject("environments")
    const { body, status } = await request("POST", environments(id), {
      json: { name: "review/a", external_url: "https://a.example.com" }
    })
    expect(status).toBe(201)
    const { body: projects } = await request("GET", "/projects", { query: { search: "environments", simple: "true" } })
    const [project] = [projects].flat()
    expectExactly(body, {
      id: anyId,
      name: "review/a",
      slug: expect.stringMatching(/^review-a-\w{6}$/),
      external_url: "https://a.example.com",
      created_at: anyTime,
      updated_at: anyTime,
      tier: "development",
      state: "available",
      project,
      auto_stop_at: null
    })
    expect(field(project, "id")).toBe(id)
    const { auto_stop_at, ...first } = Object(body)
    expectExactly((await request("GET", environments(id, field(body, "id")))).body, {
      ...first,
      last_deployment: null,
      auto_stop_at
    })
    const { body: other } = await request("POST", environments(id), { json: { name: "live", tier: "testing" } })
    expect(picked(other, "tier", "slug", "external_url")).toEqual({ tier: "testing", slug: "live", external_url: null })
    const { body: old } = await request("POST", environments(id), { json: { name: "old" } })
    const { body: stopped } = await request("POST", environments(id, `${field(old, "id")}/stop`))
    const rows: ReadonlyArray<readonly [query: Readonly<Record<string, string>>, found: ReadonlyArray<unknown>]> = [
      [{}, [other, stopped, body]],
      [{ name: "live" }, [other]],
      [{ name: "Live" }, []],
      [{ search: "VIEW" }, [body]],
      [{ states: "stopped" }, [stopped]],
      [{ states: "stopping" }, []],
      [{ states: "available", per_page: "1", page: "2" }, [body]],
      [{ states: "available", name: "old" }, []],
      [{ states: "stopped", search: "old" }, [stopped]]
    ]
    for (const [query, found] of rows)
      expect([query, await ask("GET", environments(id), { query })]).toEqual([query, [200, found]])
    const refused: ReadonlyArray<readonly [query: Readonly<Record<string, string>>, body: unknown]> = [
      [{ search: "li" }, { message: { search: ["Search term must have at least 3 characters"] } }],
      [{ states: "gone" }, { error: "states does not have a valid value" }],
      [{ name: "live", search: "live" }, { error: "name, search are mutually exclusive" }]
    ]
    for (const [query, error] of refused)
      expect([query, await ask("GET", environments(id), { query })]).toEqual([query, [400, error]])
    expect(await ask("GET", environments(id, 999_999))).toEqual(notFound)
  })

  it("has a name of its own, which is one, and an address", async () => {
    const id = await newProject("environment-faults")
    const post = (json: object) => ask("POST", environments(id), { json })
    expect(await post({})).toEqual([400, { error: "name is missing" }])
    expect((await post({ name: "a" }))[0]).toBe(201)
    expect(await post({ name: "a" })).toEqual([400, { message: { name: ["has already been taken"] } }])
    expect(await post({ name: " ", external_url: "javascript:a" })).toEqual([
      400,
      { message: { name: ["can't be blank"], ...blocked } }
    ])
    expect(await post({ name: "b", slug: "b" })).toEqual(slugIsFixed)
    const statuses = await Promise.all(Array.from({ length: 8 }, () => post({ name: "at-once" })))
    expect(statuses.map(([status]) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 400)])
  })

  it("gets another address and tier, or none, and keeps its name", async () => {
    const id = await newProject("environment-changes")
    const one = environments(id, await make(id, { name: "live", external_url: "https://a.example.com" }))
    const shown = ["name", "slug", "external_url", "tier", "state"] as const
    const put = async (json: object) => {
      const { body, status } = await request("PUT", one, { json })
      return [status, picked(body, ...shown)]
    }
    const before = { name: "live", slug: "live", external_url: "https://a.example.com", tier: "production", state: "available" }
    const { body } = await request("GET", one)
    expect(await put({})).toEqual([200, before])
    expect(await put({ tier: "production", name: "other" })).toEqual([200, before])
    expect(field((await request("GET", one)).body, "updated_at")).toBe(field(body, "updated_at"))
    expect(await put({ external_url: "http://b.example.com", tier: "staging" })).toEqual([
      200,
      { ...before, external_url: "http://b.example.com", tier: "staging" }
    ])
    expect(await put({ external_url: "" })).toEqual([200, { ...before, external_url: null, tier: "staging" }])
    expect(String(field((await request("GET", one)).body, "updated_at")) > String(field(body, "updated_at"))).toBe(true)
    expect(await ask("PUT", one, { json: { external_url: "ftp://a" } })).toEqual([400, { message: blocked }])
    expect(await ask("PUT", one, { json: { tier: "live" } })).toEqual([400, { error: "tier does not have a valid value" }])
    expect(await ask("PUT", one, { json: { slug: "a" } })).toEqual(slugIsFixed)
    expect(await ask("PUT", environments(id, 999_999), { json: { tier: "other" } })).toEqual(notFound)
  })

  it("stops, starts with the next deployment that succeeds, and is deleted when it is stopped", async () => {
    const id = await newProject("environment-lives")
    const environment = await make(id, { name: "live" })
    const one = environments(id, environment)
    expect(await ask("DELETE", one)).toEqual(forbidden)
    const stop = async () => picked((await request("POST", `${one}/stop`, { json: { force: true } })).body, "id", "state")
    expect([await stop(), await stop()]).toEqual([
      { id: environment, state: "stopped" },
      { id: environment, state: "stopped" }
    ])
    await deploy(id, "live", "failed")
    const running = await deploy(id, "live", "running")
    expect(await stateOf(id, environment)).toBe("stopped")
    await request("PUT", `/projects/${id}/deployments/${running}`, { json: { status: "success" } })
    expect(await stateOf(id, environment)).toBe("available")
    await stop()
    expect((await request("PUT", `/projects/${id}/deployments/${running}`, { json: { status: "success" } })).status).toBe(200)
    expect(await stateOf(id, environment)).toBe("stopped")
    await deploy(id, "live")
    expect(await stateOf(id, environment)).toBe("available")
    await stop()
    expect(await ask("DELETE", one)).toEqual([204, undefined])
    for (const [method, path] of [
      ["GET", one],
      ["PUT", one],
      ["POST", `${one}/stop`],
      ["DELETE", one]
    ] as const)
      expect([method, await ask(method, path)]).toEqual([method, notFound])
    expect(await ask("GET", environments(id))).toEqual([200, []])
    const again = await make(id, { name: "live" })
    expect(again).not.toBe(environment)
    expect(await stateOf(id, again)).toBe("available")
    for (const path of [environments(id, 999_999), `${environments(id, 999_999)}/stop`])
      expect(await ask(path.endsWith("stop") ? "POST" : "DELETE", path)).toEqual(notFound)
  })

  it("tells the last deployment that succeeded, and takes its deployments with it", async () => {
    const id = await newProject("environment-deployed")
    await commit(id, "a", { "a.txt": "a\n" })
    const { body: opened } = await open(id, { source_branch: "a" })
    await request("PUT", pathOf(id, field(opened, "iid"), "/merge"))
    const environment = await make(id, { name: "live" })
    const one = environments(id, environment)
    const last = async () => field((await request("GET", one)).body, "last_deployment")
    await deploy(id, "live")
    const deployment = await deploy(id, "live")
    await deploy(id, "live", "failed")
    await deploy(id, "live", "running")
    await deploy(id, "elsewhere")
    const told = `/projects/${id}/deployments/${deployment}`
    expect(await last()).toEqual((await request("GET", told)).body)
    const deployed = async () => {
      const { body } = await request("GET", pathOf(id), { query: { deployed_after: "2020-01-01" } })
      return [body].flat().map((each) => field(each, "iid"))
    }
    expect(await deployed()).toEqual([1])
    await request("POST", `${environments(id, (await ids(id, "elsewhere"))[0])}/stop`)
    await request("DELETE", environments(id, (await ids(id, "elsewhere"))[0]))
    expect(await deployed()).toEqual([1])
    await request("POST", `${one}/stop`)
    expect((await request("DELETE", one)).status).toBe(204)
    expect(await deployed()).toEqual([])
    expect(await ask("GET", told)).toEqual(notFound)
    expect(await ask("PUT", told, { json: { status: "success" } })).toEqual(notFound)
    expect(await ask("GET", `/projects/${id}/deployments`)).toEqual([200, []])
    expect(field((await request("GET", pathOf(id, 1))).body, "first_deployed_to_production_at")).toBeNull()
  })

  it("is read by Reporters, and changed, stopped and deleted by Developers alone", async () => {
    const id = await newProject("environment-roles")
    const one = environments(id, await make(id, { name: "live" }))
    const { token } = await member(id, "reporter", "reporter-of-environments")
    const rows: ReadonlyArray<readonly ["DELETE" | "GET" | "POST" | "PUT", string, object]> = [
      ["PUT", one, { json: { tier: "other" } }],
      ["PUT", environments(id, 999_999), {}],
      ["POST", `${one}/stop`, {}],
      ["DELETE", one, {}]
    ]
    for (const [method, path, sent] of rows)
      expect([method, path, await ask(method, path, { ...sent, token })]).toEqual([method, path, forbidden])
    expect((await ask("GET", one, { token }))[0]).toBe(200)
    // What is wrong with parameters is told first.
    expect(await ask("PUT", one, { json: { slug: "a" }, token })).toEqual(slugIsFixed)
    expect(await ask("POST", `${one}/stop`, { token: null })).toEqual([401, { message: "401 Unauthorized" }])
  })

  it("is the same after a rebuild", async () => {
    const rebuild = await service.run(Projections.use((projections) => projections.requestRebuild(["deployments"])))
    const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(rebuild)))
    await expect.poll(async () => (await progress())?.state).toBe("finished")
    expect(await progress()).toMatchObject({ differing: 0, examples: [] })
  })
})

/** The ids of the environments of a name. */
const ids = async (id: number, name: string) => {
  const { body } = await request("GET", environments(id), { query: { name } })
  return [body].flat().map((each) => field(each, "id"))
}
