import { describe, expect, it } from "vitest"
import { field, picked } from "#test/support/exactly.ts"
import { useMergeRequests } from "../useMergeRequests.ts"

const { get, member, newProject, open, put, service } = useMergeRequests()
const namesOf = (people: unknown) => [people].flat().map((person) => field(person, "username"))
const shown = (body: unknown) => ({
  ...picked(body, "title", "description", "state", "draft", "target_branch", "discussion_locked"),
  assignees: namesOf(field(body, "assignees")),
  reviewers: namesOf(field(body, "reviewers")),
  ...picked(field(body, "time_stats"), "time_estimate", "total_time_spent")
})

describe("quick actions of a new merge request", () => {
  it("are done and taken out of its description", async () => {
    const id = await newProject("ordered")
    await member(id, "developer", "ordered-developer")
    const { body, status } = await open(id, {
      description:
        "What it does\n\n/draft\n/assign me @ordered-developer\n/reviewer @ordered-developer\n/estimate 2h\n/spend 1h\n"
    })
    expect([status, shown(body)]).toEqual([
      201,
      {
        title: "Draft: Add a topic",
        description: "What it does",
        state: "opened",
        draft: true,
        target_branch: "main",
        discussion_locked: null,
        assignees: ["root", "ordered-developer"],
        reviewers: ["ordered-developer"],
        time_estimate: 7_200,
        total_time_spent: 3_600
      }
    ])
  })

  it("choose a target branch that is there, and is not the source", async () => {
    const id = await newProject("retargeted")
    await service.request("POST", `/projects/${id}/repository/branches`, { query: { branch: "stable", ref: "main" } })
    const description = "/target_branch stable\n/target_branch gone\n/target_branch topic"
    expect(picked((await open(id, { description })).body, "target_branch", "description")).toEqual({
      target_branch: "stable",
      description: ""
    })
    expect((await open(id, { description })).status).toBe(409)
  })

  it("are done with the rights of who opens it", async () => {
    const id = await newProject("ordered-from-outside", { visibility: "public" })
    const guest = await member(id, "guest", "ordering-guest")
    const { body: forked } = await service.request("POST", `/projects/${id}/fork`, {
      json: { name: "guests-fork", path: "guests-fork" },
      token: guest.token
    })
    const forkId = Number(field(forked, "id"))
    await expect
      .poll(async () => field((await service.request("GET", `/projects/${forkId}`)).body, "import_status"))
      .toBe("finished")
    const description = "/title Other\n/assign me\n/reviewer @root\n/lock\n/estimate 1h\n/spend 1h\n/close"
    const { body } = await open(forkId, { description, target_project_id: id }, { token: guest.token })
    expect(shown(body)).toEqual({
      title: "Other",
      description: "",
      state: "opened",
      draft: false,
      target_branch: "main",
      discussion_locked: null,
      assignees: [],
      reviewers: [],
      time_estimate: 0,
      total_time_spent: 0
    })
  })
})

describe("quick actions of labels and milestones", () => {
  it("take those that are there", async () => {
    const id = await newProject("labeled-by-text")
    const milestone = await service.request("POST", `/projects/${id}/milestones`, { json: { title: "1.0 beta" } })
    for (const name of ["bug", "two words", "old"])
      await service.request("POST", `/projects/${id}/labels`, { json: { name, color: "#aabbcc" } })
    const titlesOf = (body: unknown) => ({ labels: field(body, "labels"), milestone: field(field(body, "milestone"), "title") })
    const description = '/label ~bug ~"two words" ~none\n/milestone %"1.0 beta"\n/milestone %none'
    expect(titlesOf((await open(id, { description, labels: "old" })).body)).toEqual({
      labels: ["bug", "old", "two words"],
      milestone: field(milestone.body, "title")
    })
    const changing = "/unlabel ~old ~bug\n/label ~bug\n/remove_milestone"
    expect(titlesOf((await put(id, 1, { description: changing })).body)).toEqual({
      labels: ["bug", "two words"],
      milestone: undefined
    })
    expect(titlesOf((await put(id, 1, { description: "/unlabel" })).body).labels).toEqual([])
    expect(titlesOf((await put(id, 1, { description: "/relabel ~old ~gone" })).body).labels).toEqual(["old"])
    expect((await service.request("GET", `/projects/${id}/labels`)).body).toHaveLength(3)
  })
})

describe("quick actions of a change", () => {
  it("win over its other parameters, and go on from what was there", async () => {
    const id = await newProject("reordered")
    await member(id, "developer", "reordered-developer")
    await open(id, { title: "Draft: A", description: "/assign me\n/spend 1h" })
    const description = "Text\n/ready\n/assign @reordered-developer\n/lock\n/spend -30m\n/spend -1h\n/close"
    expect(shown((await put(id, 1, { description, discussion_locked: false })).body)).toEqual({
      title: "A",
      description: "Text",
      state: "closed",
      draft: false,
      target_branch: "main",
      discussion_locked: true,
      assignees: ["root", "reordered-developer"],
      reviewers: [],
      time_estimate: 0,
      total_time_spent: 1_800
    })
    expect(shown((await put(id, 1, { description: "/unlock\n/reopen\n/unassign\n/remove_time_spent" })).body)).toMatchObject({
      description: "",
      state: "closed",
      discussion_locked: false,
      assignees: [],
      total_time_spent: 0
    })
  })

  it("leave alone what is no command, and what is code", async () => {
    const id = await newProject("unordered")
    const description = "/unknown x\n/close enough\n\n```\n/close\n```\n\n> /close"
    await open(id, { description })
    expect(picked((await get(id, 1)).body, "description", "state")).toEqual({ description, state: "opened" })
    expect(picked((await put(id, 1, { description })).body, "description", "state")).toEqual({ description, state: "opened" })
  })

  it("that would make a title too long are refused with all of it", async () => {
    const id = await newProject("too-long")
    await open(id)
    expect(await put(id, 1, { description: `/title ${"a".repeat(256)}` })).toMatchObject({
      status: 400,
      body: { message: { title: ["is too long (maximum is 255 characters)"] } }
    })
  })
})
