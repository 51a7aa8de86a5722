import { describe, expect, it } from "vitest"
import { field, picked } from "#test/support/exactly.ts"
import { slowness } from "#test/support/processes/cpuTime.ts"
import { until } from "#test/support/until.ts"
import { iidOf } from "../useMergeRequests.ts"
import { useAutoMerge, waits } from "./useAutoMerge.ts"

const { commit, get, held, headOf, member, merge, newProject, open, pathOf, post, put, service, shownWhen } = useAutoMerge()
const { request } = service

const cancel = (projectId: number, token?: string) =>
  request("POST", pathOf(projectId, 1, "/cancel_merge_when_pipeline_succeeds"), { token })
const update = (projectId: number, branch: string, file: string) =>
  request("POST", `/projects/${projectId}/repository/files/${file}`, {
    json: { branch, content: `${file}\n`, commit_message: `Add ${file}` }
  })
const notAllowed = { status: 405, body: { message: "405 Method Not Allowed" } }
const told = (body: unknown) => ({
  state: field(body, "state"),
  waits: field(body, "merge_when_pipeline_succeeds"),
  by: field(body, "merge_user") === null ? null : field(field(body, "merge_user"), "username"),
  removes: field(body, "should_remove_source_branch")
})
const idle = { state: "opened", waits: false, by: null, removes: null }
/** An open merge request whose pipeline runs: the id of its project. */
const running = async (name: string, settings: object = {}, json: object = {}) => {
  const id = await newProject(name, settings)
  await open(id, json)
  await post(id, "running")
  return id
}

