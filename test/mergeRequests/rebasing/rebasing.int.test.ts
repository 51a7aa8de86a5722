import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { rebase } from "#src/git/merge/rebase.ts"
import { Repositories } from "#src/git/Repositories.ts"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import { performRebase } from "#src/mergeRequests/rebasing/perform.ts"
import { rebaseRequested } from "#src/mergeRequests/rebasing/rebaseRequested.ts"
import { handle } from "#src/platform/Commands.ts"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { Projections } from "#src/platform/Projections.ts"
import { moveRefs } from "#src/pushes/Pushes.ts"
import { field, picked } from "#test/support/exactly.ts"
import type { Sent } from "#test/support/service.ts"
import { until } from "#test/support/until.ts"
import { iidOf, useMergeRequests } from "../useMergeRequests.ts"

const { commit, fork, get, member, newProject, open, pathOf, person, put, service } = useMergeRequests()
const { request } = service

const ask = (projectId: number, iid = 1, sent: Sent = {}) => request("PUT", pathOf(projectId, iid, "/rebase"), sent)
/** Does what was asked for, until read models show it. */
const perform = (projectId: number, iid = 1) =>
  service.run(
    Effect.gen(function* () {
      yield* performRebase({ projectId, iid }, "https://git.example.com")
      const head = yield* EventStore.use((store) => store.head)
      yield* Projections.use((projections) => projections.awaitPosition(head))
    })
  )
const shown = async (projectId: number, iid = 1) =>
  (await get(projectId, iid, { query: { include_rebase_in_progress: "true" } })).body
const started = { status: 202, body: { rebase_in_progress: true } }
const failed = "Rebase failed: Rebase locally, resolve all conflicts, then push the branch."
const locked = { status: 409, body: { message: "409 Conflict: Resource lock" } }
const refusedFor = (reason: string) => ({ status: 403, body: { message: `403 Forbidden - ${reason}` } })

const tipOf = async (projectId: number, branch: string) =>
  String(field(field((await request("GET", `/projects/${projectId}/repository/branches/${branch}`)).body, "commit"), "id"))
const commitsOf = async (projectId: number, branch: string) =>
  [(await request("GET", `/projects/${projectId}/repository/commits`, { query: { ref_name: branch } })).body].flat()
const titlesOf = async (projectId: number, branch: string) =>
  (await commitsOf(projectId, branch)).map((one) => field(one, "title"))
const update = (projectId: number, branch: string, file: string, sent: Sent = {}) =>
  request("POST", `/projects/${projectId}/repository/files/${file}`, {
    json: { branch, content: `${file}\n`, commit_message: `Add ${file}` },
    ...sent
  })
/** A project whose target branch went on since the merge request began. */
const diverged = async (name: string, settings: object = {}) => {
  const id = await newProject(name, settings)
  await open(id)
  await update(id, "main", "later.txt")
  return id
}
/** What moved in a repository, and what was said of rebases. */
const eventsOf = async (stream: string, types: ReadonlyArray<string>) => {
  const events = await service.run(EventStore.use((store) => store.read(stream)))
  return events.filter(({ type }) => types.includes(type))
}
const movesOf = (projectId: number) => eventsOf(`repository-${projectId}`, ["RefsUpdated"])
const endsOf = async (projectId: number, iid = 1) =>
  (await eventsOf(`mergeRequest-${projectId}-${iid}`, ["MergeRequestRebased", "RebaseFailed"])).map(({ type }) => type)

