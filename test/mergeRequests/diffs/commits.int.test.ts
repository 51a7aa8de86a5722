import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { Sql } from "#src/platform/sql/Sql.ts"
import { MergedRequests } from "#src/repositories/MergedRequests.ts"
import { field } from "#test/support/exactly.ts"
import type { Sent } from "#test/support/service.ts"
import { useMergeRequests } from "../useMergeRequests.ts"

const { member, newProject, open, pathOf, put, service } = useMergeRequests()
const { request } = service

const commitsOf = (projectId: number, iid: number, sent: Sent = {}) => request("GET", pathOf(projectId, iid, "/commits"), sent)
const requestsOf = (projectId: number, sha: string, query: Readonly<Record<string, string>> = {}) =>
  request("GET", `/projects/${projectId}/repository/commits/${sha}/merge_requests`, { query })
const all = (body: unknown, name: string) => [body].flat().map((one) => field(one, name))
const update = (projectId: number, file: string) =>
  request("POST", `/projects/${projectId}/repository/files/${file}`, {
    json: { branch: "topic", content: `${file}\n`, commit_message: `Add ${file}` }
  })
const headOf = async (projectId: number, ref: string) =>
  String(field((await request("GET", `/projects/${projectId}/repository/commits/${ref}`)).body, "id"))

describe("the commits of a merge request", () => {
  it("are those of its last version, the newest first, by pages, also when it is merged", async () => {
    const id = await newProject("commits-listed")
    for (const file of ["one.txt", "two.txt"]) await update(id, file)
    await open(id)
    const { body, headers, status } = await commitsOf(id, 1, { query: { per_page: "2" } })
    expect([status, headers.get("x-total"), all(body, "title")]).toEqual([200, "3", ["Add two.txt", "Add one.txt"]])
    const ofBranch = await request("GET", `/projects/${id}/repository/commits`, { query: { ref_name: "topic" } })
    expect([body].flat()[0]).toEqual([ofBranch.body].flat()[0])
    await request("PUT", pathOf(id, 1, "/merge"))
    const second = await commitsOf(id, 1, { query: { per_page: "2", page: "2" } })
    expect(all(second.body, "title")).toEqual(["Change topic"])
  })

  it("make a difference, which is printed as git does", async () => {
    const id = await newProject("raw-diffs")
    await open(id)
    const { body, headers, status } = await request("GET", pathOf(id, 1, "/raw_diffs"))
    expect([status, headers.get("content-type"), String(body).replace(/[0-9a-f]{40}$/m, "<blob>")]).toEqual([
      200,
      "text/plain",
      [
        "diff --git a/topic.txt b/topic.txt",
        "new file mode 100644",
        `index ${"0".repeat(40)}..<blob>`,
        "--- /dev/null",
        "+++ b/topic.txt",
        "@@ -0,0 +1 @@",
        "+topic",
        ""
      ].join("\n")
    ])
    await open(id, { source_branch: "main", target_branch: "topic" })
    expect((await request("GET", pathOf(id, 2, "/raw_diffs"))).body).toBeUndefined()
    expect((await request("GET", pathOf(id, 9, "/raw_diffs"))).status).toBe(404)
  })

  it("are shown to who may see merge requests", async () => {
    const id = await newProject("commits-private")
    await open(id)
    const { token } = await member(id, "guest", "commits-guest")
    expect(await commitsOf(id, 1, { token })).toMatchObject({ status: 403, body: { message: "403 Forbidden" } })
    expect(await commitsOf(id, 9)).toMatchObject({ status: 404, body: { message: "404 Not found" } })
  })
})

describe("the merge requests of a commit", () => {
  it("are those that have it in their last version, or made it by their merge, the newest first", async () => {
    const id = await newProject("commit-requests")
    await open(id)
    await request("POST", `/projects/${id}/repository/branches`, { json: { branch: "stable", ref: "main" } })
    await open(id, { target_branch: "stable" })
    const [head, first] = [await headOf(id, "topic"), await headOf(id, "main")]
    const listed = await requestsOf(id, head)
    expect([listed.headers.get("x-total"), all(listed.body, "iid")]).toEqual(["2", [2, 1]])
    expect([listed.body].flat()[0]).toEqual([(await request("GET", pathOf(id))).body].flat()[0])
    expect(all((await requestsOf(id, first)).body, "iid")).toEqual([])
    await put(id, 2, { state_event: "close" })
    const merged = await request("PUT", pathOf(id, 1, "/merge"))
    expect(all((await requestsOf(id, head, { state: "merged" })).body, "iid")).toEqual([1])
    expect(all((await requestsOf(id, String(field(merged.body, "merge_commit_sha")))).body, "iid")).toEqual([1])
  })

  it("are told to changelogs, with who brought anything", async () => {
    const id = await newProject("commit-requests-found")
    await open(id)
    const head = await headOf(id, "topic")
    await request("PUT", pathOf(id, 1, "/merge"))
    const found = await service.run(
      Effect.flatMap(MergedRequests, ({ authorsAmong, introducing }) =>
        Effect.all([introducing(id, [head, "0".repeat(40)]), authorsAmong([1, 99], { projectId: id, branch: "main" })])
      )
    )
    expect(found).toEqual([new Map([[head, 1]]), [1]])
  })
})

describe("merge requests of a deleted project", () => {
  it("go with all that is theirs", async () => {
    const id = await newProject("commits-doomed")
    await open(id)
    expect((await request("DELETE", `/projects/${id}`)).status).toBe(202)
    const { client } = await service.run(Sql)
    const left = await client`
      select 1 from rm_merge_requests.merge_requests where project_id = ${id}
      union all select 1 from rm_merge_requests.versions where project_id = ${id}
      union all select 1 from rm_merge_requests.commits where project_id = ${id}`
    expect(left).toHaveLength(0)
  })
})

describe("a version whose commits are lost, as in a repository that is older than the database", () => {
  it("is told as missing, and the merge request is shown nevertheless", async () => {
    const id = await newProject("commits-lost")
    await open(id)
    const version = field([(await request("GET", pathOf(id, 1, "/versions"))).body].flat()[0], "id")
    const { client } = await service.run(Sql)
    const lost = "1".repeat(40)
    await client`update rm_merge_requests.versions set head_sha = ${lost} where project_id = ${id}`
    await client`update rm_merge_requests.merge_requests set sha = ${lost} where project_id = ${id}`
    const paths = ["/commits", "/changes", "/changes?access_raw_diffs=true", "/diffs", "/raw_diffs", `/versions/${version}`]
    for (const path of paths) {
      const { body, status } = await request("GET", pathOf(id, 1, path))
      expect([path, status, body]).toEqual([path, 404, { message: "404 Commit Not Found" }])
    }
    expect((await request("GET", pathOf(id, 1))).status).toBe(200)
    expect((await request("GET", pathOf(id, 1, "/versions"))).status).toBe(200)
  })
})
