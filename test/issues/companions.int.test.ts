import { describe, expect, it } from "vitest"
import { anyId, anyTime, field, picked } from "#test/support/exactly.ts"
import { useService } from "#test/support/service.ts"

const { request } = useService()

/** A project with an issue: the path of the issue, and its id. */
const newIssue = async (name: string) => {
  const { body: project } = await request("POST", "/projects", { json: { name } })
  const path = `/projects/${field(project, "id")}/issues`
  const { body } = await request("POST", path, { json: { title: "Uploads fail" } })
  return { path: `${path}/${field(body, "iid")}`, id: field(body, "id") }
}

describe("changes of the state of an issue", () => {
  it("are told one by one, and go with it", async () => {
    const { id, path } = await newIssue("issue-states")
    for (const state_event of ["close", "reopen"]) await request("PUT", path, { json: { state_event } })
    const { body } = await request("GET", `${path}/resource_state_events`)
    const row = (state: string) => ({
      id: anyId,
      user: expect.objectContaining({ username: "root" }),
      created_at: anyTime,
      resource_type: "Issue",
      resource_id: id,
      source_commit: null,
      source_merge_request_id: null,
      state
    })
    expect(body).toEqual([row("closed"), row("reopened")])
    const [closed] = Array.isArray(body) ? body : []
    const one = `${path}/resource_state_events/${field(closed, "id")}`
    expect((await request("GET", one)).body).toEqual(closed)
    await request("DELETE", path)
    expect((await request("GET", one)).status).toBe(404)
  })
})

describe("an emoji", () => {
  it("is awarded to an issue, counted, and taken back", async () => {
    const { id, path } = await newIssue("issue-awards")
    const { body, status } = await request("POST", `${path}/award_emoji`, { json: { name: "thumbsup" } })
    expect([status, picked(body, "name", "awardable_id", "awardable_type")]).toEqual([
      201,
      { name: "thumbsup", awardable_id: id, awardable_type: "Issue" }
    ])
    expect((await request("GET", `${path}/award_emoji`)).body).toEqual([body])
    const votes = async () => picked((await request("GET", path)).body, "upvotes", "downvotes")
    expect(await votes()).toEqual({ upvotes: 1, downvotes: 0 })
    expect((await request("DELETE", `${path}/award_emoji/${field(body, "id")}`)).status).toBe(204)
    expect(await votes()).toEqual({ upvotes: 0, downvotes: 0 })
  })
})