describe("a rebase", () => {
  it("replays the commits on the target branch, by the caller and with their authors", async () => {
    const id = await diverged("rebased")
    const { token } = await member(id, "developer", "rebasing")
    const json = { branch: "topic", content: "more\n", commit_message: "More", author_name: "Ann", author_email: "ann@a.b" }
    await request("POST", `/projects/${id}/repository/files/more.txt`, { json })
    expect(await ask(id, 1, { token })).toMatchObject(started)
    expect(picked(await shown(id), "rebase_in_progress", "state")).toEqual({ rebase_in_progress: true, state: "opened" })
    await perform(id)
    const head = await tipOf(id, "topic")
    expect(await titlesOf(id, "topic")).toEqual(["More", "Change topic", "Add later.txt", "Change main"])
    expect(picked((await commitsOf(id, "topic"))[0], "author_name", "committer_name")).toEqual({
      author_name: "Ann",
      committer_name: "rebasing"
    })
    expect(picked(await shown(id), "rebase_in_progress", "merge_error", "sha", "merge_status", "changes_count")).toEqual({
      rebase_in_progress: false,
      merge_error: null,
      sha: head,
      merge_status: "can_be_merged",
      changes_count: "2"
    })
    const moved = (await movesOf(id)).at(-1)
    expect([moved?.data, moved?.metadata.actor]).toMatchObject([
      { updates: [{ ref: "refs/heads/topic", after: head }], options: [] },
      expect.stringMatching(/^user:/)
    ])
  })

  it("is done by the service, without anybody's help", async () => {
    const id = await diverged("rebased-by-service")
    expect(await ask(id)).toMatchObject(started)
    const isOver = async () => field(await shown(id), "rebase_in_progress") === false
    await service.run(
      Effect.raceFirst(
        rebaseRequested("https://git.example.com"),
        Effect.promise(() => until(isOver))
      )
    )
    expect(await titlesOf(id, "topic")).toEqual(["Change topic", "Add later.txt", "Change main"])
  })

  it("moves the branch without a pipeline where that is asked for", async () => {
    const id = await diverged("rebased-silently")
    await ask(id, 1, { json: { skip_ci: true } })
    await perform(id)
    expect((await movesOf(id)).at(-1)?.data).toMatchObject({ options: ["ci.skip"] })
    const arePipelined = async () =>
      (await eventsOf(`mergeRequest-${id}-1`, ["VersionAdded"])).map(({ data }) => field(data, "pipelineId") !== undefined)
    expect(await arePipelined()).toEqual([true, false])
    await update(id, "main", "even-later.txt")
    await ask(id)
    await perform(id)
    expect(await arePipelined()).toEqual([true, false, true])
  })

  it("of what has all of the target succeeds, moves nothing, and clears what an earlier one said", async () => {
    const id = await diverged("rebased-before")
    await update(id, "main", "topic.txt")
    await ask(id)
    await perform(id)
    expect(field(await shown(id), "merge_error")).toBe(failed)
    await put(id, 1, { target_branch: "topic-base" })
    await request("POST", `/projects/${id}/repository/branches`, { json: { branch: "topic-base", ref: "main~2" } })
    const moves = (await movesOf(id)).length
    expect(await ask(id)).toMatchObject(started)
    await perform(id)
    expect(picked(await shown(id), "rebase_in_progress", "merge_error")).toEqual({ rebase_in_progress: false, merge_error: null })
    expect(await movesOf(id)).toHaveLength(moves)
  })

  it("of commits that the target has by now leaves nothing to be merged, and is no merge", async () => {
    const id = await diverged("rebased-away")
    const json = { branch: "main" }
    await request("POST", `/projects/${id}/repository/commits/${await tipOf(id, "topic")}/cherry_pick`, { json })
    await ask(id)
    await perform(id)
    expect(await tipOf(id, "topic")).toBe(await tipOf(id, "main"))
    expect(picked(await shown(id), "state", "detailed_merge_status")).toEqual({
      state: "opened",
      detailed_merge_status: "commits_status"
    })
  })

  it("with conflicts tells so and moves nothing", async () => {
    const id = await diverged("rebased-conflict")
    await update(id, "main", "topic.txt")
    const head = await tipOf(id, "topic")
    await ask(id)
    await perform(id)
    expect(picked(await shown(id), "rebase_in_progress", "merge_error")).toEqual({
      rebase_in_progress: false,
      merge_error: failed
    })
    expect(await tipOf(id, "topic")).toBe(head)
  })
})

describe("while a rebase is under way", () => {
  it("there is no other one, and no merge; closing ends it", async () => {
    const id = await diverged("rebasing-now")
    await ask(id)
    expect(await ask(id)).toMatchObject(locked)
    expect(await request("PUT", pathOf(id, 1, "/merge"))).toMatchObject({
      status: 405,
      body: { message: "405 Method Not Allowed" }
    })
    await put(id, 1, { state_event: "close" })
    expect(field(await shown(id), "rebase_in_progress")).toBe(false)
    const head = await tipOf(id, "topic")
    await perform(id)
    expect(await tipOf(id, "topic")).toBe(head)
    expect(await ask(id)).toMatchObject(locked)
    await put(id, 1, { state_event: "reopen" })
    expect(await ask(id)).toMatchObject(started)
  })
})

