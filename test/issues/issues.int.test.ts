import { beforeAll, describe, expect, it } from "vitest"
import { changesOf } from "#src/issues/input.ts"
import { IssueQueries } from "#src/issues/Queries.ts"
import { Projects } from "#src/projects/Projects.ts"
import { expectExactly, field, picked } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { iidOf, listedShape, noIssue, type Person, useIssues } from "./useIssues.ts"

const { service, add, create, get, member, newGroup, newProject, pathOf, person, put, remove } = useIssues()

let [project, group, path] = [0, 0, ""]
let [developer, outsider]: ReadonlyArray<Person> = []
beforeAll(async () => {
  group = await newGroup({ visibility: "public" })
  project = await newProject({ namespace_id: group, visibility: "public" })
  path = String(field((await service.request("GET", `/projects/${project}`)).body, "path_with_namespace"))
  ;[developer, outsider] = [await member(`projects/${project}`, "developer"), await person()]
})

const invalid = (faults: object) => [400, { message: faults }]

describe("an issue", () => {
  it("is shown in the order of the reference, alone with whether the caller has a part in it", async () => {
    const created = await add(project)
    const iid = iidOf(created)
    const { imported, imported_from, moved_to_id, service_desk_reply_to, ...first } = listedShape(service.url, project, {
      iid,
      path
    })
    const last = { moved_to_id, imported, imported_from, service_desk_reply_to }
    expectExactly(created.body, { ...first, subscribed: true, ...last })
    expect(answerOf(await get(project, iid))).toEqual([200, created.body])
    const seen = await get(project, iid, { token: outsider?.token ?? null })
    expectExactly(seen.body, { ...first, subscribed: false, ...last })
    const { body } = await get(project, undefined, { query: { iids: String(iid) } })
    expectExactly(body, [{ ...first, ...last }])
  })

  it("loses labels that it got while the change was judged", async () => {
    const iid = iidOf(await add(project, { title: "Labeled meanwhile" }))
    const stale = await service.run(IssueQueries.use((issues) => issues.find(project, iid)))
    await put(project, iid, { labels: "bug" })
    const found = await service.run(Projects.use((projects) => projects.find(String(project), 1)))
    const { body: label } = await service.request("GET", `/projects/${project}/labels/bug`)
    if (stale === undefined || found === undefined) return expect.unreachable()
    const principal = { isSignedIn: true, isExternal: false, isAdministrator: true, role: found.role }
    const parameters = { id: String(project), issue_iid: iid, remove_labels: ["bug"] }
    const { labels } = await service.run(changesOf(parameters, stale, { ...found, principal }))
    expect(labels).toEqual({ added: [], removed: [field(label, "id")] })
  })

  it("has labels, people, a milestone, a day and tasks", async () => {
    const milestone = await create(`/groups/${group}/milestones`, { title: "1.0" })
    await create(`/groups/${group}/labels`, { name: "security", color: "#fff" })
    const created = await add(project, {
      description: "- [x] one\n- [ ] two",
      labels: "new, security",
      assignee_ids: [developer?.id, 1, 999_999],
      milestone_id: milestone,
      due_date: "2026-12-31",
      confidential: true
    })
    const names = ["labels", "due_date", "confidential", "task_completion_status", "has_tasks", "task_status"]
    expect(picked(created.body, ...names)).toEqual({
      labels: ["new", "security"],
      due_date: "2026-12-31",
      confidential: true,
      task_completion_status: { count: 2, completed_count: 1 },
      has_tasks: true,
      task_status: "1 of 2 checklist items completed"
    })
    expect(field(field(created.body, "milestone"), "title")).toBe("1.0")
    expect(field(field(created.body, "assignee"), "id")).toBe(developer?.id)
    expect(field(created.body, "assignees")).toMatchObject([{ id: developer?.id }, { id: 1 }])
    const { body } = await get(project, undefined, { query: { iids: String(iidOf(created)), with_labels_details: "true" } })
    expect(field(Object(body)[0], "labels")).toMatchObject([{ name: "new" }, { name: "security", color: "#fff" }])
    await remove(project, iidOf(created))
  })

  it("says when owners say that it was opened", async () => {
    const created_at = "2020-01-02T03:04:05.000Z"
    expect(field((await add(project, { created_at })).body, "created_at")).toBe(created_at)
    const byOthers = await add(project, { created_at }, { token: developer?.token ?? null })
    expect(field(byOthers.body, "created_at")).not.toBe(created_at)
  })

  it("of a confidential kind is hidden from all but Reporters, its author and its assignees", async () => {
    const guest = await member(`projects/${project}`, "guest")
    const own = iidOf(await add(project, { confidential: true }, { token: outsider?.token ?? null }))
    const assigned = iidOf(await add(project, { confidential: true, assignee_ids: [guest.id] }))
    const who = { nobody: null, outsider: outsider?.token ?? null, guest: guest.token, developer: developer?.token ?? null }
    const statuses = async (iid: number) =>
      Object.fromEntries(
        await Promise.all(Object.entries(who).map(async ([name, token]) => [name, (await get(project, iid, { token })).status]))
      )
    expect(await statuses(own)).toEqual({ nobody: 404, outsider: 200, guest: 404, developer: 200 })
    expect(await statuses(assigned)).toEqual({ nobody: 404, outsider: 404, guest: 200, developer: 200 })
    const listed = async (token: string | null, where = pathOf(project)) => {
      const { body } = await service.request("GET", where, { token, query: { confidential: "true", scope: "all" } })
      return Array.isArray(body) ? body.map((issue) => field(issue, "iid")) : body
    }
    for (const where of [pathOf(project), `/groups/${group}/issues`, "/issues"]) {
      const lists = await Promise.all(Object.values(who).map((token) => listed(token, where)))
      expect([where, lists]).toEqual([where, [[], [own], [assigned], [assigned, own]]])
    }
    expect(answerOf(await put(project, own, { title: "t" }, { token: guest.token }))).toEqual(noIssue)
    for (const iid of [own, assigned]) await remove(project, iid)
  })

  it("twenty at once have numbers of their own, without a gap", async () => {
    const other = await newProject()
    const numbers = (await Promise.all(Array.from({ length: 20 }, () => add(other)))).map(iidOf)
    expect(numbers.toSorted((one, two) => one - two)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    await remove(other, 20)
    expect(iidOf(await add(other))).toBe(21)
  })
})

describe("a new issue", () => {
  it.each<[object, ReadonlyArray<unknown>]>([
    [{ title: " " }, invalid({ title: ["can't be blank"] })],
    [{ title: null }, invalid({ title: ["can't be blank"] })],
    [{ title: "x".repeat(256) }, invalid({ title: ["is too long (maximum is 255 characters)"] })],
    [{ description: "x".repeat(1_048_577) }, invalid({ description: ["is too long (maximum is 1048576 characters)"] })],
    [{ labels: Array.from({ length: 501 }, (_, n) => `l${n}`) }, invalid({ labels: ["are too many (maximum is 500)"] })],
    [{ due_date: "soon" }, [400, { error: "due_date is invalid" }]],
    [{ confidential: "maybe" }, [400, { error: "confidential is invalid" }]],
    [{ issue_type: "epic" }, [400, { error: "issue_type does not have a valid value" }]]
  ])("row %# is refused", async (json, expected) => {
    expect(answerOf(await add(project, json))).toEqual(expected)
  })

  it("needs a title", async () => {
    expect(answerOf(await service.request("POST", pathOf(project), { json: {} }))).toEqual([400, { error: "title is missing" }])
  })

  it("of an outsider has none of what members alone set", async () => {
    const json = { labels: "new", assignee_ids: [1], due_date: "2026-12-31", discussion_locked: true, confidential: true }
    const { body } = await add(project, json, { token: outsider?.token ?? null })
    expect(picked(body, "labels", "assignees", "due_date", "discussion_locked", "confidential")).toEqual({
      labels: [],
      assignees: [],
      due_date: null,
      discussion_locked: null,
      confidential: true
    })
  })

  it("of a Guest has labels that are there", async () => {
    const guest = await member(`projects/${project}`, "guest")
    const { body } = await add(project, { labels: ["new", "newer, security"], due_date: "2026-12-31" }, { token: guest.token })
    expect(picked(body, "labels", "due_date")).toEqual({ labels: ["new", "security"], due_date: "2026-12-31" })
  })
})

describe("a change", () => {
  const changed = async (iid: unknown, json: object, ...names: ReadonlyArray<string>) => {
    const { body, status } = await put(project, iid, json)
    return [status, picked(body, ...names)]
  }

  it("closes and reopens, and tells by whom", async () => {
    const iid = iidOf(await add(project))
    const closed = await put(project, iid, { state_event: "close" }, { token: developer?.token ?? null })
    expect(picked(closed.body, "state", "closed_at")).toEqual({ state: "closed", closed_at: field(closed.body, "updated_at") })
    expect(field(field(closed.body, "closed_by"), "id")).toBe(developer?.id)
    const again = await put(project, iid, { state_event: "close" }, { token: developer?.token ?? null })
    expect(answerOf(again)).toEqual([200, closed.body])
    const none = { state: "opened", closed_at: null, closed_by: null }
    expect(await changed(iid, { state_event: "reopen" }, "state", "closed_at", "closed_by")).toEqual([200, none])
    expect(await changed(iid, { state_event: "close", discussion_locked: true }, "state")).toEqual([200, { state: "closed" }])
    expect(await changed(iid, { state_event: "reopen" }, "state")).toEqual([200, { state: "closed" }])
  })

  it("of labels replaces, adds and removes", async () => {
    const iid = iidOf(await add(project, { labels: ["one", "two"] }))
    const steps: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
      [{ add_labels: "three,one" }, ["one", "three", "two"]],
      [{ remove_labels: ["two", "unknown"] }, ["one", "three"]],
      [{ add_labels: ["four"], remove_labels: ["four", "three"] }, ["one"]],
      [{ labels: "a, b", add_labels: "c", remove_labels: "a" }, ["b", "c"]],
      [{ labels: "" }, []],
      [{ add_labels: "x" }, ["x"]],
      [{ labels: null }, []]
    ]
    for (const [json, labels] of steps) expect(await changed(iid, json, "labels")).toEqual([200, { labels }])
    await Promise.all(["p", "q", "r"].map((label) => put(project, iid, { add_labels: label })))
    expect(await changed(iid, { add_labels: "p" }, "labels")).toEqual([200, { labels: ["p", "q", "r"] }])
  })

  it("sets and clears what may be there or not", async () => {
    const milestone_id = await create(`/projects/${project}/milestones`, { title: "2.0" })
    const foreign = await create(`/projects/${await newProject()}/milestones`, { title: "2.0" })
    const iid = iidOf(await add(project))
    const names = ["description", "due_date", "confidential", "discussion_locked", "title"]
    const set = { description: "d", due_date: "2026-12-31", confidential: true, discussion_locked: false, title: "t" }
    expect(await changed(iid, set, ...names)).toEqual([200, set])
    const cleared = { description: null, due_date: null, confidential: false }
    expect(await changed(iid, { ...cleared, due_date: "" }, ...Object.keys(cleared))).toEqual([200, cleared])
    const milestoneOf = async (json: object) => field(field((await put(project, iid, json)).body, "milestone"), "id")
    expect(await milestoneOf({ milestone_id })).toBe(milestone_id)
    expect(await milestoneOf({ milestone_id: 0 })).toBe(undefined)
    expect(await milestoneOf({ milestone_id })).toBe(milestone_id)
    expect(await milestoneOf({ milestone_id: foreign })).toBe(undefined)
    expect(await milestoneOf({ milestone_id })).toBe(milestone_id)
    await service.request("DELETE", `/projects/${project}/milestones/${milestone_id}`)
    expect(await milestoneOf({ title: "u" })).toBe(undefined)
  })

  it("of people replaces them, but not by nobody who may see it", async () => {
    const iid = iidOf(await add(project))
    const idsOf = async (json: object) => {
      const assignees = field((await put(project, iid, json)).body, "assignees")
      return Array.isArray(assignees) ? assignees.map((user) => field(user, "id")) : assignees
    }
    expect(await idsOf({ assignee_ids: [developer?.id, 1] })).toEqual([developer?.id, 1])
    expect(await idsOf({ assignee_ids: [999_999] })).toEqual([developer?.id, 1])
    expect(await idsOf({ assignee_id: 1 })).toEqual([1])
    expect(await idsOf({ assignee_ids: "0" })).toEqual([])
    expect(await idsOf({ assignee_id: developer?.id })).toEqual([developer?.id])
    expect(await idsOf({ assignee_ids: [] })).toEqual([])
  })

  it("that comes to nothing leaves the time of the last one", async () => {
    const created = await add(project, { labels: "one" })
    const again = { title: "Uploads fail", state_event: "reopen", labels: "one", due_date: null }
    expect(answerOf(await put(project, iidOf(created), again))).toEqual([200, created.body])
  })

  it("of the author changes texts and state alone", async () => {
    const token = outsider?.token ?? null
    const iid = iidOf(await add(project, {}, { token }))
    const json = {
      title: "t",
      labels: "one",
      assignee_ids: [1],
      due_date: "2026-12-31",
      confidential: true,
      state_event: "close"
    }
    const { body, status } = await put(project, iid, json, { token })
    expect([status, picked(body, "title", "labels", "assignees", "due_date", "confidential", "state")]).toEqual([
      200,
      { title: "t", labels: [], assignees: [], due_date: null, confidential: false, state: "closed" }
    ])
  })

  it.each<[object, string]>([
    [
      {},
      "assignee_id, assignee_ids, confidential, created_at, description, discussion_locked, due_date, labels, add_labels, remove_labels, milestone_id, state_event, title, issue_type are missing, at least one parameter must be provided"
    ],
    [{ state_event: "lock" }, "state_event does not have a valid value"],
    [{ due_date: "2026-02-30" }, "due_date is invalid"]
  ])("%j is refused", async (json, error) => {
    expect(answerOf(await put(project, 1, json))).toEqual([400, { error }])
  })

  it("is refused where a text is wrong, and nothing is changed then", async () => {
    const created = await add(project)
    const refused = await put(project, iidOf(created), { title: "", state_event: "close" })
    expect(answerOf(refused)).toEqual(invalid({ title: ["can't be blank"] }))
    expect((await get(project, iidOf(created))).body).toEqual(created.body)
  })
})

