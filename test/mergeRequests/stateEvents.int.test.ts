import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { refresh } from "#src/mergeRequests/reactions/refresh.ts"
import { anyId, anyTime, field, picked } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { settled } from "#test/support/reactions/settled.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { useMergeRequests } from "./useMergeRequests.ts"

const { get, member, newProject, open, pathOf, put, remove, service } = useMergeRequests()
const { request } = service
const folderOf = temporaryFolder()

const events = async (id: number, iid: number, query: Readonly<Record<string, string>> = {}) => {
  const { body } = await request("GET", pathOf(id, iid, "/resource_state_events"), { query })
  return Array.isArray(body) ? body : []
}
const refreshed = (projectId: number, iid: number) => service.run(Effect.andThen(refresh({ projectId, iid }), settled))

describe("changes of the state of a merge request", () => {
  it("are told one by one, the oldest first, and not that it was opened", async () => {
    const id = await newProject("state-events")
    const developer = await member(id, "developer", "closing-developer")
    const { body: opened } = await open(id)
    expect(await events(id, 1)).toEqual([])
    await put(id, 1, { state_event: "close" }, { token: developer.token })
    await put(id, 1, { state_event: "reopen" })
    await put(id, 1, { title: "Another" })
    await request("PUT", pathOf(id, 1, "/merge"), { json: {} })
    const told = await events(id, 1)
    const user = (username: string) => expect.objectContaining({ username })
    const row = (state: string, by: string) => ({
      id: anyId,
      user: user(by),
      created_at: anyTime,
      resource_type: "MergeRequest",
      resource_id: field(opened, "id"),
      source_commit: null,
      source_merge_request_id: null,
      state
    })
    const rows = [row("closed", "closing-developer"), row("reopened", "root"), row("merged", "root")]
    expect(told).toEqual(rows)
    expect(told.map((each) => Object.keys(each))).toEqual(rows.map((each) => Object.keys(each)))
    const ids = told.map((each) => Number(field(each, "id")))
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(await events(id, 1, { page: "2", per_page: "2" })).toEqual(told.slice(2))
    const path = pathOf(id, 1, "/resource_state_events")
    expect((await request("GET", `${path}/${ids[1]}`)).body).toEqual(told[1])
    const missing = { status: 404, body: { message: "404 Not found" } }
    expect(await request("GET", `${path}/999999`)).toMatchObject(missing)
    expect(await request("GET", pathOf(id, 9, "/resource_state_events"))).toMatchObject(missing)
  })

  it("tell by which merge request it was merged too", async () => {
    const id = await newProject("state-twins")
    await request("POST", `/projects/${id}/repository/branches`, { query: { branch: "copy", ref: "topic" } })
    const { body: first } = await open(id)
    await open(id, { source_branch: "copy" })
    await request("PUT", pathOf(id, 1, "/merge"), { json: {} })
    await refreshed(id, 2)
    const [twin] = await events(id, 2)
    expect(picked(twin, "state", "source_commit", "source_merge_request_id")).toEqual({
      state: "merged",
      source_commit: null,
      source_merge_request_id: field(first, "id")
    })
  })

  it("tell by which commit it came into the target otherwise", async () => {
    const id = await newProject("state-by-hand")
    const { token } = await member(id, "maintainer", "merging-state-by-hand")
    await open(id)
    const url = service.url.replace("://", `://any:${token}@`)
    const folder = folderOf()
    await gitClient(folder, ["clone", "--quiet", `${url}/root/state-by-hand.git`, "."])
    await gitClient(folder, ["push", "--quiet", "origin", "origin/topic:main"])
    await refreshed(id, 1)
    const { body } = await get(id, 1)
    const [merged] = await events(id, 1)
    expect(picked(merged, "state", "source_commit", "source_merge_request_id")).toEqual({
      state: "merged",
      source_commit: field(body, "sha"),
      source_merge_request_id: null
    })
  })

  it("go with it", async () => {
    const id = await newProject("state-gone")
    await open(id)
    await put(id, 1, { state_event: "close" })
    const [closed] = await events(id, 1)
    await remove(id, 1)
    await open(id)
    expect((await request("GET", pathOf(id, 2, `/resource_state_events/${field(closed, "id")}`))).status).toBe(404)
  })
})
