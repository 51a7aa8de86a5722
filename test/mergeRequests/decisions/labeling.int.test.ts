import { beforeAll, describe, expect, it } from "vitest"
import { field, picked } from "#test/support/exactly.ts"
import type { Received } from "#test/support/service.ts"
import { iidOf, type Person, useMergeRequests } from "../useMergeRequests.ts"

const { commit, get, member, newProject, open, pathOf, put, service } = useMergeRequests()
const { request } = service

const made = async (path: string, json: object) => Number(field((await request("POST", path, { json })).body, "id"))

let group = 0
let project = 0
let reporter: Person
beforeAll(async () => {
  group = await made("/groups", { name: "sorted", path: "sorted" })
  project = await newProject("sorted-project", { namespace_id: group })
  reporter = await member(project, "reporter", "reporter-of-labels")
})

let branches = 0
/** A new merge request in the project. */
const opened = async (json: object = {}, sent: object = {}): Promise<Received> => {
  const source_branch = `labeled-${++branches}`
  await commit(project, source_branch, { [`${source_branch}.txt`]: "a\n" })
  return open(project, { source_branch, ...json }, sent)
}
const labelsOf = ({ body }: Received) => field(body, "labels")

describe("labels of a merge request", () => {
  it("are found in the project and above, and made where there are none", async () => {
    await made(`/groups/${group}/labels`, { name: "of the group", color: "red" })
    await made(`/projects/${project}/labels`, { name: "bug", color: "#ff0000", description: "It <fails>" })
    const created = await opened({ labels: ["zebra, bug", "of the group", 7] })
    expect([created.status, labelsOf(created)]).toEqual([201, ["7", "bug", "of the group", "zebra"]])
    const { body } = await request("GET", `/projects/${project}/labels`)
    expect([body].flat().map((label) => [field(label, "name"), field(label, "is_project_label")])).toEqual([
      ["7", true],
      ["bug", true],
      ["of the group", false],
      ["zebra", true]
    ])
    const query = { with_labels_details: "true", labels: "bug" }
    const [listed] = [(await request("GET", pathOf(project), { query })).body].flat()
    expect([field(listed, "labels")].flat()[1]).toEqual({
      id: expect.any(Number),
      name: "bug",
      description: "It <fails>",
      description_html: expect.stringContaining("It"),
      text_color: "#FFFFFF",
      color: "#ff0000"
    })
  })

  it.each([
    [{ labels: "c,d" }, ["c", "d"]],
    [{ labels: "" }, []],
    [{ labels: [] }, []],
    [{ labels: [""] }, []],
    [{ labels: ["", ""] }, []],
    [{ labels: null }, []],
    [{ labels: ["c, d", " e "] }, ["c", "d", "e"]],
    [{ add_labels: "c" }, ["a", "b", "c"]],
    [{ add_labels: "" }, ["a", "b"]],
    [{ remove_labels: "a,unknown" }, ["b"]],
    [{ remove_labels: ["a", "b"] }, []],
    [{ labels: "c,d", add_labels: "e", remove_labels: "d,a" }, ["c", "e"]],
    [{ add_labels: "a", remove_labels: "a" }, ["b"]],
    [{ title: "Another" }, ["a", "b"]]
  ])("change with %j", async (json, expected) => {
    const iid = iidOf(await opened({ labels: "a,b" }))
    const changed = await put(project, iid, json)
    expect([changed.status, labelsOf(changed)]).toEqual([200, expected])
    expect(labelsOf(await get(project, iid))).toEqual(expected)
  })

  it("follow their titles, and go with them", async () => {
    const iid = iidOf(await opened({ labels: "renamed,deleted,stays" }))
    const before = field((await get(project, iid)).body, "updated_at")
    await request("PUT", `/projects/${project}/labels/renamed`, { json: { new_name: "another name" } })
    await request("DELETE", `/projects/${project}/labels/deleted`)
    const now = await get(project, iid)
    expect([labelsOf(now), field(now.body, "updated_at")]).toEqual([["another name", "stays"], before])
  })

  it("are limited", async () => {
    const labels = Array.from({ length: 501 }, (_, index) => `many ${index}`)
    const message = { labels: ["is too long (maximum is 500)"] }
    expect(await opened({ labels })).toMatchObject({ status: 400, body: { message } })
    const iid = iidOf(await opened({ labels: labels.slice(1) }))
    expect(await put(project, iid, { add_labels: "one more" })).toMatchObject({ status: 400, body: { message } })
  })

  it("are set by Developers alone, without a word to others", async () => {
    const iid = iidOf(await opened({ labels: "a", assignee_id: reporter.id }))
    const changed = await put(project, iid, { labels: "b", title: "By somebody else" }, { token: reporter.token })
    expect([changed.status, labelsOf(changed), field(changed.body, "title")]).toEqual([200, ["a"], "By somebody else"])
  })

  it("that sixteen add at once are all there", async () => {
    const iid = iidOf(await opened())
    const names = Array.from({ length: 16 }, (_, index) => `raced ${String(index).padStart(2, "0")}`)
    await Promise.all(names.map((add_labels) => put(project, iid, { add_labels })))
    expect(labelsOf(await get(project, iid))).toEqual(names)
  })
})

describe("the milestone of a merge request", () => {
  const milestoneOf = ({ body }: Received) => field(body, "milestone")

  it("is one of the project or of a group above", async () => {
    const ofGroup = await made(`/groups/${group}/milestones`, { title: "of the group" })
    const ofProject = await made(`/projects/${project}/milestones`, { title: "of the project", due_date: "2020-01-01" })
    const created = await opened({ milestone_id: ofProject })
    expect(milestoneOf(created)).toEqual((await request("GET", `/projects/${project}/milestones/${ofProject}`)).body)
    const iid = iidOf(created)
    expect(picked(milestoneOf(await put(project, iid, { milestone_id: ofGroup })), "id", "group_id", "expired")).toEqual({
      id: ofGroup,
      group_id: group,
      expired: false
    })
    await request("PUT", `/groups/${group}/milestones/${ofGroup}`, { json: { title: "renamed" } })
    expect(field(milestoneOf(await get(project, iid)), "title")).toBe("renamed")
    await request("DELETE", `/groups/${group}/milestones/${ofGroup}`)
    expect(milestoneOf(await get(project, iid))).toBeNull()
  })

  it.each([0, null, "", 999_999])("is taken away with %j", async (milestone_id) => {
    const id = await made(`/projects/${project}/milestones`, { title: `taken away ${JSON.stringify(milestone_id)}` })
    const created = await opened({ milestone_id: id })
    expect(field(milestoneOf(created), "id")).toBe(id)
    const changed = await put(project, iidOf(created), { milestone_id })
    expect([changed.status, milestoneOf(changed)]).toEqual([200, null])
  })

  it("is none where the one that is named is of elsewhere", async () => {
    const other = await newProject("elsewhere")
    const id = await made(`/projects/${other}/milestones`, { title: "elsewhere" })
    expect(milestoneOf(await opened({ milestone_id: id }))).toBeNull()
  })
})
