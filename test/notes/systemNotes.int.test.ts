import { expect, it } from "vitest"
import { field, picked } from "#test/support/exactly.ts"
import { bodiesOf, idOf, useNotes } from "./useNotes.ts"

const { as, ask, at, discuss, member, newRequest, note, put, service } = useNotes()
const { request } = service

/** What the service wrote, the oldest first. */
const told = async (id: number) => {
  const query = { activity_filter: "only_activity", sort: "asc", per_page: "100" }
  return bodiesOf(await ask("GET", id, "/notes", { query }))
}

it("what happens to a merge request is told in its notes", async () => {
  const id = await newRequest("told")
  const developer = await member(id, "developer", "told-developer")
  await put(id, 1, { title: "Draft: Add a topic" })
  await put(id, 1, { title: "Add one topic", description: "Why" })
  await put(id, 1, { assignee_ids: [developer.id], reviewer_ids: [1] })
  await put(id, 1, { assignee_ids: [1], reviewer_ids: [] })
  await put(id, 1, { discussion_locked: true })
  await put(id, 1, { discussion_locked: false })
  await put(id, 1, { state_event: "close" }, as(developer))
  await put(id, 1, { state_event: "reopen" })
  await request("POST", at(id, "/time_estimate"), { json: { duration: "3h" } })
  await request("POST", at(id, "/add_spent_time"), { json: { duration: "1h" } })
  await request("POST", at(id, "/reset_spent_time"))
  await request("POST", at(id, "/reset_time_estimate"))
  await request("POST", at(id, "/approve"))
  await request("POST", at(id, "/unapprove"))
  await request("PUT", at(id, "/merge"))
  expect(await told(id)).toEqual([
    "marked this merge request as **draft**",
    "marked this merge request as **ready**",
    "changed title from **{-Draft: Add a-} topic** to **{+Add one+} topic**",
    "changed the description",
    "assigned to @told-developer",
    "requested review from @root",
    "assigned to @root and unassigned @told-developer",
    "removed review request for @root",
    "locked the discussion in this merge request",
    "unlocked the discussion in this merge request",
    "closed",
    "reopened",
    "changed time estimate to 3h",
    "added 1h of time spent",
    "removed time spent",
    "removed time estimate",
    "approved this merge request",
    "unapproved this merge request",
    "merged"
  ])
  expect(field((await request("GET", at(id, ""))).body, "user_notes_count")).toBe(0)
})

it("labels and milestones are told by the names that they have", async () => {
  const id = await newRequest("labeled")
  const milestone = async (title: string) =>
    field((await request("POST", `/projects/${id}/milestones`, { json: { title } })).body, "id")
  const [first, second] = [await milestone("v1"), await milestone("v2")]
  await put(id, 1, { labels: "bug,old name", milestone_id: first })
  await put(id, 1, { add_labels: "new", remove_labels: "bug" })
  await put(id, 1, { milestone_id: second })
  await put(id, 1, { milestone_id: 0, labels: "" })
  await request("PUT", `/projects/${id}/labels/old%20name`, { json: { new_name: "renamed" } })
  await request("DELETE", `/projects/${id}/labels/new`)
  await request("DELETE", `/projects/${id}/milestones/${second}`)
  expect(await told(id)).toEqual([
    "added ~bug ~renamed labels",
    'changed milestone to %"v1"',
    'added ~"deleted label" label and removed ~bug label',
    'changed milestone to %"deleted milestone"',
    'removed ~renamed ~"deleted label" labels',
    "removed milestone"
  ])
})

