import { beforeAll, describe, expect, it } from "vitest"
import { field, picked } from "#test/support/exactly.ts"
import { useMergeRequests } from "../useMergeRequests.ts"

const { newProject, open, pathOf, service } = useMergeRequests()
const { request } = service

let projectId = 0
beforeAll(async () => {
  projectId = await newProject("listed")
  await open(projectId, { title: "One", description: "Text" })
  await open(projectId, { title: "Two", target_branch: "topic", source_branch: "main" })
})

const invalid = (error: string) => ({ status: 400, body: { error } })
const invalidRecord = (message: object) => ({ status: 400, body: { message } })

describe("parameters of lists", () => {
  it.each([
    ["not[author_id]=1&not[author_username]=root", "not[author_id], not[author_username] are mutually exclusive"],
    ["not[assignee_id]=1&not[assignee_username]=root", "not[assignee_id], not[assignee_username] are mutually exclusive"],
    ["not[reviewer_id]=1&not[reviewer_username]=root", "not[reviewer_id], not[reviewer_username] are mutually exclusive"],
    ["not[reviewer_id]=Any", "not[reviewer_id] is invalid"],
    ["author_id=1&author_username=root", "author_id, author_username are mutually exclusive"],
    ["assignee_id=1&assignee_username=root", "assignee_id, assignee_username are mutually exclusive"],
    ["reviewer_id=1&reviewer_username=root", "reviewer_id, reviewer_username are mutually exclusive"],
    ["merge_user_id=1&merge_user_username=root", "merge_user_id, merge_user_username are mutually exclusive"],
    ["approved_by_ids[]=foo", "approved_by_ids should be an array, 'None' or 'Any'"],
    ["assignee_id=foo", "assignee_id should be an integer, none, or any, however got foo"],
    ["author_id=foo", "author_id is invalid"],
    ["state=open", "state does not have a valid value"],
    ["scope=mine", "scope does not have a valid value"],
    ["order_by=iid", "order_by does not have a valid value"],
    ["order_by=weight", "order_by does not have a valid value"],
    ["approved=maybe", "approved does not have a valid value"],
    ["wip=true", "wip does not have a valid value"],
    ["created_after=garbage", "created_after is invalid"],
    ["with_merge_status_recheck=perhaps", "with_merge_status_recheck is invalid"],
    ["not=foo", "not is invalid"]
  ])("%s is refused, also where there is nothing", async (query, error) => {
    for (const path of ["/merge_requests", "/projects/999999/merge_requests", "/groups/999999/merge_requests"])
      expect(await request("GET", `${path}?scope=all&${query}`)).toMatchObject(invalid(error))
  })

  it.each(["label_priority", "priority"])("%s orders lists of a project alone", async (order) => {
    for (const path of ["/merge_requests", "/groups/999999/merge_requests"])
      expect(await request("GET", `${path}?scope=all&order_by=${order}`)).toMatchObject(
        invalid("order_by does not have a valid value")
      )
    expect((await request("GET", `${pathOf(projectId)}?order_by=${order}`)).status).toBe(200)
  })

  it.each([
    ["", [2, 1]],
    ["state=", [2, 1]],
    ["assignee_id=", [2, 1]],
    ["assignee_id=-1", []],
    ["assignee_id=99999999999999999999", []],
    ["assignee_username=", [2, 1]],
    ["not[author_id]=", [2, 1]],
    ["not[author_id]=9007199254740993", [2, 1]],
    ["not[assignee_id]=9007199254740993", [2, 1]],
    ["not[assignee_id]=-1", [2, 1]],
    // Without that reviewer nothing is found.
    ["not[reviewer_id]=999999", []],
    ["not[reviewer_id]=9007199254740993", []],
    ["approved_by_ids[]=-1", []],
    ["approved_by_ids[]=9007199254740993", []],
    ["approver_ids=9223372036854775808", []],
    ["search=%20", [2, 1]],
    ["search=text", [1]],
    ["in=title&search=text", []],
    ["approved=yes", [2, 1]],
    ["search=on", []],
    ["search=TWO", [2]],
    ["iids=2,3", [2]],
    ["iids=", [2, 1]],
    ["unknown=1", [2, 1]],
    ["page=2&per_page=1", [1]],
    ["page=9", []]
  ])("%s lists", async (query, iids) => {
    const { body, status } = await request("GET", `${pathOf(projectId)}?${query}`)
    expect([status, [body].flat().map((row) => field(row, "iid"))]).toEqual([200, iids])
  })

  it("of lists of all requests numbers are none", async () => {
    const { body } = await request("GET", "/merge_requests?iids=1")
    expect([body].flat().map((row) => field(row, "iid"))).toEqual([2, 1])
  })

  it("show nine fields of each, if asked to", async () => {
    const { body } = await request("GET", `${pathOf(projectId)}?view=simple&iids=1`)
    const [row] = [body].flat()
    expect(row).toEqual({
      ...picked(row, "id", "created_at", "updated_at", "web_url"),
      iid: 1,
      project_id: projectId,
      title: "One",
      description: "Text",
      state: "opened"
    })
    expect(field(row, "web_url")).toMatch(/\/root\/listed\/-\/merge_requests\/1$/)
  })
})

describe("a new merge request", () => {
  const blank = { title: ["can't be blank"] }
  const missing = { source_branch: ["does not exist"] }
  it.each([
    [
      { title: " ", source_branch: "none" },
      { ...blank, ...missing }
    ],
    [{ title: "a".repeat(256) }, { title: ["is too long (maximum is 255 characters)"] }],
    [
      { title: " ", target_branch: "a..b" },
      { ...blank, target_branch: ["is invalid"] }
    ],
    [{ source_branch: "a..b" }, { source_branch: ["is invalid"] }]
  ])("%j is told all that is wrong with it", async (json, message) => {
    expect(await open(projectId, { source_branch: "topic", target_branch: "other", ...json })).toMatchObject(
      invalidRecord(message)
    )
  })

  it("is told first who may, then what does not fit, then what is taken, then what is wrong", async () => {
    expect(await open(projectId, { title: " ", target_project_id: 999_999 })).toMatchObject({ status: 404 })
    expect(await open(projectId, { title: " ", source_branch: "main" })).toMatchObject({ status: 422 })
    expect(await open(projectId, { title: " " })).toMatchObject({ status: 409 })
  })
})
