import { describe, expect, it } from "vitest"
import { field, picked } from "#test/support/exactly.ts"
import { useMergeRequests } from "../useMergeRequests.ts"

const { get, member, newProject, open, pathOf, person, put, service } = useMergeRequests()
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

describe("quick actions of a note", () => {
  const noted = async (projectId: number, body: string, by: { readonly token?: string } = {}) => {
    const answer = await service.request("POST", pathOf(projectId, 1, "/notes"), { json: { body }, ...by })
    return { status: answer.status, body: answer.body }
  }

  it("that says nothing else are told, and it is no note", async () => {
    const id = await newProject("only-ordered")
    const developer = await member(id, "developer", "noting-developer")
    const { body: label } = await service.request("POST", `/projects/${id}/labels`, { json: { name: "bug", color: "#123456" } })
    await open(id)
    const body = "/draft\n/assign @noting-developer\n/label ~bug ~unknown\n/spend 1h\n/todo\n/unsubscribe\n"
    expect(await noted(id, body, developer)).toEqual({
      status: 202,
      body: {
        commands_changes: {
          title: "Draft: Add a topic",
          assignee_ids: [developer.id],
          add_label_ids: [field(label, "id")],
          spend_time: { duration: 3_600, user_id: developer.id },
          todo_event: "add",
          subscription_event: "unsubscribe"
        },
        summary: [
          "Marked this merge request as a draft. Assigned @noting-developer. Added labels ~bug. Added 1h spent time. Added a to-do item. Unsubscribed from notifications."
        ]
      }
    })
    const { body: now } = await get(id, 1, developer)
    expect(picked(now, "title", "labels", "user_notes_count", "subscribed")).toEqual({
      title: "Draft: Add a topic",
      labels: ["bug"],
      user_notes_count: 0,
      subscribed: false
    })
    const { body: todos } = await service.request("GET", "/todos", developer)
    expect([todos].flat().map((todo) => field(todo, "action_name"))).toEqual(["marked"])
    expect(await noted(id, "/done\n/ready", developer)).toEqual({
      status: 202,
      body: {
        commands_changes: { title: "Add a topic", todo_event: "done" },
        summary: ["Marked this merge request as ready. Marked to-do item as done."]
      }
    })
  })

  it("are left out of a text, which tells what they changed", async () => {
    const id = await newProject("noted-and-ordered")
    await open(id)
    const { body, status } = await noted(id, "Not now.\n/close\n/unknown")
    expect([status, picked(body, "body", "commands_changes")]).toEqual([
      201,
      { body: "Not now.\n/unknown", commands_changes: { state_event: "close" } }
    ])
    expect(picked((await get(id, 1)).body, "state", "user_notes_count")).toEqual({ state: "closed", user_notes_count: 1 })
  })

  it("approve, rebase and merge", async () => {
    const id = await newProject("noted-to-merge")
    const { body: opened } = await open(id)
    const sha = field(opened, "sha")
    expect(await noted(id, "/approve")).toEqual({
      status: 202,
      body: { commands_changes: { approve: true }, summary: ["Approved the current merge request."] }
    })
    expect((await noted(id, "/approve")).status).toBe(400)
    expect(await noted(id, "/unapprove\n/merge")).toEqual({
      status: 202,
      body: {
        commands_changes: { approve: false, merge: sha },
        summary: ["Unapproved the current merge request. Merged this merge request."]
      }
    })
    expect(field((await get(id, 1)).body, "state")).toBe("merged")
    expect(await noted(id, "/rebase\n/merge")).toEqual({
      status: 202,
      body: { commands_changes: { merge: sha }, summary: ["Merged this merge request."] }
    })
    const other = await newProject("noted-to-rebase")
    await open(other)
    expect((await noted(other, "/rebase")).body).toMatchObject({ summary: ["Scheduled a rebase."] })
    expect(field((await get(other, 1, { query: { include_rebase_in_progress: "true" } })).body, "rebase_in_progress")).toBe(true)
  })

  it("are done with the rights of who writes it", async () => {
    const id = await newProject("noted-from-outside", { visibility: "public" })
    const outsider = await person("noting-outsider")
    await open(id)
    const failed = { status: 400, body: { message: `400 Bad request - Note {:commands=>["Failed to apply commands."]}` } }
    for (const body of ["/close", "/title Other", "/label ~bug", "/spend 1h", "/approve", "/rebase", "/merge", "/lock"])
      expect([body, await noted(id, body, outsider)]).toEqual([body, failed])
    expect(await noted(id, "/close\n/todo", outsider)).toEqual({
      status: 202,
      body: { commands_changes: { todo_event: "add" }, summary: ["Added a to-do item."] }
    })
    await put(id, 1, { discussion_locked: true })
    expect((await noted(id, "/done", outsider)).status).toBe(403)
    expect(picked((await get(id, 1)).body, "title", "state")).toEqual({ title: "Add a topic", state: "opened" })
  })
})

describe("quick actions of threads", () => {
  const threads = (projectId: number, more = "") => pathOf(projectId, 1, `/discussions${more}`)
  const post = async (path: string, body: string, by: { readonly token?: string } = {}) => {
    const answer = await service.request("POST", path, { json: { body }, ...by })
    return { status: answer.status, body: answer.body }
  }
  const bodies = async (projectId: number) => {
    const { body } = await service.request("GET", threads(projectId))
    const begun = [body].flat().filter((thread) => field(thread, "individual_note") === false)
    return begun.map((thread) => [field(thread, "notes")].flat().map((note) => field(note, "body")))
  }

  it("are done when one begins, and left out of its text", async () => {
    const id = await newProject("thread-ordered")
    await open(id)
    const { body, status } = await post(threads(id), "Not now.\n/close\n/unknown")
    expect([status, [field(body, "notes")].flat().map((note) => field(note, "body"))]).toEqual([201, ["Not now.\n/unknown"]])
    expect(field((await get(id, 1)).body, "state")).toBe("closed")
    expect(await post(threads(id), "/reopen\n/title Again")).toEqual({
      status: 202,
      body: { commands_changes: { title: "Again", state_event: "reopen" }, summary: expect.any(Array) }
    })
    expect(picked((await get(id, 1)).body, "state", "title")).toEqual({ state: "opened", title: "Again" })
    expect(await bodies(id)).toEqual([["Not now.\n/unknown"]])
  })

  it("are done by replies, with the rights of who writes them", async () => {
    const id = await newProject("reply-ordered", { visibility: "public" })
    const outsider = await person("replying-outsider")
    await open(id)
    const thread = threads(id, `/${field((await post(threads(id), "Is it done?")).body, "id")}/notes`)
    const { body, status } = await post(thread, "It is.\n/draft")
    expect([status, picked(body, "body", "commands_changes")]).toEqual([
      201,
      { body: "It is.", commands_changes: { title: "Draft: Add a topic" } }
    ])
    expect(await post(thread, "/ready")).toMatchObject({ status: 202, body: { commands_changes: { title: "Add a topic" } } })
    expect((await post(thread, "/close", outsider)).status).toBe(400)
    expect((await post(threads(id, `/${"0".repeat(40)}/notes`), "/close")).status).toBe(404)
    await put(id, 1, { discussion_locked: true })
    expect((await post(thread, "/todo", outsider)).status).toBe(403)
    expect((await post(threads(id), "/todo", outsider)).status).toBe(403)
    expect((await service.request("GET", "/todos", outsider)).body).toEqual([])
    expect(picked((await get(id, 1)).body, "state", "title")).toEqual({ state: "opened", title: "Add a topic" })
    expect(await bodies(id)).toEqual([["Is it done?", "It is."]])
  })
})