describe("a merge that waits for the pipeline", () => {
  it("waits, and happens when it succeeds, in the name and words of who set it", async () => {
    const id = await running("waiting")
    const { token } = await member(id, "maintainer", "waiting-maintainer")
    const set = await merge(id, { merge_commit_message: "At last", should_remove_source_branch: true, squash: true }, token)
    expect([set.status, told(set.body), picked(set.body, "squash", "merged_by", "detailed_merge_status")]).toEqual([
      200,
      { state: "opened", waits: true, by: "waiting-maintainer", removes: true },
      { squash: true, merged_by: null, detailed_merge_status: "ci_still_running" }
    ])
    const [listed] = [(await get(id)).body].flat()
    expect(told(listed)).toEqual(told(set.body))
    await post(id, "success")
    const merged = await shownWhen(id, (body) => field(body, "state") === "merged")
    expect([told(merged), field(field(merged, "merged_by"), "username"), field(merged, "merge_error")]).toEqual([
      { state: "merged", waits: true, by: "waiting-maintainer", removes: true },
      "waiting-maintainer",
      null
    ])
    const commitOf = `/projects/${id}/repository/commits/${field(merged, "merge_commit_sha")}`
    expect(picked((await request("GET", commitOf)).body, "message", "committer_name")).toEqual({
      message: "At last",
      committer_name: "waiting-maintainer"
    })
    await until(async () => (await request("GET", `/projects/${id}/repository/branches/topic`)).status === 404)
  })

  it.each([false, true])("is ordered by a note, which says so (required: %s)", async (isRequired) => {
    const settings = { only_allow_merge_if_pipeline_succeeds: isRequired }
    const id = await running(`waiting-by-note-${isRequired}`, settings)
    const note = await request("POST", pathOf(id, 1, "/notes"), { json: { body: "/merge" } })
    expect([note.status, note.body]).toEqual([
      202,
      {
        commands_changes: { merge: await headOf(id) },
        summary: ["Scheduled to merge this merge request (Merge when checks pass)."]
      }
    ])
    expect(told((await get(id, 1)).body)).toEqual({ state: "opened", waits: true, by: "root", removes: null })
    await post(id, "success")
    const merged = await shownWhen(id, (body) => field(body, "state") === "merged")
    expect(field(field(merged, "merged_by"), "username")).toBe("root")
  })

  it("says what is usual where the message of its squash is blank", async () => {
    const id = await running("waiting-without-words")
    await merge(id, { squash: true, squash_commit_message: " \n" })
    await post(id, "success")
    const merged = await shownWhen(id, (body) => field(body, "state") === "merged")
    const commitOf = `/projects/${id}/repository/commits/${field(merged, "squash_commit_sha")}`
    expect(field((await request("GET", commitOf)).body, "message")).toBe("Add a topic")
  })

  it("happens at once where it has succeeded, and is refused where there is nothing to wait for", async () => {
    const id = await newProject("waiting-for-what")
    await open(id)
    expect(await merge(id)).toMatchObject(notAllowed)
    await post(id, "failed")
    expect(await merge(id)).toMatchObject(notAllowed)
    await post(id, "success")
    expect([(await merge(id)).status, field((await get(id, 1)).body, "state")]).toEqual([200, "merged"])
    expect(await merge(id)).toMatchObject(notAllowed)
    expect((await merge(id, {}, undefined, 9)).status).toBe(404)
  })

  it("waits behind a failed pipeline where the project wants one that succeeds", async () => {
    const id = await running("waiting-for-retry", { only_allow_merge_if_pipeline_succeeds: true })
    await post(id, "failed")
    expect(waits(await merge(id, { merge_when_pipeline_succeeds: false, auto_merge: true }))).toBe(false)
    expect(waits(await merge(id))).toBe(true)
    expect(field((await get(id, 1)).body, "detailed_merge_status")).toBe("ci_must_pass")
    await post(id, "running")
    await post(id, "success")
    await shownWhen(id, (body) => field(body, "state") === "merged")
  })

  it("waits for a draft to be ready, also without any pipeline", async () => {
    const id = await newProject("waiting-draft")
    await open(id, { title: "Draft: Add a topic" })
    expect([waits(await merge(id)), field((await get(id, 1)).body, "detailed_merge_status")]).toEqual([true, "draft_status"])
    expect(await held(id)).toBe("draft_status")
    await put(id, 1, { title: "Add a topic" })
    await shownWhen(id, (body) => field(body, "state") === "merged")
  })

  it("does not wait for what only other commits can put right, nor of another commit", async () => {
    const id = await running("waiting-conflict")
    const head = await headOf(id)
    expect(await merge(id, { sha: "0".repeat(40) })).toMatchObject({
      status: 409,
      body: { message: `SHA does not match HEAD of source branch: ${head}` }
    })
    await commit(id, "main", { "topic.txt": "another\n" })
    expect(await merge(id)).toMatchObject(notAllowed)
    const same = await newProject("waiting-nothing")
    await request("POST", `/projects/${same}/repository/branches`, { query: { branch: "same", ref: "main" } })
    await open(same, { source_branch: "same" })
    expect(await merge(same)).toMatchObject(notAllowed)
  })

  it("whose pipeline has succeeded tells why a draft is not merged", async () => {
    const id = await running("waiting-success", {}, { title: "Draft: Add" })
    await post(id, "success")
    expect(await merge(id)).toMatchObject({ status: 422, body: { message: "Branch cannot be merged" } })
    expect(field((await get(id, 1)).body, "merge_error")).toBe("Merge request is not mergeable")
  })

  it("keeps others from merging before the pipeline has succeeded", async () => {
    const id = await running("waiting-others")
    await merge(id)
    expect(await merge(id, { merge_when_pipeline_succeeds: false })).toMatchObject(notAllowed)
  })

  it("tells when whoever set it may not merge any more", async () => {
    const id = await running("waiting-blocked")
    const developer = await member(id, "maintainer", "leaving-maintainer")
    await merge(id, {}, developer.token)
    await request("DELETE", `/projects/${id}/members/${developer.id}`)
    await post(id, "success")
    const shown = await shownWhen(id, (body) => field(body, "merge_error") !== null)
    expect(picked(shown, "state", "merge_error")).toEqual({
      state: "opened",
      merge_error: "You are not allowed to merge this merge request"
    })
  })
})

