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
  const sent = token === undefined ? {} : { token }
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
const stack = async (projectId: number, branch: string) => {
  await commit(projectId, branch, { [`${branch}.txt`]: "a\n" })
  return iidOf(await open(projectId, { source_branch: branch, target_branch: "topic" }))
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
    const { body: notes } = await request("GET", pathOf(id, iids[1], "/notes"))
    expect([notes].flat().map((note) => field(note, "body"))).toEqual([
      "deleted the `topic` branch. This merge request now targets the `main` branch"
    ])
    expect(await topicOf(id)).toBe(404)
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
