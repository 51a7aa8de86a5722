import { Effect } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { refresh } from "#src/mergeRequests/reactions/refresh.ts"
import { Sql } from "#src/platform/sql/Sql.ts"
import { keepTodos } from "#src/todos/reactions/keepTodos.ts"
import { type Person, useMergeRequests } from "#test/mergeRequests/useMergeRequests.ts"
import { field } from "#test/support/exactly.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { until } from "#test/support/until.ts"

const { commit, member, newProject, open, pathOf, put, service } = useMergeRequests()
const { request } = service

/** Keeps to-dos, as a service does, until it is so. */
const keeping = (claim: () => Promise<boolean>) =>
  service.run(
    Effect.raceFirst(
      keepTodos,
      Effect.promise(() => until(claim))
    )
  )

const knowsWhere = () =>
  service.run(
    Sql.use(({ client }) =>
      Effect.promise(async () => (await client`select from chronoforge.reactions where name = 'todos'`).length > 0)
    )
  )

// It goes on from where it was at its first start.
beforeAll(() => keeping(knowsWhere))

const states = async (projectId: number, { token }: Person) => {
  const told: Array<unknown> = []
  for (const state of ["pending", "done"]) {
    const { body } = await request("GET", "/todos", { query: { state, project_id: String(projectId) }, token })
    const rows = Array.isArray(body) ? body : []
    told.push(...rows.map((todo) => [state, field(todo, "action_name"), field(field(todo, "author"), "username")]))
  }
  return told
}

/** Keeps to-dos until those of a person are these. */
const comesTo = async (projectId: number, one: Person, expected: ReadonlyArray<unknown>) => {
  let last: unknown
  await keeping(async () => {
    last = await states(projectId, one)
    return JSON.stringify(last) === JSON.stringify(expected)
  }).catch(() => undefined)
  expect(last).toEqual(expected)
}

const refreshed = (projectId: number, iid: number) => service.run(Effect.andThen(refresh({ projectId, iid }), settled))

describe("people of a merge request", () => {
  it("have a to-do when it is opened for them, and others when they come later", async () => {
    const id = await newProject("kept-people")
    const [first, second, reviewer] = [
      await member(id, "developer", "todo-first"),
      await member(id, "developer", "todo-second"),
      await member(id, "developer", "todo-reviewer")
    ]
    await open(id, { assignee_ids: [first.id], reviewer_ids: [reviewer.id] })
    await comesTo(id, first, [["pending", "assigned", "root"]])
    await comesTo(id, reviewer, [["pending", "review_requested", "root"]])
    expect((await request("POST", pathOf(id, 1, "/todo"), { token: first.token })).status).toBe(304)
    await request("POST", "/todos/mark_as_done", { token: first.token })
    await put(id, 1, { assignee_ids: [first.id, second.id] }, { token: reviewer.token })
    await comesTo(id, second, [["pending", "assigned", "todo-reviewer"]])
    await comesTo(id, first, [["done", "assigned", "root"]])
    await comesTo(id, reviewer, [["done", "review_requested", "root"]])
  })

  it("have done it when they change, approve, close or push to it, not when others do", async () => {
    const id = await newProject("kept-done")
    const one = await member(id, "developer", "todo-one")
    const other = await member(id, "developer", "todo-other")
    await open(id, { assignee_ids: [one.id], reviewer_ids: [other.id] })
    const wait = ["pending", "marked", "todo-one"]
    const mark = async () => expect((await request("POST", pathOf(id, 1, "/todo"), { token: one.token })).status).toBe(201)
    const assigned = ["done", "assigned", "root"]
    await comesTo(id, one, [["pending", "assigned", "root"]])
    await put(id, 1, { squash: true }, { token: one.token })
    await put(id, 1, { title: "Add more" }, { token: one.token })
    await comesTo(id, one, [assigned])
    const done = ["done", "marked", "todo-one"]
    await mark()
    await comesTo(id, one, [wait, assigned])
    await put(id, 1, { add_labels: "bug" }, { token: one.token })
    await comesTo(id, one, [done, assigned])
    await request("POST", "/todos/mark_as_done", { token: one.token })
    const { body: milestone } = await request("POST", `/projects/${id}/milestones`, { json: { title: "v1" } })
    await mark()
    await put(id, 1, { milestone_id: field(milestone, "id") }, { token: one.token })
    await comesTo(id, one, [done, done, assigned])
    await mark()
    await request("POST", pathOf(id, 1, "/approve"), { token: one.token })
    await comesTo(id, one, [done, done, done, assigned])
    await mark()
    await commit(id, "again", { "again.txt": "a\n" }, { token: one.token })
    const json = { branch: "topic", commit_message: "More", content: "more\n" }
    await request("POST", `/projects/${id}/repository/files/more.txt`, { json, token: one.token })
    await comesTo(id, one, [done, done, done, done, assigned])
    await mark()
    await put(id, 1, { state_event: "close" }, { token: one.token })
    await comesTo(id, one, [done, done, done, done, done, assigned])
    await comesTo(id, other, [["pending", "review_requested", "root"]])
  })

  it("have a to-do that came later than what they did, also where that is told late or twice", async () => {
    const id = await newProject("kept-late")
    const [one, other] = [await member(id, "developer", "todo-late"), await member(id, "developer", "todo-witness")]
    await open(id)
    await put(id, 1, { title: "Add more", assignee_ids: [one.id], add_labels: "bug" }, { token: one.token })
    await comesTo(id, one, [["pending", "assigned", "todo-late"]])
    await request("POST", "/todos/mark_as_done", { token: one.token })
    await put(id, 1, { title: "Add even more" }, { token: one.token })
    expect((await request("POST", pathOf(id, 1, "/todo"), { token: one.token })).status).toBe(201)
    await put(id, 1, { reviewer_ids: [other.id] })
    await comesTo(id, other, [["pending", "review_requested", "root"]])
    const expected = [
      ["pending", "marked", "todo-late"],
      ["done", "assigned", "todo-late"]
    ]
    expect(await states(id, one)).toEqual(expected)
    await service.run(
      Sql.use(({ client }) => Effect.promise(() => client`update chronoforge.reactions set position = 0 where name = 'todos'`))
    )
    const last = await member(id, "developer", "todo-last")
    await put(id, 1, { reviewer_ids: [other.id, last.id] })
    await comesTo(id, last, [["pending", "review_requested", "root"]])
    expect(await states(id, one)).toEqual(expected)
  })
})

