import { beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { iidOf, type Person, useIssues } from "./useIssues.ts"

const { service, add, create, get, member, newGroup, newProject, pathOf, person, put, remove, titlesIn } = useIssues()

const days = (from: number): string => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10)

let [group, project, path] = [0, 0, ""]
let [ada, outsider]: ReadonlyArray<Person> = []
const iids: Record<string, number> = {}
beforeAll(async () => {
  group = await newGroup({ visibility: "public" })
  const below = await newGroup({ visibility: "public", parent_id: group })
  project = await newProject({ namespace_id: below, visibility: "public" })
  path = pathOf(project)
  ;[ada, outsider] = [await member(`projects/${project}`, "developer"), await person()]
  const milestone_id = await create(`/projects/${project}/milestones`, { title: "1.0", start_date: days(-1), due_date: days(9) })
  await create(`/groups/${group}/milestones`, { title: "later", start_date: days(5), due_date: days(20) })
  const issues = {
    alpha: { labels: "bug,ui", milestone_id, due_date: days(0) },
    beta: { labels: "bug", assignee_ids: [ada?.id], due_date: days(1), description: "needle in the text" },
    gamma: { labels: "ui", due_date: days(-1), assignee_ids: [1] },
    delta: { confidential: true }
  }
  for (const [title, json] of Object.entries(issues)) iids[title] = iidOf(await add(project, { title, ...json }))
  iids.Epsilon = iidOf(await add(project, { title: "Epsilon" }, { token: ada?.token ?? null }))
  await put(project, iids.gamma, { state_event: "close" })
  await service.request("POST", `${pathOf(project, iids.beta)}/award_emoji`, { json: { name: "tada" } })
  // The emoji of another one, for whom nobody asks.
  await service.request("POST", `${pathOf(project, iids.alpha)}/award_emoji`, {
    json: { name: "tada" },
    token: ada?.token ?? null
  })
})

const all = ["Epsilon", "delta", "gamma", "beta", "alpha"]
const firstOf = async (where: string) => Object((await service.request("GET", where)).body)[0]
const but = (...titles: ReadonlyArray<string>) => all.filter((title) => !titles.includes(title))

describe("the number of open issues of a project", () => {
  const counted = async (token?: string | null) => {
    const sent = { token }
    return field((await service.request("GET", `/projects/${project}`, sent)).body, "open_issues_count")
  }

  it("counts confidential ones for Reporters", async () => {
    expect([await counted(), await counted(ada?.token), await counted(outsider?.token)]).toEqual([4, 4, 3])
  })

  it("goes with issues that close, open, become confidential, or go", async () => {
    const iid = iidOf(await add(project, { title: "counted" }))
    const seen = async () => [await counted(), await counted(outsider?.token)]
    expect(await seen()).toEqual([5, 4])
    await put(project, iid, { state_event: "close" })
    expect(await seen()).toEqual([4, 3])
    await put(project, iid, { state_event: "reopen", confidential: true })
    expect(await seen()).toEqual([5, 3])
    await put(project, iid, { confidential: false })
    expect(await seen()).toEqual([5, 4])
    await remove(project, iid)
    expect(await seen()).toEqual([4, 3])
  })
})

