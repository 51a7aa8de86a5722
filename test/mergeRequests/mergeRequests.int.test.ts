import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { mergeRequestStream } from "#src/mergeRequests/ids.ts"
import { reservePair } from "#src/mergeRequests/pairs.ts"
import { release } from "#src/platform/Reservations.ts"
import { field, picked } from "#test/support/exactly.ts"
import { iidOf, useMergeRequests } from "./useMergeRequests.ts"

const { commit, fork, get, member, newProject, open, pathOf, put, remove, service } = useMergeRequests()
const { request } = service

const merge = (projectId: number, iid: number, json: object = {}, token?: string) =>
  request("PUT", pathOf(projectId, iid, "/merge"), { json, token })
const tip = async (projectId: number, branch: string) =>
  field((await request("GET", `/projects/${projectId}/repository/branches/${branch}`)).body, "commit")
const parentsOf = (one: unknown) => field(one, "parent_ids")

describe("a merge request", () => {
  it("is prepared when it is answered: its version, and whether it can be merged", async () => {
    const id = await newProject("opened")
    const [main, topic] = [field(await tip(id, "main"), "id"), field(await tip(id, "topic"), "id")]
    const { body, status } = await open(id, { description: "- [x] a\n- [ ] b" })
    expect(status).toBe(201)
    expect(
      picked(body, "iid", "state", "merge_status", "detailed_merge_status", "sha", "changes_count", "diff_refs", "has_conflicts")
    ).toEqual({
      iid: 1,
      state: "opened",
      merge_status: "can_be_merged",
      detailed_merge_status: "mergeable",
      sha: topic,
      changes_count: "1",
      diff_refs: { base_sha: main, head_sha: topic, start_sha: main },
      has_conflicts: false
    })
    expect(picked(body, "task_completion_status", "user")).toEqual({
      task_completion_status: { count: 2, completed_count: 1 },
      user: { can_merge: true }
    })
    const query = { include_diverged_commits_count: "true", include_rebase_in_progress: "true" }
    const read = await request("GET", pathOf(id, 1), { query })
    expect(picked(read.body, "diverged_commits_count", "rebase_in_progress", "first_contribution")).toEqual({
      diverged_commits_count: 0,
      rebase_in_progress: false,
      first_contribution: true
    })
  })

  it("is the only open one for its branches", async () => {
    const id = await newProject("twins")
    await open(id)
    expect(await open(id)).toMatchObject({
      status: 409,
      body: { message: ["Another open merge request already exists for this source branch: !1"] }
    })
    expect(field((await put(id, 1, { state_event: "close" })).body, "state")).toBe("closed")
    expect(iidOf(await open(id))).toBe(2)
    expect(field((await put(id, 1, { state_event: "reopen", title: "Other" })).body, "state")).toBe("closed")
    expect((await remove(id, 2)).status).toBe(204)
    expect(field((await put(id, 1, { state_event: "reopen" })).body, "state")).toBe("opened")
    expect(iidOf(await open(id, { target_branch: "topic", source_branch: "main" }))).toBe(3)
  })

  it("is opened among sixteen at once for its branches once", async () => {
    const id = await newProject("crowd")
    const statuses = (await Promise.all(Array.from({ length: 16 }, () => open(id)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 15 }, () => 409)])
  })

  it("needs branches that differ, and a source that is there", async () => {
    const id = await newProject("refused")
    expect(await open(id, { source_branch: "main" })).toMatchObject({
      status: 422,
      body: { message: ["You can't use same project/branch for source and target"] }
    })
    expect(await open(id, { source_branch: "nothing" })).toMatchObject({
      status: 400,
      body: { message: { source_branch: ["does not exist"] } }
    })
    expect(await open(id, { title: " " })).toMatchObject({ status: 400 })
    expect((await get(id, 9)).status).toBe(404)
  })
})

