import { describe, expect, it } from "vitest"
import { field, picked } from "#test/support/exactly.ts"
import { bodiesOf, idOf, useNotes } from "./useNotes.ts"

const { as, ask, at, discuss, member, newRequest, note, person, put, remove, service } = useNotes()
const { request } = service

describe("a note", () => {
  it("is told with these keys in this order", async () => {
    const id = await newRequest("noted")
    const { body, status } = await note(id, { body: "Looks good." })
    expect(status).toBe(201)
    const { body: merge } = await request("GET", at(id, ""))
    const { body: user } = await request("GET", "/user")
    const author = picked(user, "id", "username", "name", "state", "locked", "avatar_url", "web_url")
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
    const expected = {
      id: expect.any(Number),
      type: null,
      body: "Looks good.",
      attachment: null,
      author,
      created_at: time,
      updated_at: field(body, "created_at"),
      system: false,
      noteable_id: field(merge, "id"),
      noteable_type: "MergeRequest",
      project_id: id,
      resolvable: false,
      confidential: false,
      internal: false,
      imported: false,
      imported_from: "none",
      noteable_iid: 1,
      commands_changes: {}
    }
    expect(body).toEqual(expected)
    expect(Object.keys(body as object)).toEqual(Object.keys(expected))
    expect((await ask("GET", id, `/notes/${idOf({ body })}`)).body).toEqual(body)
  })

  it.each([
    [{ body: " \n" }, `400 Bad request - Note {:note=>["can't be blank"]}`],
    [{ body: "x".repeat(1_000_001) }, '400 Bad request - Note {:note=>["is too long (maximum is 1000000 characters)"]}']
  ])("is refused: %#", async (json, message) => {
    const id = await newRequest(`refused-${json.body.length}`)
    expect(await note(id, json)).toMatchObject({ status: 400, body: { message } })
  })

  it("needs a text", async () => {
    const id = await newRequest("textless")
    expect(await note(id, {})).toMatchObject({ status: 400, body: { error: "body is missing" } })
    const { body } = await note(id, { body: "a" })
    const answer = await ask("PUT", id, `/notes/${idOf({ body })}`, { json: { body: "" } })
    expect(answer).toMatchObject({ status: 400, body: { error: "body is empty" } })
    expect(await ask("GET", id, "/notes/999999")).toMatchObject({ status: 404, body: { message: "404 Not found" } })
    expect(await request("GET", `/projects/${id}/merge_requests/9/notes`)).toMatchObject({
      status: 404,
      body: { message: "404 Not found" }
    })
  })

  it("is listed by when it was written or changed, in either direction", async () => {
    const id = await newRequest("listed")
    const first = idOf(await note(id, { body: "first", created_at: "2020-01-01T00:00:00Z" }))
    await note(id, { body: "second", created_at: "2021-01-01T00:00:00Z" })
    await ask("PUT", id, `/notes/${first}`, { json: { body: "changed" } })
    const listed = async (query: Record<string, string>) =>
      bodiesOf(await ask("GET", id, "/notes", { query: { activity_filter: "only_comments", ...query } }))
    expect(await listed({})).toEqual(["second", "changed"])
    expect(await listed({ sort: "asc" })).toEqual(["changed", "second"])
    expect(await listed({ order_by: "updated_at" })).toEqual(["changed", "second"])
    expect(await listed({ per_page: "1", page: "2" })).toEqual(["changed"])
    expect(await ask("GET", id, "/notes", { query: { order_by: "id" } })).toMatchObject({
      status: 400,
      body: { error: "order_by does not have a valid value" }
    })
  })

  it("is changed and deleted by its author and Maintainers alone", async () => {
    const id = await newRequest("owned")
    const [author, developer] = [await person("author-of-notes"), await member(id, "developer", "developer-of-notes")]
    const maintainer = await member(id, "maintainer", "maintainer-of-notes")
    const path = `/notes/${idOf(await note(id, { body: "mine" }, author))}`
    const changing = { json: { body: "changed" } }
    expect((await ask("PUT", id, path, { ...changing, ...as(developer) })).status).toBe(403)
    expect(picked((await ask("PUT", id, path, { ...changing, ...as(author) })).body, "body")).toEqual({ body: "changed" })
    const before = (await ask("GET", id, path)).body
    expect((await ask("PUT", id, path, { ...changing, ...as(maintainer) })).body).toEqual(before)
    expect((await ask("DELETE", id, path, as(developer))).status).toBe(403)
    const since = { "if-unmodified-since": "Wed, 01 Jan 2020 00:00:00 GMT" }
    expect((await ask("DELETE", id, path, { ...as(author), headers: since })).status).toBe(412)
    expect((await ask("DELETE", id, path, as(author))).status).toBe(204)
    expect((await ask("GET", id, path)).status).toBe(404)
  })

  it("was written when Owners and administrators say so", async () => {
    const id = await newRequest("backdated")
    const maintainer = await member(id, "maintainer", "maintainer-of-time")
    const json = { body: "a", created_at: "2020-01-02T03:04:05Z" }
    expect(picked((await note(id, json)).body, "created_at", "updated_at")).toEqual({
      created_at: "2020-01-02T03:04:05.000Z",
      updated_at: "2020-01-02T03:04:05.000Z"
    })
    expect(field((await note(id, json, maintainer)).body, "created_at")).not.toMatch(/^2020/)
  })

  it("is for Reporters and above where it is internal", async () => {
    const id = await newRequest("internal")
    const [guest, reporter] = [await member(id, "guest", "guest-of-notes"), await member(id, "reporter", "reporter-of-notes")]
    const { body } = await note(id, { body: "secret", internal: true }, reporter)
    expect(picked(body, "internal", "confidential")).toEqual({ internal: true, confidential: true })
    expect((await note(id, { body: "secret", confidential: true }, guest)).status).toBe(403)
    const path = `/notes/${idOf({ body })}`
    expect((await ask("GET", id, path, as(guest))).status).toBe(404)
    expect((await ask("PUT", id, path, { json: { body: "a" }, ...as(guest) })).status).toBe(404)
    const query = { activity_filter: "only_comments" }
    expect((await ask("GET", id, "/notes", { query, ...as(guest) })).body).toEqual([])
    expect(bodiesOf(await ask("GET", id, "/notes", { query, ...as(reporter) }))).toEqual(["secret"])
  })

  it("is written by members alone where the discussion is locked", async () => {
    const id = await newRequest("locked")
    const [guest, outsider] = [await member(id, "guest", "guest-of-locked"), await person("outsider-of-locked")]
    const path = `/notes/${idOf(await note(id, { body: "before" }, outsider))}`
    await put(id, 1, { discussion_locked: true })
    expect((await note(id, { body: "a" }, outsider)).status).toBe(403)
    expect((await ask("PUT", id, path, { json: { body: "a" }, ...as(outsider) })).status).toBe(403)
    expect((await ask("DELETE", id, path, as(outsider))).status).toBe(403)
    expect((await note(id, { body: "a" }, guest)).status).toBe(201)
  })

  it("goes away with what it is about", async () => {
    const id = await newRequest("gone")
    await note(id, { body: "a" })
    await remove(id, 1)
    expect((await ask("GET", id, "/notes")).status).toBe(404)
  })
})