describe("the list of a project", () => {
  it.each<[Readonly<Record<string, string>>, ReadonlyArray<string>]>([
    [{}, all],
    [{ state: "opened" }, but("gamma")],
    [{ state: "closed" }, ["gamma"]],
    [{ state: "all", sort: "asc" }, all.toReversed()],
    [{ labels: "bug" }, ["beta", "alpha"]],
    [{ labels: "bug,ui" }, ["alpha"]],
    [{ "labels[]": " ui " }, ["gamma", "alpha"]],
    [{ labels: "bug,nothing" }, []],
    [{ labels: "BUG" }, []],
    [{ labels: "none" }, ["Epsilon", "delta"]],
    [{ labels: "Any,bug" }, ["gamma", "beta", "alpha"]],
    [{ labels: "bug,NONE" }, ["Epsilon", "delta"]],
    [{ "not[labels]": "bug" }, ["Epsilon", "delta", "gamma"]],
    [{ "not[labels]": "bug,ui,nothing" }, ["Epsilon", "delta"]],
    [{ milestone: "1.0" }, ["alpha"]],
    [{ milestone: "1" }, []],
    [{ milestone: "None" }, but("alpha")],
    [{ milestone: "Any" }, ["alpha"]],
    [{ milestone: "#started" }, ["alpha"]],
    [{ milestone: "#upcoming" }, ["alpha"]],
    [{ milestone_id: "started" }, ["alpha"]],
    [{ milestone_id: "Any" }, ["alpha"]],
    [{ milestone_id: "Upcoming" }, ["alpha"]],
    [{ "not[milestone]": "1.0" }, but("alpha")],
    [{ "not[milestone_id]": "any" }, but("alpha")],
    [{ "not[milestone_id]": "Started" }, but("alpha")],
    [{ my_reaction_emoji: "tada" }, ["beta"]],
    [{ my_reaction_emoji: "thumbsup" }, []],
    [{ my_reaction_emoji: "Any" }, ["beta"]],
    [{ my_reaction_emoji: "none" }, but("beta")],
    [{ "not[my_reaction_emoji]": "tada" }, but("beta")],
    [{ author_username: "ROOT" }, but("Epsilon")],
    [{ author_id: "1" }, but("Epsilon")],
    [{ author_id: "999999" }, []],
    [{ "not[author_username]": "root" }, ["Epsilon"]],
    [{ assignee_id: "None" }, but("gamma", "beta")],
    [{ assignee_id: "any" }, ["gamma", "beta"]],
    [{ assignee_username: "nobody" }, []],
    [{ assignee_username: "root" }, ["gamma"]],
    [{ assignee_username: "root,nobody" }, []],
    [{ "not[assignee_username]": "nobody" }, all],
    [{ search: "NEEDLE text" }, ["beta"]],
    [{ search: "needle", in: "title" }, []],
    [{ search: "alph" }, ["alpha"]],
    [{ iids: "1,3,x" }, ["gamma", "alpha"]],
    [{ "not[iids]": "1,3" }, but("gamma", "alpha")],
    [{ confidential: "true" }, ["delta"]],
    [{ confidential: "false" }, but("delta")],
    [{ due_date: "0" }, ["Epsilon", "delta"]],
    [{ due_date: "any" }, ["gamma", "beta", "alpha"]],
    [{ due_date: "today" }, ["alpha"]],
    [{ due_date: "tomorrow" }, ["beta"]],
    [{ due_date: "overdue" }, ["gamma"]],
    [{ due_date: "next_month_and_previous_two_weeks" }, ["gamma", "beta", "alpha"]],
    [{ due_date: "" }, all],
    [{ issue_type: "issue" }, all],
    [{ issue_type: "task" }, []],
    [{ scope: "created_by_me" }, but("Epsilon")],
    [{ scope: "assigned-to-me" }, ["gamma"]],
    [{ created_after: "2020-01-01" }, all],
    [{ created_before: "2020-01-01" }, []],
    [{ updated_before: "2020-01-01" }, []],
    [{ order_by: "title", sort: "asc" }, ["alpha", "beta", "delta", "Epsilon", "gamma"]],
    [{ order_by: "due_date", sort: "asc" }, ["gamma", "alpha", "beta", "delta", "Epsilon"]],
    [{ order_by: "due_date" }, ["beta", "alpha", "gamma", "Epsilon", "delta"]],
    [{ order_by: "updated_at" }, ["gamma", "Epsilon", "delta", "beta", "alpha"]]
  ])("by %j", async (query, titles) => {
    expect(await titlesIn(path, { query })).toEqual(titles)
  })

  it("by an assignee", async () => {
    for (const query of [{ assignee_id: String(ada?.id) }, { "not[assignee_id]": String(ada?.id) }]) {
      const expected = "assignee_id" in query ? ["beta"] : but("beta")
      expect(await titlesIn(path, { query })).toEqual(expected)
    }
  })

  it.each<[Readonly<Record<string, string>>, string]>([
    [{ state: "locked" }, "state does not have a valid value"],
    [{ order_by: "weight" }, "order_by does not have a valid value"],
    [{ author_id: "1", author_username: "a" }, "author_id, author_username are mutually exclusive"],
    [{ milestone: "1.0", milestone_id: "any" }, "milestone_id, milestone are mutually exclusive"],
    [{ assignee_id: "foo" }, "assignee_id should be an integer, none, or any, however got foo"],
    [{ created_after: "yesterday" }, "created_after is invalid"]
  ])("refuses %j", async (query, error) => {
    expect(answerOf(await get(project, undefined, { query }))).toEqual([400, { error }])
  })

  it("comes in pages", async () => {
    const { body, headers } = await get(project, undefined, { query: { per_page: "2", page: "2" } })
    expect(Array.isArray(body) && body.map((issue) => field(issue, "title"))).toEqual(["gamma", "beta"])
    const names = ["x-per-page", "x-page", "x-next-page", "x-prev-page", "x-total", "x-total-pages"]
    expect(names.map((name) => headers.get(name))).toEqual(["2", "2", "3", "1", "5", "3"])
  })

  it("tells long descriptions too", async () => {
    const other = await newProject()
    const descriptions = Array.from({ length: 5 }, (_, n) => `${n} "\\\n`.repeat(150_000))
    for (const description of descriptions) await add(other, { description })
    const { body, headers } = await get(other, undefined, { query: { sort: "asc" } })
    expect(Object(body).map((issue: unknown) => field(issue, "description") === descriptions.shift())).toEqual(
      Array(5).fill(true)
    )
    expect([headers.get("x-total"), Object.keys(Object(Object(body)[0]))]).toEqual([
      "5",
      Object.keys(Object(await firstOf(path)))
    ])
  })

  it("names no label and no milestone that was deleted", async () => {
    const doomed = await create(`/projects/${project}/labels`, { name: "doomed", color: "#000" })
    const iid = iidOf(await add(project, { title: "doomed", labels: "doomed" }))
    await service.request("DELETE", `/projects/${project}/labels/${doomed}`)
    expect(field((await get(project, iid)).body, "labels")).toEqual([])
    expect(await titlesIn(path, { query: { labels: "doomed" } })).toEqual([])
    expect(await titlesIn(path, { query: { labels: "None" } })).toEqual(["doomed", "Epsilon", "delta"])
    await service.request("DELETE", pathOf(project, iid))
  })
})

