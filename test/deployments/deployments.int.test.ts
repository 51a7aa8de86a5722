import { describe, expect, it } from "vitest"
import { Projections } from "#src/platform/Projections.ts"
import { useMergeRequests } from "#test/mergeRequests/useMergeRequests.ts"
import { anyId, anyTime, expectExactly, field, picked } from "#test/support/exactly.ts"

const { commit, member, newProject, open, pathOf, service } = useMergeRequests()
const { request } = service

const deployments = (id: number, more = "") => `/projects/${id}/deployments${more}`
const tipOf = async (id: number, branch = "main") =>
  String(field(field((await request("GET", `/projects/${id}/repository/branches/${branch}`)).body, "commit"), "id"))
const deploy = async (id: number, json: object = {}, sent: { readonly token?: string } = {}) =>
  request("POST", deployments(id), {
    json: { environment: "production", sha: await tipOf(id), ref: "main", tag: false, status: "success", ...json },
    ...sent
  })
const iids = (body: unknown) => [body].flat().map((one) => field(one, "iid"))

/** Merges a new branch; answers the number of its merge request. */
const merged = async (id: number, branch: string) => {
  await commit(id, branch, { [`${branch}.txt`]: "a\n" })
  const { body } = await open(id, { source_branch: branch })
  expect((await request("PUT", pathOf(id, field(body, "iid"), "/merge"))).status).toBe(200)
  return Number(field(body, "iid"))
}

describe("a deployment", () => {
  it("is told with its environment, which is made, and ends once", async () => {
    const id = await newProject("deployed")
    const sha = await tipOf(id)
    const { body, status } = await deploy(id, { status: "running" })
    expect(status).toBe(201)
    expectExactly(body, {
      id: anyId,
      iid: 1,
      ref: "main",
      sha,
      created_at: anyTime,
      updated_at: anyTime,
      user: {
        id: 1,
        username: "root",
        name: "Administrator",
        state: "active",
        locked: false,
        avatar_url: null,
        web_url: expect.any(String)
      },
      environment: {
        id: anyId,
        name: "production",
        slug: "production",
        external_url: null,
        created_at: anyTime,
        updated_at: anyTime
      },
      deployable: null,
      status: "running"
    })
    const one = deployments(id, `/${field(body, "id")}`)
    expect((await request("GET", one)).body).toEqual(body)
    const end = (to: string) => request("PUT", one, { json: { status: to } })
    expect(picked((await end("success")).body, "status")).toEqual({ status: "success" })
    expect((await end("success")).status).toBe(200)
    expect(await end("failed")).toMatchObject({
      status: 400,
      body: { message: { status: ["cannot transition from success to failed"] } }
    })
    await deploy(id, { environment: "staging", status: "failed" })
    const { body: found } = await request("GET", `/projects/${id}/environments`)
    expect([found].flat().map((each) => field(each, "name"))).toEqual(["production", "staging"])
    const rows: ReadonlyArray<readonly [query: Readonly<Record<string, string>>, found: ReadonlyArray<number>]> = [
      [{}, [1, 2]],
      [{ sort: "desc" }, [2, 1]],
      [{ environment: "staging" }, [2]],
      [{ environment: "nowhere" }, []],
      [{ status: "success" }, [1]],
      [{ status: "blocked" }, []],
      [{ order_by: "ref", sort: "desc" }, [2, 1]],
      [{ order_by: "finished_at", sort: "asc" }, [1, 2]],
      [{ updated_after: "2020-01-01", order_by: "updated_at" }, [1, 2]],
      [{ updated_after: "2099-01-01" }, []],
      [{ updated_before: "2020-01-01" }, []],
      [{ finished_after: "2020-01-01", finished_before: "2099-01-01" }, [1, 2]],
      [{ finished_after: "2099-01-01", status: "success", order_by: "finished_at" }, []],
      [{ per_page: "1", page: "2" }, [2]]
    ]
    for (const [query, expected] of rows)
      expect([query, iids((await request("GET", deployments(id), { query })).body)]).toEqual([query, expected])
    for (const query of [{ order_by: "bogus" }, { updated_after: "notadate" }, { status: "done" }])
      expect([query, (await request("GET", deployments(id), { query })).status]).toEqual([query, 400])
  })

  it("is of what is there", async () => {
    const id = await newProject("deployed-nothing")
    expect(await deploy(id, { sha: "0".repeat(40), ref: "gone" })).toMatchObject({
      status: 400,
      body: { message: { sha: ["The commit does not exist"], ref: ["The branch or tag does not exist"] } }
    })
    expect(field((await deploy(id, { sha: "main" })).body, "sha")).toBe(await tipOf(id))
    expect((await deploy(id, { tag: true })).status).toBe(400)
    expect((await deploy(id, { environment: "/" })).status).toBe(400)
    expect((await deploy(id, { status: "blocked" })).status).toBe(400)
    expect((await request("PUT", deployments(id, "/999999"), { json: { status: "success" } })).status).toBe(404)
    const { token } = await member(id, "reporter", "deploying-reporter")
    expect((await deploy(id, {}, { token })).status).toBe(403)
  })
})

describe("merge requests", () => {
  it("are found by what was deployed, when, and into which environment", async () => {
    const id = await newProject("deployed-requests")
    const first = await merged(id, "a")
    const found = async (query: Readonly<Record<string, string>>) =>
      iids((await request("GET", pathOf(id), { query: { sort: "asc", ...query } })).body)
    expect(await found({ environment: "production" })).toEqual([])
    await deploy(id)
    const second = await merged(id, "b")
    await deploy(id, { environment: "staging", status: "failed" })
    const { body: later } = await deploy(id, { status: "running" })
    expect(await found({ environment: "production" })).toEqual([first])
    await request("PUT", deployments(id, `/${field(later, "id")}`), { json: { status: "success" } })
    const productionAt = async (iid: number) =>
      field((await request("GET", pathOf(id, iid))).body, "first_deployed_to_production_at")
    const { body: told } = await request("GET", deployments(id, `/${field(later, "id")}`))
    expect(await productionAt(second)).toBe(field(told, "updated_at"))
    const third = await merged(id, "c")
    expect(await productionAt(third)).toBeNull()
    expect(await found({ environment: "production" })).toEqual([first, second])
    expect(await found({ environment: "staging" })).toEqual([])
    expect(await found({ deployed_after: "2020-01-01" })).toEqual([first, second])
    expect(await found({ deployed_after: "2020-01-01T00:00:00Z", environment: "production", state: "merged" })).toEqual([
      first,
      second
    ])
    expect(await found({ deployed_before: "2020-01-01" })).toEqual([])
    for (const text of ["garbage", "2021-99-99", ""])
      expect(await found({ deployed_before: text })).toEqual([first, second, third])
  })

  it("are found so after a rebuild", async () => {
    const rebuild = await service.run(Projections.use((projections) => projections.requestRebuild(["deployments"])))
    const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(rebuild)))
    await expect.poll(async () => (await progress())?.state).toBe("finished")
    expect(await progress()).toMatchObject({ differing: 0, examples: [] })
  })
})