describe("a merge request", () => {
  it("tells how many notes of people it has, and when they were last changed", async () => {
    const id = await newRequest("counted")
    const one = idOf(await note(id, { body: "a" }))
    const { body: thread } = await discuss(id, { body: "b" })
    await ask("POST", id, `/discussions/${field(thread, "id")}/notes`, { json: { body: "c" } })
    const { body: before } = await request("GET", at(id, ""))
    expect(field(before, "user_notes_count")).toBe(3)
    await ask("DELETE", id, `/notes/${one}`)
    const { body: after } = await request("GET", at(id, ""))
    expect(field(after, "user_notes_count")).toBe(2)
    expect(String(field(after, "updated_at")) > String(field(before, "updated_at"))).toBe(true)
    const { body: listed } = await request("GET", `/projects/${id}/merge_requests`)
    expect([listed].flat().map((each) => field(each, "user_notes_count"))).toEqual([2])
  })

  it("waits for its discussions where the project wants it", async () => {
    const id = await newRequest("waiting", { only_allow_merge_if_all_discussions_are_resolved: true })
    const { body: thread } = await discuss(id, { body: "b" })
    const told = async () =>
      picked((await request("GET", at(id, ""))).body, "blocking_discussions_resolved", "detailed_merge_status")
    expect(await told()).toEqual({ blocking_discussions_resolved: false, detailed_merge_status: "discussions_not_resolved" })
    expect((await request("PUT", at(id, "/merge"))).status).toBe(405)
    await ask("PUT", id, `/discussions/${field(thread, "id")}`, { json: { resolved: true } })
    expect(await told()).toEqual({ blocking_discussions_resolved: true, detailed_merge_status: "mergeable" })
    expect((await request("PUT", at(id, "/merge"))).status).toBe(200)
  })
})
