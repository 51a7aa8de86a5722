import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { removeSourceBranch } from "#src/mergeRequests/reactions/removeSourceBranch.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { field } from "#test/support/exactly.ts"
import { iidOf, useMergeRequests } from "../useMergeRequests.ts"

const { commit, fork, get, member, newProject, open, pathOf, put, service } = useMergeRequests()
const { request } = service
const root = 1

/** Merges the first one with its branch: what the service does then is done, and shown. */
const mergeWithBranch = async (projectId: number, by = root, token?: string) => {
  const query = { should_remove_source_branch: "true" }
  const sent = { token }
  expect((await request("PUT", pathOf(projectId, 1, "/merge"), { query, ...sent })).status).toBe(200)
  await service.run(
    Effect.gen(function* () {
      yield* removeSourceBranch({ projectId, iid: 1 }, by)
      const head = yield* EventStore.use((store) => store.head)
      yield* Projections.use((projections) => projections.awaitPosition(head))
    })
  )
}
const targetOf = async (projectId: number, iid: number) => field((await get(projectId, iid)).body, "target_branch")
/** A merge request of a new branch into `topic`, which is to be merged first. */
const stack = async (projectId: number, branch: string, json: object = {}) => {
  await commit(projectId, branch, { [`${branch}.txt`]: "a\n" })
  return iidOf(await open(projectId, { source_branch: branch, target_branch: "topic", ...json }))
}
/** A draft that is merged of itself when it is none any more. */
const stackWaiting = async (projectId: number, branch: string, json: object = {}) => {
  const iid = await stack(projectId, branch, { title: "Draft: Add", ...json })
  expect((await request("PUT", pathOf(projectId, iid, "/merge"), { json: { auto_merge: true } })).status).toBe(200)
  return iid
}
const waits = async (projectId: number, iid: number) => field((await get(projectId, iid)).body, "merge_when_pipeline_succeeds")
/** What the service wrote below it, the oldest first. */
const told = async (projectId: number, iid: number) => {
  const { body } = await request("GET", pathOf(projectId, iid, "/notes"), { query: { sort: "asc" } })
  return [body].flat().map((note) => field(note, "body"))
}
const topicOf = async (projectId: number) => (await request("GET", `/projects/${projectId}/repository/branches/topic`)).status

describe("a merge that removes its source branch", () => {
  it("lets four open ones that are stacked on it be merged into its target, and leaves closed ones", async () => {
    const id = await newProject("stacked")
    await open(id)
    const iids: Array<number> = []
    for (const branch of ["a", "b", "c", "d", "e", "f"]) iids.push(await stack(id, branch))
    await put(id, iids[0], { state_event: "close" })
    await mergeWithBranch(id)
    const targets = await Promise.all(iids.map((iid) => targetOf(id, iid)))
    expect(targets).toEqual(["topic", "main", "main", "main", "main", "topic"])
    expect(await told(id, iids[1] ?? 0)).toEqual(["deleted the `topic` branch. This merge request now targets the `main` branch"])
    expect(await topicOf(id)).toBe(404)
  })

  it("ends what was to be merged of itself into it, with the reason, also what keeps its target", async () => {
    const id = await newProject("stacked-waiting")
    await open(id)
    const iids: Array<number> = []
    for (const branch of ["a", "b", "c", "d", "e"]) iids.push(await stackWaiting(id, branch))
    const elsewhere = await stackWaiting(id, "f", { target_branch: "main" })
    await mergeWithBranch(id)
    expect(await Promise.all(iids.map((iid) => waits(id, iid)))).toEqual([false, false, false, false, false])
    expect(await waits(id, elsewhere)).toBe(true)
    const [first = 0, last = 0] = [iids[0], iids[4]]
    const notes = [
      `enabled an automatic merge when all merge checks for ${field((await get(id, first)).body, "sha")} pass`,
      "aborted the automatic merge because target branch was merged in !1",
      "deleted the `topic` branch. This merge request now targets the `main` branch"
    ]
    expect(await told(id, first)).toEqual(notes)
    expect((await told(id, last)).slice(1)).toEqual([notes[1]])
    expect([await targetOf(id, first), await targetOf(id, last)]).toEqual(["main", "topic"])
  })

  it("leaves what has a twin that is open into its target, and what comes from there", async () => {
    const id = await newProject("stacked-twins")
    await open(id)
    const stacked = await stack(id, "twice")
    await open(id, { source_branch: "twice" })
    const back = iidOf(await open(id, { source_branch: "main", target_branch: "topic" }))
    await mergeWithBranch(id)
    expect([await targetOf(id, stacked), await targetOf(id, back), await topicOf(id)]).toEqual(["topic", "topic", 404])
  })

  it("takes those of a fork along where who merged may also act there", async () => {
    const id = await newProject("stacked-upstream")
    await open(id)
    const forkId = await fork(id, "stacked-fork")
    await commit(forkId, "fix", { "fix.txt": "fix\n" })
    const asked = { source_branch: "fix", target_project_id: id, target_branch: "topic" }
    const iid = iidOf(await open(forkId, asked))
    const { id: merger, token } = await member(id, "maintainer", "stacked-merger")
    await mergeWithBranch(id, merger, token)
    expect([await targetOf(id, iid), await topicOf(id)]).toEqual(["topic", 404])
  })

  it("takes nothing along where the branch stays", async () => {
    const id = await newProject("stacked-protected")
    await open(id)
    const iid = await stack(id, "a")
    await request("POST", `/projects/${id}/protected_branches`, { json: { name: "topic" } })
    await mergeWithBranch(id)
    expect([await targetOf(id, iid), await topicOf(id)]).toEqual(["topic", 200])
  })
})
