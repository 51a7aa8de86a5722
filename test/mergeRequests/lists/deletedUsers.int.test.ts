import { describe, expect, it } from "vitest"
import { Projections } from "#src/platform/Projections.ts"
import { field, picked } from "#test/support/exactly.ts"
import { createUser } from "#test/support/people/accounts.ts"
import { iidOf, type Person, useMergeRequests } from "../useMergeRequests.ts"

const { commit, get, member, newProject, open, pathOf, put, service } = useMergeRequests()
const { request } = service

/** A project with `!1` of which somebody is assignee and reviewer, and `!2` that they approved before it was merged. */
const worked = async (name: string): Promise<readonly [id: number, gone: Person]> => {
  const id = await newProject(name)
  await commit(id, "side", { "side.txt": "side\n" })
  const gone = await member(id, "developer", `${name}-gone`)
  await open(id, { source_branch: "side", title: "Worked on", assignee_id: gone.id, reviewer_ids: [gone.id] })
  const approved = iidOf(await open(id, { title: "Approved" }))
  expect((await request("POST", pathOf(id, approved, "/approve"), { token: gone.token })).status).toBe(201)
  expect((await request("PUT", pathOf(id, approved, "/merge"))).status).toBe(200)
  return [id, gone]
}

const rebuilt = async () => {
  const id = await service.run(Projections.use((projections) => projections.requestRebuild(["merge_requests"])))
  const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(id)))
  await expect.poll(async () => (await progress())?.state, { timeout: 20_000 }).toBe("finished")
  return await progress()
}

const listed = async (id: number, query: string): Promise<ReadonlyArray<unknown>> => {
  const { body, headers } = await request("GET", `${pathOf(id)}?${query}`)
  const iids = [body].flat().map((row) => field(row, "iid"))
  expect(headers.get("x-total")).toBe(String(iids.length))
  return iids
}

describe.each(["false", "true"])("after a deletion of a user with hard_delete=%s", (hard_delete) => {
  it("lists choose by the people who are shown, also when they are made anew from the log", async () => {
    const [id, gone] = await worked(`deleted-${hard_delete}`)
    const without = {
      ...{ "assignee_id=Any": [], "assignee_id=None": [2, 1], [`assignee_id=${gone.id}`]: [] },
      ...{ "reviewer_id=Any": [], "reviewer_id=None": [2, 1], [`reviewer_id=${gone.id}`]: [] },
      ...{ "approved_by_ids=Any": [], "approved_by_ids=None": [2, 1], [`approved_by_ids=${gone.id}`]: [] },
      ...{ [`not[assignee_id]=${gone.id}`]: [2, 1], [`not[author_id]=${gone.id}`]: [2, 1] }
    }
    const lists = async () =>
      Object.fromEntries(await Promise.all(Object.keys(without).map(async (query) => [query, await listed(id, query)] as const)))
    expect(picked(await lists(), "assignee_id=Any", "reviewer_id=None", "approved_by_ids=Any")).toEqual({
      "assignee_id=Any": [1],
      "reviewer_id=None": [2],
      "approved_by_ids=Any": [2]
    })
    expect((await request("DELETE", `/users/${gone.id}`, { query: { hard_delete } })).status).toBe(204)
    expect(picked((await get(id, 1)).body, "assignees", "reviewers")).toEqual({ assignees: [], reviewers: [] })
    expect(field((await request("GET", pathOf(id, 2, "/approvals"))).body, "approved_by")).toEqual([])
    expect(await lists()).toEqual(without)
    expect(await rebuilt()).toMatchObject({ differing: 0, examples: [] })
    expect(await lists()).toEqual(without)
  })

  it("others stay assigned, and are found", async () => {
    const [id, gone] = await worked(`stayed-${hard_delete}`)
    const other = await createUser(service, `stayed-${hard_delete}-other`)
    await request("POST", `/projects/${id}/members`, { json: { user_id: other, access_level: 30 } })
    await put(id, 1, { assignee_ids: [gone.id, other] })
    await request("DELETE", `/users/${gone.id}`, { query: { hard_delete } })
    expect([await listed(id, "assignee_id=Any"), await listed(id, "reviewer_id=Any")]).toEqual([[1], []])
    await put(id, 1, { assignee_ids: [0], reviewer_ids: [other] })
    expect([await listed(id, "assignee_id=Any"), await listed(id, "reviewer_id=Any")]).toEqual([[], [1]])
    expect(await rebuilt()).toMatchObject({ differing: 0, examples: [] })
    expect([await listed(id, "assignee_id=Any"), await listed(id, "reviewer_id=Any")]).toEqual([[], [1]])
  })

  it("rules name nobody any more, and what they opened and merged is nobody's", async () => {
    const id = await newProject(`opened-${hard_delete}`)
    const gone = await member(id, "maintainer", `opened-${hard_delete}-gone`)
    await open(id, {}, { token: gone.token })
    await request("POST", pathOf(id, 1, "/approval_rules"), {
      json: { name: "Gone", approvals_required: 0, user_ids: [gone.id] }
    })
    expect(await listed(id, `approver_ids=${gone.id}`)).toEqual([1])
    await request("PUT", pathOf(id, 1, "/merge"), { token: gone.token })
    const bys = [`author_id=${gone.id}`, `merge_user_id=${gone.id}`]
    const found = () => Promise.all(bys.map((by) => listed(id, by)))
    expect(await found()).toEqual([[1], [1]])
    await request("DELETE", `/users/${gone.id}`, { query: { hard_delete } })
    expect(picked((await get(id, 1)).body, "author", "merge_user")).toEqual({ author: null, merge_user: null })
    expect(await found()).toEqual([[], []])
    expect(await listed(id, `not[author_id]=${gone.id}`)).toEqual([1])
    const approvers = [`approver_ids=${gone.id}`, "approver_ids=Any", "approver_ids=None"]
    expect(await Promise.all(approvers.map((by) => listed(id, by)))).toEqual([[], [], [1]])
  })
})