describe("lists over projects", () => {
  it("of a group hold those of groups below, named from there", async () => {
    const { body } = await service.request("GET", `/groups/${group}/issues`, { query: { labels: "bug,ui" } })
    const { full, relative } = Object(field(Object(body)[0], "references"))
    expect([full, relative]).toEqual([relative, expect.stringMatching(/^group-\d+\/group-\d+\/project-\d+#1$/)])
    expect(await titlesIn(`/groups/${group}/issues`, { token: outsider?.token ?? null })).toEqual(but("delta"))
    expect(answerOf(await service.request("GET", "/groups/999999/issues"))).toEqual([404, { message: "404 Group Not Found" }])
  })

  it("of all begin with the caller's own", async () => {
    expect(await titlesIn("/issues", { token: ada?.token ?? null })).toEqual(["Epsilon"])
    expect(await titlesIn("/issues", { token: ada?.token ?? null, query: { scope: "assigned_to_me" } })).toEqual(["beta"])
    expect(answerOf(await service.request("GET", "/issues", { token: null }))).toEqual([401, { message: "401 Unauthorized" }])
    expect(await titlesIn("/issues", { token: null, query: { scope: "all", labels: "bug" } })).toEqual(["beta", "alpha"])
  })

  it("leave out what the caller may not see, and what is archived", async () => {
    const hidden = await newProject({ namespace_id: group, visibility: "private" })
    await add(hidden, { title: "hidden" })
    const switchedOff = await newProject({ namespace_id: group, visibility: "public" })
    await add(switchedOff, { title: "switched off" })
    await service.request("PUT", `/projects/${switchedOff}`, { json: { issues_access_level: "disabled" } })
    const kept = await newProject({ namespace_id: group, visibility: "public", issues_access_level: "private" })
    await add(kept, { title: "kept" })
    const archived = await newProject({ namespace_id: group, visibility: "public" })
    await add(archived, { title: "archived" })
    await service.request("POST", `/projects/${archived}/archive`)
    const guest = await member(`projects/${hidden}`, "guest")
    const query = { not: "", order_by: "title", sort: "asc", "not[labels]": "bug,ui" }
    const listed = (token: string | null | undefined, more: object = {}) =>
      titlesIn(`/groups/${group}/issues`, { token: token ?? null, query: { ...query, ...more } })
    expect(await listed(null)).toEqual(["Epsilon"])
    expect(await listed(guest.token)).toEqual(["Epsilon", "hidden"])
    expect(await listed(null, { non_archived: "false" })).toEqual(["archived", "Epsilon"])
    const root = await service.request("GET", `/groups/${group}/issues`, {
      query: { order_by: "title", "not[labels]": "bug,ui" }
    })
    expect(Object(root.body).map((issue: unknown) => field(issue, "title"))).toEqual(["kept", "hidden", "Epsilon", "delta"])
    await service.request("DELETE", `/projects/${hidden}`)
    expect(await listed(guest.token)).toEqual(["Epsilon"])
  })
})

describe("labels with counts", () => {
  const countsIn = async (place: string, token?: string | null) => {
    const query = { with_counts: "true" }
    const { body } = await service.request("GET", `/${place}/labels`, token === undefined ? { query } : { query, token })
    const counts = ["open_issues_count", "closed_issues_count", "open_merge_requests_count"]
    return Object(body).map((label: unknown) => [field(label, "name"), ...counts.map((name) => field(label, name))])
  }

  it("count the issues that the caller sees, in a project or in all of a group", async () => {
    const above = await newGroup({ visibility: "public" })
    await create(`/groups/${above}/labels`, { name: "shared", color: "#000" })
    const [one, other] = [
      await newProject({ namespace_id: above, visibility: "public" }),
      await newProject({ namespace_id: above, visibility: "private" })
    ]
    await add(one, { labels: "shared,own" })
    await put(one, iidOf(await add(one, { labels: "shared" })), { state_event: "close" })
    await add(one, { labels: "shared", confidential: true })
    await add(other, { labels: "shared" })
    expect(await countsIn(`projects/${one}`)).toEqual([
      ["own", 1, 0, 0],
      ["shared", 2, 1, 0]
    ])
    expect(await countsIn(`projects/${one}`, null)).toEqual([
      ["own", 1, 0, 0],
      ["shared", 1, 1, 0]
    ])
    expect(await countsIn(`groups/${above}`)).toEqual([["shared", 3, 1, 0]])
    expect(await countsIn(`groups/${above}`, null)).toEqual([["shared", 1, 1, 0]])
  })

  it("follow what becomes of issues, and count confidential ones for those who have to do with them", async () => {
    const one = await newProject({ visibility: "public" })
    const [author, other] = [await member(`projects/${one}`, "guest"), await member(`projects/${one}`, "guest")]
    const sharedFor = async (token?: string | null) =>
      Object(await countsIn(`projects/${one}`, token)).find(([name]: ReadonlyArray<unknown>) => name === "shared")
    await create(`/projects/${one}/labels`, { name: "shared", color: "#000" })
    const own = iidOf(await add(one, { labels: "shared", confidential: true }, { token: author.token }))
    const assigned = iidOf(await add(one, { labels: "shared", confidential: true, assignee_ids: [other.id] }))
    expect(await sharedFor()).toEqual(["shared", 2, 0, 0])
    expect(await sharedFor(author.token)).toEqual(["shared", 1, 0, 0])
    expect(await sharedFor(other.token)).toEqual(["shared", 1, 0, 0])
    expect(await sharedFor(null)).toEqual(["shared", 0, 0, 0])
    await put(one, own, { state_event: "close" })
    await put(one, assigned, { confidential: false })
    expect(await sharedFor()).toEqual(["shared", 1, 1, 0])
    expect(await sharedFor(author.token)).toEqual(["shared", 1, 1, 0])
    expect(await sharedFor(other.token)).toEqual(["shared", 1, 0, 0])
    await put(one, own, { confidential: false, labels: "" })
    await put(one, assigned, { state_event: "close", add_labels: "more" })
    expect(await sharedFor(null)).toEqual(["shared", 0, 1, 0])
    await put(one, assigned, { state_event: "reopen" })
    expect(await sharedFor(null)).toEqual(["shared", 1, 0, 0])
    await remove(one, assigned)
    expect(await sharedFor()).toEqual(["shared", 0, 0, 0])
  })
})