describe("a deletion", () => {
  const gone = [404, { message: "404 Issue Not Found" }]

  it("is for ever", async () => {
    const iid = iidOf(await add(project))
    expect(answerOf(await remove(project, iid))).toEqual([204, undefined])
    expect(answerOf(await get(project, iid))).toEqual(noIssue)
    expect(answerOf(await put(project, iid, { title: "t" }))).toEqual(noIssue)
    expect(answerOf(await remove(project, iid))).toEqual(gone)
  })

  it("is refused to who saw an older one", async () => {
    const iid = iidOf(await add(project))
    const headers = { "if-unmodified-since": "Wed, 01 Jan 2020 00:00:00 GMT" }
    expect(answerOf(await remove(project, iid, { headers }))).toEqual([412, { message: "412 Precondition Failed" }])
    expect((await get(project, iid)).status).toBe(200)
  })
})

describe("where issues are switched off", () => {
  it("there are none", async () => {
    const other = await newProject({ visibility: "public" })
    const iid = iidOf(await add(other))
    await service.request("PUT", `/projects/${other}`, { json: { issues_access_level: "private" } })
    const outside = { token: outsider?.token ?? null }
    expect(answerOf(await get(other, undefined, outside))).toEqual([200, []])
    expect(answerOf(await get(other, iid, outside))).toEqual(noIssue)
    expect((await add(other, {}, outside)).status).toBe(403)
    await service.request("PUT", `/projects/${other}`, { json: { issues_access_level: "disabled" } })
    expect(answerOf(await get(other))).toEqual([200, []])
    expect(answerOf(await get(other, iid))).toEqual(noIssue)
    expect((await add(other)).status).toBe(403)
    expect(answerOf(await put(other, iid, { title: "t" }))).toEqual(noIssue)
  })
})
