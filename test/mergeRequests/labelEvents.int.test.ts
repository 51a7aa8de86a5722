import { beforeAll, describe, expect, it } from "vitest"
import { anyId, anyTime, field } from "#test/support/exactly.ts"
import { type Person, useMergeRequests } from "./useMergeRequests.ts"

const { member, newProject, open, pathOf, put, service } = useMergeRequests()
const { request } = service

let project = 0
let developer: Person
const made = async (path: string, json: object) => (await request("POST", path, { json })).body
const events = async (kind: "label" | "milestone", more = "") =>
  request("GET", pathOf(project, 1, `/resource_${kind}_events${more}`))
const told = async (kind: "label" | "milestone", names: ReadonlyArray<string>) =>
  [(await events(kind)).body].flat().map((event) => names.map((name) => field(event, name)))

beforeAll(async () => {
  project = await newProject("told")
  developer = await member(project, "developer", "labeler")
})

describe("what is told of a merge request", () => {
  it("are its labels, the oldest first", async () => {
    const bug = await made(`/projects/${project}/labels`, { name: "bug", color: "#ff0000" })
    const opened = await open(project, { labels: "bug,new" })
    await put(project, 1, { labels: "other,bug", title: "No label" }, { token: developer.token })
    const [first] = [(await events("label")).body].flat()
    expect(first).toEqual({
      id: anyId,
      user: field(opened.body, "author"),
      created_at: anyTime,
      resource_type: "MergeRequest",
      resource_id: field(opened.body, "id"),
      label: {
        id: field(bug, "id"),
        name: "bug",
        description: null,
        description_html: null,
        text_color: "#FFFFFF",
        color: "#ff0000"
      },
      action: "add"
    })
    const shown = (await told("label", ["label", "action", "user"])).map(([label, action, user]) => [
      field(label, "name"),
      action,
      field(user, "username")
    ])
    expect(shown).toEqual([
      ["bug", "add", "root"],
      ["new", "add", "root"],
      ["other", "add", "labeler"],
      ["new", "remove", "labeler"]
    ])
    expect((await events("label", `/${field(first, "id")}`)).body).toEqual(first)
    expect((await events("label", "/999999")).status).toBe(404)
    await request("DELETE", `/projects/${project}/labels/new`)
    expect((await told("label", ["label"])).map(([label]) => label && field(label, "name"))).toEqual(["bug", null, "other", null])
    const paged = await request("GET", pathOf(project, 1, "/resource_label_events"), { query: { per_page: "1", page: "3" } })
    expect([[paged.body].flat().length, paged.headers.get("x-total")]).toEqual([1, "4"])
  })

  it("are its milestones, with its state then", async () => {
    const [first, second] = [
      await made(`/projects/${project}/milestones`, { title: "1.0" }),
      await made(`/projects/${project}/milestones`, { title: "2.0" })
    ]
    await put(project, 1, { milestone_id: field(first, "id") })
    await put(project, 1, { milestone_id: field(second, "id"), state_event: "close" }, { token: developer.token })
    await put(project, 1, { milestone_id: 0 })
    await put(project, 1, { milestone_id: 0 })
    const shown = (await told("milestone", ["milestone", "action", "state"])).map(([milestone, ...more]) => [
      field(milestone, "title"),
      ...more
    ])
    expect(shown).toEqual([
      ["1.0", "add", "opened"],
      ["2.0", "add", "opened"],
      ["2.0", "remove", "closed"]
    ])
    const [event] = [(await events("milestone")).body].flat()
    expect(field(event, "milestone")).toEqual(first)
    expect((await events("milestone", `/${field(event, "id")}`)).body).toEqual(event)
    await request("DELETE", `/projects/${project}/milestones/${field(first, "id")}`)
    expect(await told("milestone", ["action"])).toEqual([["add"], ["remove"]])
    expect((await events("milestone", `/${field(event, "id")}`)).status).toBe(404)
  })
})
