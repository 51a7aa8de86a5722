import { describe, expect, it } from "vitest"
import { field, picked } from "#test/support/exactly.ts"
import { useMergeRequests } from "./useMergeRequests.ts"

const { fork, get, newProject, open, pathOf, service, commit } = useMergeRequests()
const { request } = service

const merge = (projectId: number, json: object = {}) => request("PUT", pathOf(projectId, 1, "/merge"), { json })
const headOf = async (projectId: number) => String(field((await get(projectId, 1)).body, "sha"))
/** Sets the status of a commit, which makes its pipeline. */
const post = (projectId: number, sha: string, state: string, ref = "topic") =>
  request("POST", `/projects/${projectId}/statuses/${sha}`, { json: { state, ref, name: "build" } })
const required = { only_allow_merge_if_pipeline_succeeds: true }
const listed = async (projectId: number) => [(await get(projectId)).body].flat()[0]
const detailed = async (projectId: number) => [
  field((await get(projectId, 1)).body, "detailed_merge_status"),
  field(await listed(projectId), "detailed_merge_status")
]
const both = (status: string) => [status, status]

describe("where a merge needs a pipeline that succeeded", () => {
  it("none is none, and each state of one is told, also in lists", async () => {
    const id = await newProject("required", required)
    await open(id)
    expect(await detailed(id)).toEqual(both("ci_must_pass"))
    expect(await merge(id)).toMatchObject({ status: 405, body: { message: "405 Method Not Allowed" } })
    const sha = await headOf(id)
    await post(id, sha, "pending")
    expect(await detailed(id)).toEqual(both("ci_still_running"))
    await post(id, sha, "running")
    expect(await detailed(id)).toEqual(both("ci_still_running"))
    expect((await merge(id)).status).toBe(405)
    await post(id, sha, "failed")
    expect(await detailed(id)).toEqual(both("ci_must_pass"))
    expect((await merge(id)).status).toBe(405)
    await post(id, sha, "success")
    expect(await detailed(id)).toEqual(both("mergeable"))
    const { body } = await get(id, 1)
    const found = picked(field(body, "head_pipeline"), "sha", "ref", "status", "source")
    expect(found).toEqual({ sha, ref: "topic", status: "success", source: "external" })
    expect(picked(field(body, "pipeline"), "sha", "ref", "status", "source")).toEqual(found)
    expect((await merge(id)).status).toBe(200)
  })

  it("a skipped one counts where the project says so", async () => {
    const id = await newProject("required-skipped", required)
    await commit(id, "skips", { ".gitlab-ci.yml": "build: { script: make }\n" })
    await open(id)
    await post(id, await headOf(id), "skipped")
    expect(await detailed(id)).toEqual(both("ci_must_pass"))
    await request("PUT", `/projects/${id}`, { json: { allow_merge_on_skipped_pipeline: true } })
    expect(await detailed(id)).toEqual(both("mergeable"))
    expect((await merge(id)).status).toBe(200)
  })

  it("one of another branch or of an older commit does not count", async () => {
    const id = await newProject("required-other", required)
    await open(id)
    await request("POST", `/projects/${id}/repository/branches`, { query: { branch: "copy", ref: "topic" } })
    await post(id, await headOf(id), "success", "copy")
    expect(await detailed(id)).toEqual(both("ci_must_pass"))
    await post(id, await headOf(id), "success")
    expect(await detailed(id)).toEqual(both("mergeable"))
    const json = { branch: "topic", content: "more\n", commit_message: "Add more" }
    await request("POST", `/projects/${id}/repository/files/more.txt`, { json })
    expect((await merge(id)).status).toBe(405)
    expect(await detailed(id)).toEqual(both("ci_must_pass"))
    expect(field((await get(id, 1)).body, "head_pipeline")).toBeNull()
  })

  it("that of a fork counts for what comes from there", async () => {
    const id = await newProject("required-upstream", required)
    const forkId = await fork(id, "required-downstream")
    const sha = await commit(forkId, "fix", { "fix.txt": "fix\n" })
    await open(forkId, { source_branch: "fix", target_project_id: id })
    expect(await detailed(id)).toEqual(both("ci_must_pass"))
    await post(forkId, sha, "success", "fix")
    expect(await detailed(id)).toEqual(both("mergeable"))
    expect(picked(field((await get(id, 1)).body, "head_pipeline"), "project_id", "ref", "status")).toEqual({
      project_id: forkId,
      ref: "fix",
      status: "success"
    })
    expect((await merge(id)).status).toBe(200)
  })
})

it("a failed pipeline is no reason where none is needed", async () => {
  const id = await newProject("not-required")
  await open(id)
  await post(id, await headOf(id), "failed")
  expect(await detailed(id)).toEqual(both("mergeable"))
  expect((await merge(id)).status).toBe(200)
})
