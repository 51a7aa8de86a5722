import { cp, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { headRef } from "#src/git/merge/mergeRequestRefs.ts"
import { Repositories } from "#src/git/Repositories.ts"
import { readRef } from "#src/git/refs/refs.ts"
import { awaitMergeRequest } from "#src/mergeRequests/awaitMergeRequest.ts"
import { mergeRequestAggregate } from "#src/mergeRequests/decisions/aggregate.ts"
import { headsNow } from "#src/mergeRequests/heads.ts"
import { mergeRequestStream } from "#src/mergeRequests/ids.ts"
import { check, outdate } from "#src/mergeRequests/reactions/check.ts"
import { keepUpMergeRequests } from "#src/mergeRequests/reactions/keepUp.ts"
import { refreshOutdated } from "#src/mergeRequests/reactions/refreshOutdated.ts"
import { completeMerge } from "#src/mergeRequests/writes/complete.ts"
import { handle, load } from "#src/platform/Commands.ts"
import { type Append, EventStore } from "#src/platform/eventStore/EventStore.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field, picked } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"
import { shaOf } from "./samples.ts"
import { iidOf, useMergeRequests } from "./useMergeRequests.ts"

const { commit, fork, get, member, newProject, open, pathOf, put, remove, service } = useMergeRequests()
const { request } = service
const folderOf = temporaryFolder()

/** A reactor that was never there before begins where the log ends. */
const atStart = Effect.flatMap(Sql, ({ client }) =>
  query(
    () => client`
      insert into chronoforge.reactions (name, position) values ('merge-requests', 0) on conflict (name) do nothing`
  )
)

/** Keeps merge requests up, as a service does, until it is so. */
const keepingUp = (claim: () => Promise<boolean>) =>
  service.run(
    Effect.andThen(
      atStart,
      Effect.raceFirst(
        Effect.all([keepUpMergeRequests, refreshOutdated], { concurrency: "unbounded" }),
        Effect.promise(() => until(claim))
      )
    )
  )

/** What is shown of one, when that is so. */
const shownWhen = async (projectId: number, iid: number, claim: (body: unknown) => boolean) => {
  let last: unknown
  await keepingUp(async () => {
    last = (await get(projectId, iid)).body
    return claim(last)
  })
  return last
}

const lacksBranch = (body: unknown) => field(body, "detailed_merge_status") === "commits_status"
/** Whether it is found out whether it can be merged. */
const isKnown = (body: unknown) => field(body, "detailed_merge_status") === "mergeable"

const update = (projectId: number, branch: string, file: string, token?: string) =>
  request("POST", `/projects/${projectId}/repository/files/${file}`, {
    json: { branch, content: `${file}\n`, commit_message: `Add ${file}` },
    token
  })
const removeBranch = (projectId: number, branch: string) =>
  request("DELETE", `/projects/${projectId}/repository/branches/${branch}`)
const tipOf = async (projectId: number, branch: string) =>
  field(field((await request("GET", `/projects/${projectId}/repository/branches/${branch}`)).body, "commit"), "id")
const versionsOf = async (projectId: number) => [(await request("GET", pathOf(projectId, 1, "/versions"))).body].flat()

describe("a push to the source branch", () => {
  it("gives the merge request a version and a new answer to whether it can be merged", async () => {
    const id = await newProject("kept-source")
    await open(id)
    await update(id, "topic", "more.txt")
    const head = await tipOf(id, "topic")
    const shown = await shownWhen(id, 1, (body) => field(body, "sha") === head && isKnown(body))
    expect(picked(shown, "merge_status", "changes_count", "state")).toEqual({
      merge_status: "can_be_merged",
      changes_count: "2",
      state: "opened"
    })
    expect((await versionsOf(id)).map((version) => field(version, "head_commit_sha"))).toEqual([head, expect.any(String)])
  })

  it("makes it a draft where its own new commits say so", async () => {
    const id = await newProject("kept-draft")
    const push = async (branch: string, file: string, commit_message: string) =>
      request("POST", `/projects/${id}/repository/files/${file}`, { json: { branch, content: "a\n", commit_message } })
    await push("topic", "first.txt", "Draft: what it begins with")
    await open(id)
    const shownAt = async () => {
      const head = await tipOf(id, "topic")
      return field(
        await shownWhen(id, 1, (body) => field(body, "sha") === head && field(body, "merge_status") !== "checking"),
        "title"
      )
    }
    await push("topic", "second.txt", "FIXUP! not so")
    await push("main", "third.txt", "fixup! not of it")
    expect(await shownAt()).toBe("Add a topic")
    await push("topic", "fourth.txt", "fixup! Add a topic")
    expect(await shownAt()).toBe("Draft: Add a topic")
    const query = { activity_filter: "only_activity", per_page: "1" }
    const { body: notes } = await request("GET", pathOf(id, 1, "/notes"), { query })
    expect([notes].flat().map((note) => field(note, "body"))).toEqual([
      `marked this merge request as **draft** from ${field((await get(id, 1)).body, "sha")}`
    ])
    await put(id, 1, { title: "Add it" })
    await push("topic", "fifth.txt", "Add more")
    expect(await shownAt()).toBe("Add it")
  })

  it("that deletes it closes the merge request", async () => {
    const id = await newProject("kept-deleted")
    await open(id)
    await removeBranch(id, "topic")
    const shown = await shownWhen(id, 1, (body) => field(body, "state") === "closed")
    expect(picked(shown, "closed_by", "merged_at")).toEqual({
      closed_by: expect.objectContaining({ username: "root" }),
      merged_at: null
    })
    const { body: notes } = await request("GET", pathOf(id, 1, "/notes"), { query: { sort: "asc" } })
    expect([notes].flat().map((note) => field(note, "body"))).toEqual(["deleted source branch `topic`", "closed"])
  })

  it("that deleted it long ago does not close what was opened again since", async () => {
    const id = await newProject("kept-reopened")
    await open(id)
    await removeBranch(id, "topic")
    await shownWhen(id, 1, (body) => field(body, "state") === "closed")
    await put(id, 1, { state_event: "reopen" })
    expect(field(await shownWhen(id, 1, lacksBranch), "state")).toBe("opened")
    await commit(id, "topic", { "again.txt": "again\n" })
    await shownWhen(id, 1, isKnown)
    await removeBranch(id, "topic")
    await shownWhen(id, 1, (body) => field(body, "state") === "closed")
  })
})

describe("a push to the target branch", () => {
  it("that changes the same file is a conflict", async () => {
    const id = await newProject("kept-target")
    await open(id)
    await update(id, "main", "topic.txt")
    const shown = await shownWhen(id, 1, (body) => field(body, "has_conflicts") === true)
    expect(picked(shown, "merge_status", "detailed_merge_status")).toEqual({
      merge_status: "cannot_be_merged",
      detailed_merge_status: "conflict"
    })
    expect(await versionsOf(id)).toHaveLength(1)
  })

  it("that brings the commits is a merge by who pushed", async () => {
    const id = await newProject("kept-by-hand")
    const { token } = await member(id, "maintainer", "merging-by-hand")
    await open(id)
    const head = await tipOf(id, "topic")
    const url = service.url.replace("://", `://any:${token}@`)
    const folder = folderOf()
    expect(await gitClient(folder, ["clone", "--quiet", `${url}/root/kept-by-hand.git`, "."])).toMatchObject({ status: 0 })
    expect(await gitClient(folder, ["push", "--quiet", "origin", "origin/topic:main"])).toMatchObject({ status: 0 })
    const shown = await shownWhen(id, 1, (body) => field(body, "state") === "merged")
    expect(picked(shown, "merge_user", "merge_commit_sha")).toEqual({
      merge_user: expect.objectContaining({ username: "merging-by-hand" }),
      merge_commit_sha: head
    })
  })

  it("that brings the commits and deletes the source branch is a merge too", async () => {
    const id = await newProject("kept-by-hand-whole")
    const { token } = await member(id, "maintainer", "merging-by-hand-whole")
    await open(id)
    await update(id, "topic", "more.txt")
    const head = await tipOf(id, "topic")
    const url = service.url.replace("://", `://any:${token}@`)
    const clone = ["clone", "--quiet", `${url}/root/kept-by-hand-whole.git`, "whole"]
    expect(await gitClient(folderOf(), clone)).toMatchObject({ status: 0 })
    expect(
      await gitClient(join(folderOf(), "whole"), ["push", "--quiet", "origin", "origin/topic:main", ":topic"])
    ).toMatchObject({ status: 0 })
    const shown = await shownWhen(id, 1, (body) => field(body, "state") !== "opened")
    expect(picked(shown, "state", "merge_commit_sha", "closed_by")).toEqual({
      state: "merged",
      merge_commit_sha: head,
      closed_by: null
    })
  })

  it("makes what many merge requests say of it known again, also beside one that cannot be looked at", async () => {
    const [id, damaged] = [await newProject("kept-many"), await newProject("kept-damaged")]
    await open(damaged)
    for (const branch of Array.from({ length: 12 }, (_, number) => `branch-${number}`)) {
      await commit(id, branch, { [`${branch}.txt`]: "a\n" })
      await open(id, { source_branch: branch })
    }
    for (const project of [damaged, id]) await update(project, "main", "later.txt")
    const repository = await service.run(Effect.map(Repositories, (repositories) => repositories.of(damaged)))
    await rm(join(repository.path, "objects"), { recursive: true })
    const list = async () => [(await request("GET", pathOf(id), { query: { state: "opened" } })).body].flat()
    await keepingUp(async () => {
      const { body } = await get(damaged, 1)
      const known = (await list()).every((one) => field(one, "detailed_merge_status") === "mergeable")
      return known && field(body, "merge_error") !== null
    })
    expect(await list()).toHaveLength(12)
    expect(picked((await get(damaged, 1)).body, "state", "merge_status", "merge_error")).toEqual({
      state: "opened",
      merge_status: "checking",
      merge_error: "Whether it can be merged could not be found out, which is tried again."
    })
  })
})

describe("a merge request", () => {
  it("is looked at anew when its target branch changes", async () => {
    const id = await newProject("kept-retargeted")
    await open(id)
    await commit(id, "release", { "topic.txt": "other\n" })
    const changed = await put(id, 1, { target_branch: "release" })
    expect(picked(changed.body, "target_branch")).toEqual({ target_branch: "release" })
    const shown = await shownWhen(id, 1, (body) => field(body, "has_conflicts") === true)
    expect(field(field(shown, "diff_refs"), "start_sha")).toBe(await tipOf(id, "release"))
  })

  it("loses its source branch when its merge asked for that", async () => {
    const id = await newProject("kept-removed")
    await open(id)
    const query = { should_remove_source_branch: "true" }
    expect((await request("PUT", pathOf(id, 1, "/merge"), { query })).status).toBe(200)
    const gone = async () => (await request("GET", `/projects/${id}/repository/branches/topic`)).status === 404
    await keepingUp(gone)
    expect(field((await get(id, 1)).body, "state")).toBe("merged")
  })

  it("of a fork is looked at when the fork is pushed to, and stays when the fork goes away", async () => {
    const id = await newProject("kept-upstream")
    const forkId = await fork(id, "kept-downstream")
    await commit(forkId, "fix", { "fix.txt": "fix\n" })
    const iid = iidOf(await open(forkId, { source_branch: "fix", target_project_id: id }))
    await update(forkId, "fix", "more.txt")
    const head = await tipOf(forkId, "fix")
    expect(field(await shownWhen(id, iid, (body) => field(body, "sha") === head && isKnown(body)), "changes_count")).toBe("2")
    const { path } = await service.run(Effect.map(Repositories, (repositories) => repositories.of(forkId)))
    const copy = join(folderOf(), "downstream.git")
    await cp(path, copy, { recursive: true })
    await request("DELETE", `/projects/${forkId}`)
    await request("DELETE", `/projects/${forkId}`, { query: { permanently_remove: "true", full_path: "root/kept-downstream" } })
    // As where the service was killed before it removed the folder.
    await cp(copy, path, { recursive: true })
    const shown = await shownWhen(id, iid, lacksBranch)
    expect(field(shown, "state")).toBe("opened")
  })

  it("that is outdated is checked for who reads it alone", async () => {
    const id = await newProject("kept-asked")
    await open(id)
    await shownWhen(id, 1, isKnown)
    await service.run(outdate({ projectId: id, iid: 1 }))
    const statusesOf = (body: unknown) => picked(body, "merge_status", "detailed_merge_status")
    const listed = async () => [(await get(id)).body].flat().map(statusesOf)
    const both = (status: string) => ({ merge_status: status, detailed_merge_status: status })
    await until(async () => field((await listed())[0], "merge_status") !== "can_be_merged")
    expect(await listed()).toEqual([both("unchecked")])
    expect(statusesOf((await get(id, 1)).body)).toEqual(both("checking"))
    const closed = { merge_status: "unchecked", detailed_merge_status: "not_open" }
    expect(statusesOf((await put(id, 1, { state_event: "close" })).body)).toEqual(closed)
  })

  it("is outdated at once where a branch moves while that is told of it", async () => {
    const id = await newProject("kept-unsure")
    await open(id)
    const key = { projectId: id, iid: 1 }
    const mergeabilityNow = service.run(
      Effect.gen(function* () {
        const store = yield* EventStore
        yield* outdate(key)
        const { state } = yield* load(mergeRequestAggregate, key)
        if (state._tag !== "Opened") return
        const heads = yield* headsNow(state.request, key)
        const moving = Effect.promise(() => update(id, "main", "meanwhile.txt"))
        const append: Append = (stream, ...more) =>
          Effect.andThen(stream === mergeRequestStream(key) ? moving : Effect.void, store.append(stream, ...more))
        yield* Effect.provideService(check(key, state.request, heads), EventStore, { ...store, append })
        const after = yield* load(mergeRequestAggregate, key)
        return after.state._tag === "Opened" ? after.state.request.mergeability : undefined
      })
    )
    expect(await mergeabilityNow).toEqual({ _tag: "Unchecked", failedBefore: false })
  })

  it("is open again where the commit of its merge is lost, and says so", async () => {
    const id = await newProject("kept-lost")
    await open(id)
    const [headSha, targetFrom] = [String(await tipOf(id, "topic")), String(await tipOf(id, "main"))]
    const key = { projectId: id, iid: 1 }
    const to = { targetBranch: "main", targetFrom, targetTo: shaOf("c"), mergeSha: shaOf("c"), squashSha: null }
    const plan = { by: 1, headSha, ...to, squash: false, removesSourceBranch: null }
    await service.run(Effect.orDie(handle(mergeRequestAggregate, key, { _tag: "PlanMerge", plan })))
    expect(await service.run(completeMerge(key))).toBe(false)
    await service.run(awaitMergeRequest(key))
    expect(picked((await get(id, 1)).body, "state", "merge_error")).toEqual({
      state: "opened",
      merge_error: "The commit of the merge is gone. Please merge it again."
    })
    expect((await request("PUT", pathOf(id, 1, "/merge"))).status).toBe(200)
  })

  it("is approved no more by who is deleted", async () => {
    const id = await newProject("kept-approved")
    const approver = await member(id, "developer", "approving-and-gone")
    await open(id, { approvals_before_merge: 1 })
    await request("POST", pathOf(id, 1, "/approve"), { token: approver.token })
    expect(field((await get(id, 1)).body, "detailed_merge_status")).toBe("mergeable")
    expect((await request("DELETE", `/users/${approver.id}`)).status).toBe(204)
    await shownWhen(id, 1, (body) => field(body, "detailed_merge_status") === "not_approved")
    expect((await request("PUT", pathOf(id, 1, "/merge"))).status).toBe(405)
  })

  it("that is deleted leaves no refs", async () => {
    const id = await newProject("kept-refs")
    await open(id)
    const head = () => service.run(Effect.flatMap(Repositories, (repositories) => readRef(repositories.of(id), headRef(1))))
    expect(await head()).toMatchObject({ id: await tipOf(id, "topic") })
    expect((await remove(id, 1)).status).toBe(204)
    await keepingUp(async () => (await head()) === undefined)
  })
})