describe("what it changes", () => {
  it("is told file by file, with what programs made", async () => {
    const id = await newProject("changed-files")
    await commit(id, "files", {
      ".gitattributes": "*.gen linguist-generated\n",
      "a.gen": "a\n",
      "b.txt": "b\n",
      "yarn.lock": "c\n"
    })
    await open(id, { source_branch: "files" })
    const told = (files: unknown) => [files].flat().map((file) => [field(file, "new_path"), field(file, "generated_file")])
    const expected = [
      [".gitattributes", false],
      ["a.gen", true],
      ["b.txt", false],
      ["yarn.lock", true]
    ]
    expect(told((await request("GET", pathOf(id, 1, "/diffs"))).body)).toEqual(expected)
    expect(told(field((await request("GET", pathOf(id, 1, "/changes"))).body, "changes"))).toEqual(expected)
    const changes = (query: Readonly<Record<string, string>>) => request("GET", pathOf(id, 1, "/changes"), { query })
    for (const unidiff of ["false", "true"]) {
      expect((await changes({ unidiff, access_raw_diffs: "true" })).body).toEqual((await changes({ unidiff })).body)
    }
    const { body: versions } = await request("GET", pathOf(id, 1, "/versions"))
    const [version] = [versions].flat()
    expect(picked(version, "state", "real_size", "patch_id_sha")).toEqual({
      state: "collected",
      real_size: "4",
      patch_id_sha: expect.stringMatching(/^[0-9a-f]{40}$/)
    })
    const { body } = await request("GET", pathOf(id, 1, `/versions/${field(version, "id")}`))
    expect([told(field(body, "diffs")), [field(body, "commits")].flat().length]).toEqual([expected, 1])
  })
})

describe("a change of anything but the target branch", () => {
  it("takes the branches no second time", async () => {
    const id = await newProject("taken-once")
    await open(id)
    const pair = { source: { projectId: id, branch: "topic" }, projectId: id, targetBranch: "main" }
    const key = { projectId: id, iid: 1 }
    // As if another one had them, which is told to whoever takes them.
    await service.run(
      release({ kind: "merge-request", text: `${id} topic ${id} main` }, mergeRequestStream(key), Effect.succeed(false))
    )
    await service.run(Effect.orDie(reservePair(pair, { projectId: id, iid: 2 })))
    expect((await put(id, 1, { title: "Another one" })).status).toBe(200)
    expect((await put(id, 1, { target_branch: "main" })).status).toBe(409)
  })
})

describe("the commit that a merge would make", () => {
  const started = async () => {
    const { body } = await request("GET", "/-/metrics")
    const counts = String(body).matchAll(/^chronoforge_processes_total\{.*outcome="started".*\} (\d+)$/gm)
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
  }

  it("is made once for all who ask at the same time", async () => {
    const id = await newProject("merge-ref")
    await open(id)
    const asking = async (callers: number) => {
      await commit(id, "main", { [`${callers}.txt`]: "a\n" })
      const before = await started()
      const answers = await Promise.all(Array.from({ length: callers }, () => request("GET", pathOf(id, 1, "/merge_ref"))))
      expect(new Set(answers.map(({ body, status }) => `${status} ${field(body, "commit_id")}`)).size).toBe(1)
      expect(answers[0]).toMatchObject({ status: 200, body: { commit_id: expect.stringMatching(/^[0-9a-f]{40}$/) } })
      return (await started()) - before
    }
    await asking(1)
    const alone = await asking(2)
    expect(await asking(12)).toBeLessThan(2 * alone)
  })
})