it("that it is going to be merged of itself is told, and that it is not", async () => {
  const id = await newRequest("automatic")
  const sha = String(field((await request("GET", at(id, ""))).body, "sha"))
  await request("POST", `/projects/${id}/statuses/${sha}`, { json: { state: "running", name: "ci", ref: "topic" } })
  const wait = async () => expect((await request("PUT", at(id, "/merge"), { json: { auto_merge: true } })).status).toBe(200)
  await wait()
  await request("POST", at(id, "/cancel_merge_when_pipeline_succeeds"))
  await wait()
  await put(id, 1, { state_event: "close" })
  expect(await told(id)).toEqual([
    `enabled an automatic merge when all merge checks for ${sha} pass`,
    "canceled the automatic merge",
    `enabled an automatic merge when all merge checks for ${sha} pass`,
    "closed",
    "aborted the automatic merge because merge request was closed"
  ])
})

it("a note of the service is one that nobody changes, resolves or replies to", async () => {
  const id = await newRequest("unchangeable")
  await put(id, 1, { state_event: "close" })
  const { body: listed } = await ask("GET", id, "/notes")
  const [closed] = [listed].flat()
  expect(picked(closed, "type", "system", "body", "resolvable")).toEqual({
    type: null,
    system: true,
    body: "closed",
    resolvable: false
  })
  expect(field(field(closed, "author"), "username")).toBe("root")
  const noteId = String(field(closed, "id"))
  expect((await ask("GET", id, `/notes/${noteId}`)).body).toEqual(closed)
  expect((await ask("PUT", id, `/notes/${noteId}`, { json: { body: "a" } })).status).toBe(403)
  expect((await ask("DELETE", id, `/notes/${noteId}`)).status).toBe(403)
  const { body: discussions } = await ask("GET", id, "/discussions")
  const path = `/discussions/${field([discussions].flat()[0], "id")}`
  expect(await ask("POST", id, `${path}/notes`, { json: { body: "a" } })).toMatchObject({
    status: 400,
    body: { message: "400 Bad request - Discussion can not be replied to." }
  })
  expect((await ask("PUT", id, path, { json: { resolved: true } })).status).toBe(403)
  expect((await ask("PUT", id, `${path}/notes/${noteId}`, { json: { resolved: true } })).status).toBe(403)
})

it("notes of people and of the service have no id in common", async () => {
  const id = await newRequest("ids")
  const own = Number(idOf(await note(id, { body: "a" })))
  await put(id, 1, { state_event: "close" })
  const { body } = await ask("GET", id, "/notes", { query: { activity_filter: "only_activity" } })
  expect([own % 2, Number(field([body].flat()[0], "id")) % 2]).toEqual([1, 0])
})

it("who resolves the last thread resolves all", async () => {
  const id = await newRequest("all-resolved")
  const [one, other] = [await discuss(id, { body: "a" }), await discuss(id, { body: "b" })]
  await ask("PUT", id, `/discussions/${idOf(one)}`, { json: { resolved: true } })
  expect(await told(id)).toEqual([])
  await ask("PUT", id, `/discussions/${idOf(other)}`, { json: { resolved: true } })
  expect(await told(id)).toEqual(["resolved all threads"])
})

it("a push is told with its commits, by who pushed", async () => {
  const id = await newRequest("pushed")
  const developer = await member(id, "developer", "pusher")
  for (const name of ["one", "two"]) {
    const json = { branch: "topic", commit_message: `Add <${name}>\n\nMore`, content: "a\n" }
    await request("POST", `/projects/${id}/repository/files/${name}.txt`, { json, ...as(developer) })
  }
  // What it would be merged to is found out for the commits that are there now.
  await request("GET", at(id, "/merge_ref"))
  const { body: commits } = await request("GET", `/projects/${id}/repository/commits`, { query: { ref_name: "topic" } })
  const [two, one] = [commits].flat().map((each) => String(field(each, "short_id")))
  const { body } = await ask("GET", id, "/notes")
  const [first] = [body].flat()
  expect([field(first, "body"), field(field(first, "author"), "username")]).toEqual([
    `added 2 commits\n\n<ul><li>${one} - Add &lt;one&gt;</li><li>${two} - Add &lt;two&gt;</li></ul>`,
    "pusher"
  ])
})
