import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { keepUpIssues } from "#src/mergeRequests/closing/reactions.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { basicShape } from "#test/issues/useIssues.ts"
import { expectExactly, field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"
import { iidOf, useMergeRequests } from "../useMergeRequests.ts"

const { commit, fork, member, newProject, open, pathOf, person, put, service } = useMergeRequests()
const { request } = service

/** Runs the reactor from the beginning of the log, until it is so. */
const reacting = (claim: () => Promise<boolean>) =>
  service.run(
    Effect.gen(function* () {
      const { client } = yield* Sql
      yield* query(
        () => client`
          insert into chronoforge.reactions (name, position) values ('closing-issues', 0)
          on conflict (name) do update set position = 0`
      )
      yield* Effect.raceFirst(
        keepUpIssues(service.url),
        Effect.promise(() => until(claim))
      )
    })
  )

/** Runs it until all that is in the log by now was reacted to. */
const reacted = async () => {
  const head = await service.run(EventStore.use((store) => store.head))
  await reacting(async () => {
    const [row] = await service.run(
      Effect.flatMap(Sql, ({ client }) =>
        query(() => client<Array<{ position: number }>>`select position from chronoforge.reactions where name = 'closing-issues'`)
      )
    )
    return (row?.position ?? 0) >= head
  })
}

const newIssue = async (projectId: number, json: object = {}): Promise<number> =>
  iidOf(await request("POST", `/projects/${projectId}/issues`, { json: { title: "Uploads fail", ...json } }))

const issue = async (projectId: number, iid: number) => (await request("GET", `/projects/${projectId}/issues/${iid}`)).body

const numbers = (body: unknown) => (Array.isArray(body) ? body.map((one) => field(one, "iid")) : body)
const closes = async (projectId: number, iid: number, token?: string | null) =>
  numbers((await request("GET", pathOf(projectId, iid, "/closes_issues"), { token })).body)

const merge = (projectId: number, iid: number, token?: string) => request("PUT", pathOf(projectId, iid, "/merge"), { token })

describe("closes_issues", () => {
  let project = 0
  beforeAll(async () => {
    project = await newProject("naming", { visibility: "public" })
    for (const _ of [1, 2, 3]) await newIssue(project)
  })

  it("shows the issues that title and description say are closed, as the answer to the request comes", async () => {
    const iid = iidOf(await open(project, { title: "Closes #1", description: "Fixes #2 and #99, see #3" }))
    const answer = await request("GET", pathOf(project, iid, "/closes_issues"), { token: null })
    const path = String(field((await request("GET", `/projects/${project}`)).body, "path_with_namespace"))
    const shapes = [1, 2].map((number) => basicShape(service.url, project, { iid: number, path }))
    expectExactly(
      answer.body,
      shapes.map((shape) => ({ ...shape, merge_requests_count: 1 }))
    )
    expect(answer.headers.get("x-total")).toBe("2")
    expect(numbers((await request("GET", pathOf(project, iid, "/related_issues"))).body)).toEqual([1, 2, 3])
    await put(project, iid, { description: "Nothing", title: "Implement #3" })
    expect([await closes(project, iid), field(await issue(project, 1), "merge_requests_count")]).toEqual([[3], 0])
    await put(project, iid, { state_event: "close", description: "Closes #1" })
    expect(await closes(project, iid)).toEqual([3])
    await put(project, iid, { state_event: "reopen" })
    expect(await closes(project, iid)).toEqual([1, 3])
    await put(project, iid, { state_event: "close" })
  })

  it("shows what was there when it was set to be merged of itself, until that is canceled", async () => {
    const iid = iidOf(await open(project, { title: "Draft: Wait", description: "Closes #1" }))
    const set = await request("PUT", pathOf(project, iid, "/merge"), { json: { merge_when_pipeline_succeeds: true } })
    expect(set.status).toBe(200)
    await put(project, iid, { description: "Closes #1 and #2" })
    expect(await closes(project, iid)).toEqual([1])
    await request("POST", pathOf(project, iid, "/cancel_merge_when_pipeline_succeeds"))
    expect(await closes(project, iid)).toEqual([1, 2])
    await put(project, iid, { state_event: "close" })
  })

  it("shows what commits say, which are found after a push", async () => {
    const iid = iidOf(await open(project, { source_branch: "topic" }))
    expect(await closes(project, iid)).toEqual([])
    await put(project, iid, { state_event: "close" })
    await request("POST", `/projects/${project}/repository/commits`, {
      json: {
        branch: "committed",
        start_branch: "main",
        commit_message: "Change it\n\nResolves #2",
        actions: [{ action: "create", file_path: "c", content: "c" }]
      }
    })
    expect(await closes(project, iidOf(await open(project, { source_branch: "committed" })))).toEqual([2])
  })

  it("shows none where the merge request leads into another branch, or where merges close none", async () => {
    await commit(project, "stable", { s: "s" })
    await commit(project, "other", { o: "o" })
    const count = async () => field(await issue(project, 1), "merge_requests_count")
    const before = await count()
    const iid = iidOf(await open(project, { title: "Closes #1", source_branch: "other", target_branch: "stable" }))
    expect(await closes(project, iid)).toEqual([])
    expect(await count()).toBe(before)
    await put(project, iid, { target_branch: "main" })
    expect([await closes(project, iid), await count()]).toEqual([[1], Number(before) + 1])
    await request("PUT", `/projects/${project}`, { json: { autoclose_referenced_issues: false } })
    expect(await closes(project, iid)).toEqual([])
    await request("PUT", `/projects/${project}`, { json: { autoclose_referenced_issues: true } })
  })

  it("shows of other projects what the caller sees, if the author sees it, and nothing of what it is a fork of", async () => {
    const [hidden, unknown] = [await newProject("hidden"), await newProject("unknown")]
    const author = await member(project, "developer", "author")
    await request("POST", `/projects/${hidden}/members`, { json: { user_id: author.id, access_level: 30 } })
    await newIssue(hidden)
    await newIssue(unknown)
    await commit(project, "beside", { b: "b" })
    const json = { source_branch: "beside", title: "Closes hidden#1, root/unknown#1 and #1" }
    const iid = iidOf(await open(project, json, { token: author.token }))
    expect([await closes(project, iid), await closes(project, iid, null)]).toEqual([[1, 1], [1]])
    const forked = await fork(project, "forked")
    const mine = await open(forked, { title: "Closes naming#1", target_project_id: forked })
    expect(await closes(forked, iidOf(mine))).toEqual([])
  })

  it("leaves out confidential ones of others, and those of projects where issues are switched off", async () => {
    const [house, shut] = [
      await newProject("house", { visibility: "public" }),
      await newProject("shut", { visibility: "public" })
    ]
    const author = await member(project, "developer", "outsider")
    await newIssue(house)
    await newIssue(house, { confidential: true })
    await newIssue(house, { confidential: true, assignee_ids: [author.id] })
    await newIssue(shut)
    await request("PUT", `/projects/${shut}`, { json: { issues_access_level: "disabled" } })
    await commit(project, "outside", { o: "o" })
    const json = { source_branch: "outside", title: "Closes house#3, house#2, house#1, house#9 and shut#1" }
    const iid = iidOf(await open(project, json, { token: author.token }))
    expect(await closes(project, iid)).toEqual([1, 3])
    await put(project, iid, { title: "Closes house#2 and house#3" })
    expect(await closes(project, iid)).toEqual([3])
  })

  it("is refused to who sees no merge requests, and where there is none", async () => {
    const kept = await newProject("kept")
    const iid = iidOf(await open(kept))
    const guest = await member(kept, "guest", "guest")
    for (const list of ["/closes_issues", "/related_issues"]) {
      const asked = (number: number, token?: string) => request("GET", pathOf(kept, number, list), { token })
      expect(answerOf(await asked(iid, guest.token))).toEqual([403, { message: "403 Forbidden" }])
      expect(answerOf(await asked(99))).toEqual([404, { message: "404 Not found" }])
    }
  })
})

describe("a merge", () => {
  it("closes issues in the name of who merged, and tells which merge request did", async () => {
    const project = await newProject("closing")
    const iid = await newIssue(project)
    const opened = await open(project, { title: `Closes #${iid}` })
    const merger = await member(project, "maintainer", "merger")
    expect((await merge(project, iidOf(opened), merger.token)).status).toBe(200)
    const tip = await request("GET", `/projects/${project}/repository/commits/main`)
    expect(field(tip.body, "message")).toContain(`Closes #${iid}`)
    await reacting(async () => field(await issue(project, iid), "state") === "closed")
    const events = await service.run(EventStore.use((store) => store.read(`issue-${project}-${iid}`)))
    const { data, metadata, type } = events.at(-1) ?? {}
    expect([type, data, metadata?.actor]).toEqual([
      "IssueClosed",
      { by: merger.id, mergeRequestId: field(opened.body, "id") },
      `user:${merger.id}`
    ])
    expect(await closes(project, iidOf(opened))).toEqual([iid])
  })

  it("closes none a second time, and only what was there to close when it came", async () => {
    const project = await newProject("closing-once")
    const [first, second] = [await newIssue(project), await newIssue(project)]
    const iid = iidOf(await open(project, { title: `Closes #${first}` }))
    await merge(project, iid)
    await put(project, iid, { title: `Closes #${second}` })
    await reacted()
    const states = async () => [field(await issue(project, first), "state"), field(await issue(project, second), "state")]
    expect(await states()).toEqual(["closed", "opened"])
    await request("PUT", `/projects/${project}/issues/${first}`, { json: { state_event: "reopen" } })
    await reacted()
    expect(await states()).toEqual(["opened", "opened"])
  })

  it("closes what nobody had looked for before", async () => {
    const project = await newProject("closing-late")
    const iid = await newIssue(project)
    const number = iidOf(await open(project))
    await request("POST", `/projects/${project}/repository/commits`, {
      json: {
        branch: "topic",
        commit_message: `Fixes #${iid}`,
        actions: [{ action: "create", file_path: "late", content: "l" }]
      }
    })
    await merge(project, number)
    await reacting(async () => field(await issue(project, iid), "state") === "closed")
    expect(await closes(project, number)).toEqual([iid])
  })

  it("closes nothing in another branch, where that is switched off, and what the merger may not change", async () => {
    const [project, strange, settled] = [
      await newProject("leaving", { visibility: "public" }),
      await newProject("strange", { visibility: "public" }),
      await newProject("settled", { visibility: "public", autoclose_referenced_issues: false })
    ]
    const merger = await member(project, "maintainer", "other-merger")
    await request("POST", `/projects/${settled}/members`, { json: { user_id: merger.id, access_level: 40 } })
    await commit(project, "stable", { s: "s" })
    const [open1, open2, theirs, kept] = [
      await newIssue(project),
      await newIssue(project),
      await newIssue(strange),
      await newIssue(settled)
    ]
    await commit(project, "second", { second: "2" })
    const elsewhere = await open(project, { title: `Closes #${open1}`, target_branch: "stable" })
    const inMain = await open(project, {
      title: `Closes #${open2}, strange#${theirs}, settled#${kept}`,
      source_branch: "second"
    })
    for (const opened of [elsewhere, inMain]) expect((await merge(project, iidOf(opened), merger.token)).status).toBe(200)
    await reacted()
    const states = await Promise.all(
      [
        [project, open1],
        [project, open2],
        [strange, theirs],
        [settled, kept]
      ].map(async ([of = 0, iid = 0]) => field(await issue(of, iid), "state"))
    )
    expect(states).toEqual(["opened", "closed", "opened", "opened"])
  })
})

it("a text of many references asks few questions", async () => {
  const project = await newProject("many")
  const stranger = await person("stranger")
  const description = Array.from({ length: 2_000 }, (_, n) => `Closes group/p${n}#${n + 1}, #${n + 1}`).join("\n")
  await request("POST", `/projects/${project}/members`, { json: { user_id: stranger.id, access_level: 30 } })
  const before = service.statements.length
  const iid = iidOf(await open(project, { description }, { token: stranger.token }))
  expect(service.statements.length - before).toBeLessThan(150)
  expect(await closes(project, iid)).toEqual([])
})