describe("the author of a merge request", () => {
  it("is told of a conflict once, until it can be merged again", async () => {
    const id = await newProject("kept-conflict")
    const author = await member(id, "developer", "todo-author")
    await open(id, {}, { token: author.token })
    await commit(id, "main", { "topic.txt": "another\n" })
    await refreshed(id, 1)
    await comesTo(id, author, [["pending", "unmergeable", "todo-author"]])
    await request("POST", "/todos/mark_as_done", { token: author.token })
    await commit(id, "main", { "other.txt": "other\n" })
    await refreshed(id, 1)
    const other = await member(id, "developer", "todo-latest")
    await put(id, 1, { assignee_ids: [other.id] })
    await comesTo(id, other, [["pending", "assigned", "root"]])
    await comesTo(id, author, [["done", "unmergeable", "todo-author"]])
  })

  it("is told of a pipeline that failed", async () => {
    const id = await newProject("kept-pipeline")
    const author = await member(id, "developer", "todo-builder")
    const { body } = await open(id, {}, { token: author.token })
    const sha = String(field(body, "sha"))
    const post = (state: string) =>
      request("POST", `/projects/${id}/statuses/${sha}`, { json: { state, name: "ci", ref: "topic" } })
    await post("running")
    await post("failed")
    await comesTo(id, author, [["pending", "build_failed", "todo-builder"]])
  })

  it("is told of a pipeline of the merge request that failed", async () => {
    const id = await newProject("kept-request-pipeline")
    const author = await member(id, "developer", "todo-reviewed")
    const json = { branch: "topic", commit_message: "Build", content: "check: { script: make, only: [merge_requests] }\n" }
    await request("POST", `/projects/${id}/repository/files/.gitlab-ci.yml`, { json })
    await open(id, {}, { token: author.token })
    expect((await request("POST", pathOf(id, 1, "/pipelines"), { token: author.token })).status).toBe(200)
    const { body: claimed } = await request("POST", `/projects/${id}/jobs/claim`, { json: { executor: "one" } })
    const ended = { claim: field(claimed, "claim"), status: "failed", exit_code: 1 }
    await request("POST", `/projects/${id}/jobs/${field(field(claimed, "job"), "id")}/finish`, { json: ended })
    await comesTo(id, author, [["pending", "build_failed", "todo-reviewed"]])
  })
})
