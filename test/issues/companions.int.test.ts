import { describe, expect, it } from "vitest"
import { anyId, anyTime, field, picked } from "#test/support/exactly.ts"
import { type Sent, useService } from "#test/support/service.ts"

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

describe("notes of an issue", () => {
  const bodiesAt = async (path: string, sent: Sent = {}) => {
    const { body } = await request("GET", path, sent)
    return Array.isArray(body) ? body.map((note) => field(note, "body")) : body
  }

  it("are told, changed, deleted, awarded and counted", async () => {
    const { id, path } = await newIssue("issue-notes")
    const before = field((await request("GET", path)).body, "updated_at")
    const { body, status } = await request("POST", `${path}/notes`, { json: { body: "Looks wrong.\n/close" } })
    expect([status, picked(body, "body", "noteable_type", "noteable_id", "noteable_iid", "resolvable", "system")]).toEqual([
      201,
      {
        body: "Looks wrong.\n/close",
        noteable_type: "Issue",
        noteable_id: id,
        noteable_iid: 1,
        resolvable: false,
        system: false
      }
    ])
    const note = `${path}/notes/${field(body, "id")}`
    expect((await request("GET", note)).body).toEqual(body)
    const shown = (await request("GET", path)).body
    expect([field(shown, "user_notes_count"), field(shown, "state"), field(shown, "updated_at") === before]).toEqual([
      1,
      "opened",
      false
    ])
    expect(field((await request("PUT", note, { json: { body: "Looks better." } })).body, "body")).toBe("Looks better.")
    const { body: award } = await request("POST", `${note}/award_emoji`, { json: { name: "tada" } })
    expect((await request("GET", `${note}/award_emoji`)).body).toEqual([award])
    expect((await request("DELETE", note)).status).toBe(204)
    expect(await bodiesAt(`${path}/notes`)).toEqual([])
    expect(field((await request("GET", path)).body, "user_notes_count")).toBe(0)
  })

  it("make discussions, which nobody resolves, and which are about no lines", async () => {
    const { path } = await newIssue("issue-discussions")
    const { body: thread, status } = await request("POST", `${path}/discussions`, { json: { body: "Why?" } })
    const one = `${path}/discussions/${field(thread, "id")}`
    expect([status, field(thread, "individual_note")]).toEqual([201, false])
    expect((await request("POST", `${one}/notes`, { json: { body: "Because." } })).status).toBe(201)
    const { body: read } = await request("GET", one)
    const notes = [field(read, "notes")].flat()
    expect(notes.map((note) => picked(note, "type", "body", "resolvable"))).toEqual([
      { type: "DiscussionNote", body: "Why?", resolvable: false },
      { type: "DiscussionNote", body: "Because.", resolvable: false }
    ])
    expect(Object.keys(Object(notes[0]))).not.toContain("resolved")
    expect((await request("PUT", one, { json: { resolved: true } })).status).toBe(404)
    const resolving = { json: { resolved: true } }
    expect((await request("PUT", `${one}/notes/${field(notes[0], "id")}`, resolving)).status).toBe(403)
    const sha = "0".repeat(40)
    const position = { base_sha: sha, start_sha: sha, head_sha: sha, position_type: "text", new_path: "a", new_line: 1 }
    expect((await request("POST", `${path}/discussions`, { json: { body: "Here", position } })).status).toBe(400)
    expect((await request("GET", `${path}/discussions`)).body).toEqual([read])
  })

  it("are shown to whoever sees the issue, internal ones to Reporters", async () => {
    const { body: project } = await request("POST", "/projects", { json: { name: "issue-secrets", visibility: "public" } })
    const path = `/projects/${field(project, "id")}/issues`
    const issue = async (json: object) => `${path}/${field((await request("POST", path, { json })).body, "iid")}`
    const [open, confidential] = [await issue({ title: "Open" }), await issue({ title: "Hidden", confidential: true })]
    for (const one of [open, confidential]) await request("POST", `${one}/notes`, { json: { body: "Seen" } })
    await request("POST", `${open}/notes`, { json: { body: "Internal", internal: true } })
    const { body: user } = await request("POST", "/users", {
      json: { email: "noting@example.com", username: "noting", name: "Noting", force_random_password: true }
    })
    const tokens = `/users/${field(user, "id")}/personal_access_tokens`
    const issued = await request("POST", tokens, { json: { name: "a", scopes: ["api"] } })
    const token = String(field(issued.body, "token"))
    expect(await bodiesAt(`${open}/notes`)).toEqual(["Internal", "Seen"])
    for (const sent of [{ token }, { token: null }]) {
      expect(await bodiesAt(`${open}/notes`, sent)).toEqual(["Seen"])
      expect((await request("GET", `${confidential}/notes`, sent)).status).toBe(404)
    }
    expect((await request("POST", `${confidential}/notes`, { json: { body: "a" }, token })).status).toBe(404)
    expect((await request("POST", `${open}/notes`, { json: { body: "a" }, token })).status).toBe(201)
    await request("PUT", open, { json: { discussion_locked: true } })
    expect((await request("POST", `${open}/notes`, { json: { body: "b" }, token })).status).toBe(403)
  })
})