describe("a merge", () => {
  it("makes a merge commit of both heads, and removes the source branch of nobody who did not ask", async () => {
    const id = await newProject("merged")
    const [main, topic] = [field(await tip(id, "main"), "id"), field(await tip(id, "topic"), "id")]
    await open(id)
    const { body, status } = await merge(id, 1)
    expect([status, field(body, "state")]).toEqual([200, "merged"])
    const head = await tip(id, "main")
    expect([parentsOf(head), field(head, "id")]).toEqual([[main, topic], field(body, "merge_commit_sha")])
    expect(field(head, "message")).toMatch(/^Merge branch 'topic' into 'main'\n\nAdd a topic\n\nSee merge request [^ ]+!1$/)
    expect(field(await tip(id, "topic"), "id")).toBe(topic)
    expect((await merge(id, 1)).status).toBe(405)
  })

  it("of sixteen at once happens once", async () => {
    const id = await newProject("raced")
    await open(id)
    const statuses = (await Promise.all(Array.from({ length: 16 }, () => merge(id, 1)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toEqual([200])
    const { body } = await request("GET", `/projects/${id}/repository/commits`, { query: { ref_name: "main" } })
    expect(body).toHaveLength(3)
  })

  it("moves the target to one squashed commit where the project wants fast-forwards", async () => {
    const id = await newProject("squashed", { merge_method: "ff" })
    const main = field(await tip(id, "main"), "id")
    const more = { branch: "topic", commit_message: "More", content: "more\n" }
    await request("POST", `/projects/${id}/repository/files/more.txt`, { json: more })
    await open(id)
    const { body } = await merge(id, 1, { squash: true, squash_commit_message: "All at once" })
    const head = await tip(id, "main")
    expect([parentsOf(head), field(head, "message"), field(head, "id")]).toEqual([
      [main],
      "All at once",
      field(body, "squash_commit_sha")
    ])
    expect(field(body, "merge_commit_sha")).toBeNull()
  })

  it("says what the templates make of a squash where its message is blank; that of a merge is taken as it is", async () => {
    const id = await newProject("blank-words", { squash_commit_template: "Squashed %{source_branch}" })
    await open(id)
    const messages = { merge_commit_message: "  Kept\n ", squash_commit_message: " \t\n " }
    const { body } = await merge(id, 1, { squash: true, ...messages })
    const messageOf = async (sha: unknown) =>
      field((await request("GET", `/projects/${id}/repository/commits/${sha}`)).body, "message")
    expect(await messageOf(field(body, "squash_commit_sha"))).toBe("Squashed topic")
    expect(await messageOf(field(body, "merge_commit_sha"))).toBe("  Kept\n ")
  })

  it("says what the templates of the project make of it", async () => {
    const merge_commit_template = "%{title} (%{reference})\n\n%{all_commits}\n\nMerged-by: %{merged_by}"
    const id = await newProject("worded", { merge_commit_template, squash_commit_template: "Squashed %{source_branch}" })
    await open(id)
    await merge(id, 1, { squash: true })
    const head = await tip(id, "main")
    const message = "Add a topic (root/worded!1)\n\n* Change topic\n\nMerged-by: Administrator <admin@example.com>"
    expect(field(head, "message")).toBe(message)
    const [, squashed] = Array.isArray(parentsOf(head)) ? (parentsOf(head) as ReadonlyArray<string>) : []
    const { body } = await request("GET", `/projects/${id}/repository/commits/${squashed}`)
    expect(field(body, "message")).toBe("Squashed topic")
  })

  it("is refused for conflicts, drafts, other heads, and who may not push", async () => {
    const id = await newProject("unmergeable")
    const developer = await member(id, "developer", "developer-of-merges")
    const [reporter, protecting] = [await member(id, "reporter", "reporter-of-merges"), `/projects/${id}/protected_branches`]
    await open(id, { title: "Draft: not yet" })
    expect((await merge(id, 1)).status).toBe(405)
    await put(id, 1, { title: "Now" })
    const head = field((await get(id, 1)).body, "sha")
    expect(await merge(id, 1, { sha: "0".repeat(40) })).toMatchObject({
      status: 409,
      body: { message: `SHA does not match HEAD of source branch: ${head}` }
    })
    expect((await merge(id, 1, {}, reporter.token)).status).toBe(401)
    await request("DELETE", `${protecting}/main`)
    await request("POST", protecting, { json: { name: "main", push_access_level: 40, merge_access_level: 40 } })
    expect((await merge(id, 1, {}, developer.token)).status).toBe(401)
    await commit(id, "main", { "topic.txt": "another\n" })
    expect(await merge(id, 1)).toMatchObject({ status: 422, body: { message: "Branch cannot be merged" } })
    expect(picked((await get(id, 1)).body, "state", "has_conflicts", "merge_status")).toEqual({
      state: "opened",
      has_conflicts: true,
      merge_status: "cannot_be_merged"
    })
  })

  it("of what came into the target by another merge is there already", async () => {
    const id = await newProject("by-hand")
    await request("POST", `/projects/${id}/repository/branches`, { query: { branch: "copy", ref: "topic" } })
    await open(id)
    await open(id, { source_branch: "copy" })
    const { body: merged } = await merge(id, 1)
    await commit(id, "main", { "later.txt": "later\n" })
    expect((await merge(id, 2)).status).toBe(405)
    expect(picked((await get(id, 2)).body, "state", "merge_commit_sha")).toEqual(picked(merged, "state", "merge_commit_sha"))
  })

  it("brings the commits of a fork", async () => {
    const id = await newProject("upstream")
    const forkId = await fork(id, "downstream")
    const head = await commit(forkId, "fix", { "fix.txt": "fix\n" })
    const opened = await open(forkId, { source_branch: "fix", target_project_id: id })
    expect(picked(opened.body, "project_id", "source_project_id", "sha", "merge_status", "allow_collaboration")).toEqual({
      project_id: id,
      source_project_id: forkId,
      sha: head,
      merge_status: "can_be_merged",
      allow_collaboration: false
    })
    const { body, status } = await merge(id, iidOf(opened))
    expect([status, field(body, "state")]).toEqual([200, "merged"])
    expect(parentsOf(await tip(id, "main"))).toEqual([expect.any(String), head])
  })
})

describe("of a fork that is gone", () => {
  it("keeps its target and what becomes of its source branch once it is closed or merged", async () => {
    const id = await newProject("left")
    const forkId = await fork(id, "leaving")
    for (const branch of ["closed", "merged", "opened"]) {
      await commit(forkId, branch, { [`${branch}.txt`]: "text\n" })
      await open(forkId, { source_branch: branch, target_project_id: id })
    }
    await commit(id, "release", { "release.txt": "release\n" })
    const kept = { target_branch: "main", force_remove_source_branch: false }
    const changed = { target_branch: "release", remove_source_branch: true }
    const answered = async (iid: number, json: object) => {
      const { body, status } = await put(id, iid, json)
      return [status, picked(body, "target_branch", "force_remove_source_branch", "title", "state")]
    }
    await put(id, 1, { state_event: "close" })
    expect((await merge(id, 2)).status).toBe(200)
    // While the fork is there, the target of a closed one changes.
    expect(await answered(1, { target_branch: "release" })).toMatchObject([200, { target_branch: "release" }])
    await put(id, 1, { target_branch: "main" })
    await request("DELETE", `/projects/${forkId}`)
    await request("DELETE", `/projects/${forkId}`, { query: { permanently_remove: "true", full_path: "root/leaving" } })
    expect(await answered(1, { ...changed, title: "One" })).toEqual([200, { ...kept, title: "One", state: "closed" }])
    expect(await answered(1, { target_branch: "none" })).toEqual([200, { ...kept, title: "One", state: "closed" }])
    expect(await answered(2, { ...changed, title: "Two" })).toEqual([200, { ...kept, title: "Two", state: "merged" }])
    expect(await answered(1, { ...changed, state_event: "reopen" })).toMatchObject([200, { ...kept, title: "One" }])
    expect(await answered(3, { target_branch: "release" })).toMatchObject([200, { target_branch: "release", state: "opened" }])
  })
})