describe("it is given up", () => {
  it("by who may merge, or the author", async () => {
    const id = await running("canceled")
    const [reporter, author] = [
      await member(id, "reporter", "canceling-reporter"),
      await member(id, "developer", "canceling-author")
    ]
    expect([(await cancel(id)).status, (await cancel(id, reporter.token)).status]).toEqual([201, 401])
    await request("POST", `/projects/${id}/protected_branches`, { json: { name: "main" } })
    await commit(id, "theirs", { "theirs.txt": "a\n" })
    await merge(id, { should_remove_source_branch: true })
    const canceled = await cancel(id)
    expect([canceled.status, told(canceled.body)]).toEqual([201, idle])
    expect((await cancel(id, author.token)).status).toBe(401)
    await post(id, "success")
    await put(id, 1, { state_event: "close" })
    expect(await cancel(id)).toMatchObject({ status: 406, body: { message: "Can't cancel the automatic merge" } })
    await open(id, { source_branch: "theirs" }, { token: author.token })
    const path = pathOf(id, 2, "/cancel_merge_when_pipeline_succeeds")
    expect((await request("POST", path, { token: author.token })).status).toBe(201)
  })

  it.each([
    ["a push to the source branch", (id: number) => update(id, "topic", "more.txt"), {}],
    ["another target branch", (id: number) => put(id, 1, { target_branch: "stable" }), {}],
    ["its end", (id: number) => put(id, 1, { state_event: "close" }), {}],
    [
      "a push to the target branch where it would have to be rebased",
      (id: number) => update(id, "main", "b.txt"),
      { merge_method: "ff" }
    ]
  ])("by %s", async (_, happens, settings) => {
    const id = await running(`aborted-${_.replaceAll(/\W/g, "-").slice(0, 30)}`, settings)
    await request("POST", `/projects/${id}/repository/branches`, { query: { branch: "stable", ref: "main" } })
    expect(waits(await merge(id, { should_remove_source_branch: true }))).toBe(true)
    expect(await held(id)).toBe("ci_still_running")
    await happens(id)
    const shown = await shownWhen(id, (body) => field(body, "merge_when_pipeline_succeeds") === false)
    expect({ ...told(shown), state: "opened" }).toEqual(idle)
  })

  it("by no failed pipeline, and no push to the target branch that fits", async () => {
    const id = await running("kept-on")
    await merge(id)
    await post(id, "failed")
    await update(id, "main", "later.txt")
    await shownWhen(id, (body) => field(body, "detailed_merge_status") === "ci_must_pass")
    expect(waits(await get(id, 1))).toBe(true)
  })
})

it("thirty into one branch are all merged, or say why not", async () => {
  const id = await newProject("thirty")
  const branches = Array.from({ length: 30 }, (_, number) => `branch-${number}`)
  // The last two change the same file.
  for (const branch of branches) {
    const file = branch === "branch-29" ? "branch-28.txt" : `${branch}.txt`
    await commit(id, branch, { [file]: `${branch}\n` })
    const iid = iidOf(await open(id, { source_branch: branch }))
    await post(id, "running", { iid, ref: branch })
    const set = await merge(id, {}, undefined, iid)
    expect(set).toMatchObject({ status: 200, body: { merge_when_pipeline_succeeds: true } })
  }
  const all = async () => [(await request("GET", pathOf(id), { query: { per_page: "100" } })).body].flat()
  const began = performance.now()
  await Promise.all(branches.map((ref, index) => post(id, "success", { iid: index + 1, ref })))
  const isSettled = (one: unknown) =>
    field(one, "state") === "merged" || ["conflict", "ci_must_pass"].includes(String(field(one, "detailed_merge_status")))
  let settled: ReadonlyArray<unknown> = []
  while (!settled.every(isSettled) || settled.length === 0) {
    expect((performance.now() - began) / slowness()).toBeLessThan(60_000)
    await new Promise((resolve) => setTimeout(resolve, 100))
    settled = await all()
  }
  const states = Map.groupBy(settled, (one) => `${field(one, "state")} ${field(one, "detailed_merge_status")}`)
  expect(Object.fromEntries([...states].map(([state, some]) => [state, some.length]))).toEqual({
    "merged not_open": 29,
    "opened conflict": 1
  })
})