describe("who may rebase", () => {
  it("is who may push to the source branch, and force where it is protected", async () => {
    const id = await diverged("rebasing-rights", { visibility: "public" })
    const { token } = await person("rebasing-stranger")
    const protect = (json: object) => request("POST", `/projects/${id}/protected_branches`, { json: { name: "topic", ...json } })
    expect(await ask(id, 1, { token })).toMatchObject(refusedFor("Cannot push to source branch"))
    const developer = await member(id, "developer", "rebasing-developer")
    await protect({ allow_force_push: false })
    expect(await ask(id, 1, { token: developer.token })).toMatchObject(refusedFor("Cannot push to source branch"))
    expect(await ask(id)).toMatchObject(refusedFor("Source branch is protected from force push"))
    await request("DELETE", `/projects/${id}/protected_branches/topic`)
    await protect({ allow_force_push: true })
    expect(await ask(id)).toMatchObject(started)
  })

  it("is told of a source branch that is gone first, whatever the state", async () => {
    const id = await diverged("rebasing-nothing")
    await put(id, 1, { state_event: "close" })
    await request("DELETE", `/projects/${id}/repository/branches/topic`)
    expect(await ask(id)).toMatchObject(refusedFor("Source branch does not exist"))
    expect(await ask(id, 99)).toMatchObject({ status: 404, body: { message: "404 Not found" } })
  })

  it("is asked again when the branch is to move", async () => {
    const id = await diverged("rebasing-no-more")
    const { id: userId, token } = await member(id, "developer", "rebasing-leaver")
    expect(await ask(id, 1, { token })).toMatchObject(started)
    await request("DELETE", `/projects/${id}/members/${userId}`)
    const head = await tipOf(id, "topic")
    await perform(id)
    expect(picked(await shown(id), "rebase_in_progress", "merge_error")).toEqual({
      rebase_in_progress: false,
      merge_error: "The rebase pre-receive hook failed: Cannot push to source branch."
    })
    expect(await tipOf(id, "topic")).toBe(head)
  })

  it("is also who may merge what a fork lets others work on", async () => {
    const id = await newProject("rebasing-upstream", { visibility: "public" })
    const forkId = await fork(id, "rebasing-fork")
    await commit(forkId, "fix", { "fix.txt": "fix\n" })
    const { token } = await member(id, "developer", "rebasing-collaborator")
    await request("POST", `/projects/${id}/repository/branches`, { json: { branch: "stable", ref: "main" } })
    const asked = { source_branch: "fix", target_project_id: id, target_branch: "stable" }
    const iid = iidOf(await open(forkId, asked))
    await update(id, "stable", "later.txt")
    expect(await ask(id, iid, { token })).toMatchObject(refusedFor("Cannot push to source branch"))
    await put(id, iid, { allow_collaboration: true })
    expect(await ask(id, iid, { token })).toMatchObject(started)
    await perform(id, iid)
    expect(await titlesOf(forkId, "fix")).toEqual(["Change fix", "Add later.txt", "Change main"])
    expect(picked(await shown(id, iid), "merge_error", "merge_status", "sha")).toEqual({
      merge_error: null,
      merge_status: "can_be_merged",
      sha: await tipOf(forkId, "fix")
    })
  })
})

describe("a rebase that was cut short", () => {
  const key = (projectId: number) => ({ projectId, iid: 1 })
  /** Plans it, as a process does that dies then. */
  const plan = async (projectId: number) => {
    const [from, onto] = [await tipOf(projectId, "topic"), await tipOf(projectId, "main")]
    const committer = { name: "root", email: "root@a.b", seconds: 1_700_000_000, offset: "+0000" }
    const to = await service.run(
      Effect.flatMap(Repositories, (repositories) =>
        rebase(repositories.of(projectId), { source: from, target: onto, committer })
      )
    )
    const planned = { _tag: "PlanRebase", number: 1, targetBranch: "main", plan: { from, to, onto } } as const
    await service.run(handle(mergeRequestAggregate, key(projectId), planned))
    return { from, to }
  }

  it("before the branch moved is ended as planned, also where the target went on", async () => {
    const id = await diverged("rebase-planned")
    await ask(id)
    const { to } = await plan(id)
    await update(id, "main", "even-later.txt")
    await perform(id)
    expect([await tipOf(id, "topic"), await endsOf(id)]).toEqual([to, ["MergeRequestRebased"]])
  })

  it("after the branch moved moves nothing, also where others pushed since", async () => {
    const id = await diverged("rebase-moved")
    await ask(id)
    const { from, to } = await plan(id)
    await service.run(moveRefs(id, [{ name: "refs/heads/topic", from, to }]))
    await update(id, "topic", "since.txt")
    const moves = (await movesOf(id)).length
    await perform(id)
    expect([(await movesOf(id)).length, await endsOf(id)]).toEqual([moves, ["MergeRequestRebased"]])
    expect(field(await shown(id), "rebase_in_progress")).toBe(false)
  })

  it("fails where somebody pushed to the source branch before it moved", async () => {
    const id = await diverged("rebase-overtaken")
    await ask(id)
    await plan(id)
    await update(id, "topic", "since.txt")
    const head = await tipOf(id, "topic")
    await perform(id)
    expect([await tipOf(id, "topic"), await endsOf(id)]).toEqual([head, ["RebaseFailed"]])
    expect(field(await shown(id), "merge_error")).toBe(failed)
  })

  it("is done once by several processes", async () => {
    const id = await diverged("rebase-twice")
    await ask(id)
    const moves = (await movesOf(id)).length
    await Promise.all([perform(id), perform(id), perform(id)])
    expect([(await movesOf(id)).length, await endsOf(id)]).toEqual([moves + 1, ["MergeRequestRebased"]])
    expect(await titlesOf(id, "topic")).toEqual(["Change topic", "Add later.txt", "Change main"])
  })
})
