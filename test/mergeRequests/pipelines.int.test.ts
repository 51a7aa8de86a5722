import { describe, expect, it } from "vitest"
import { reactToVersions } from "#src/mergeRequests/pipelines/reactToVersions.ts"
import { field, picked } from "#test/support/exactly.ts"
import { gitClient } from "#test/support/git/gitClient.ts"
import { temporaryFolder } from "#test/support/temporaryFolder.ts"
import { until } from "#test/support/until.ts"
import { keepUp } from "./keepUp.ts"
import { iidOf, useMergeRequests } from "./useMergeRequests.ts"

const { commit, fork, get, member, newProject, open, pathOf, put, service } = useMergeRequests()
const { request } = service
const folderOf = temporaryFolder()
keepUp(service, reactToVersions("http://forge.example.com"))

const configuration = `
review:
  script: make
  rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }]
changed:
  script: make
  rules: [{ if: $CI_MERGE_REQUEST_IID, changes: [topic.txt] }]
unchanged:
  script: make
  rules: [{ if: $CI_MERGE_REQUEST_IID, changes: [README.md] }]
branch:
  script: make
  only: [branches]
requests:
  script: make
  only: [merge_requests]
plain:
  script: make
`
/** A project with a configuration on `topic`, so that nothing on `main` has one: its id. */
const configured = async (name: string, text = configuration): Promise<number> => {
  const id = await newProject(name)
  await update(id, "topic", ".gitlab-ci.yml", text)
  return id
}
const update = (projectId: number, branch: string, file: string, content = "a\n", more: object = {}, token?: string) =>
  request("POST", `/projects/${projectId}/repository/files/${encodeURIComponent(file)}`, {
    json: { branch, content, commit_message: `Add ${file}`, ...more },
    token
  })
const make = (projectId: number, iid = 1, token?: string) => request("POST", pathOf(projectId, iid, "/pipelines"), { token })
const listed = async (projectId: number, iid = 1, token?: string | null) => {
  const sent = { token }
  return [(await request("GET", pathOf(projectId, iid, "/pipelines"), sent)).body].flat()
}
const headOf = async (projectId: number, iid = 1) => String(field((await get(projectId, iid)).body, "sha"))
const base = (text: string) => ({ status: 400, body: { message: { base: [text] } } })
const jobsOf = async (projectId: number, pipeline: unknown) =>
  [(await request("GET", `/projects/${projectId}/pipelines/${field(pipeline, "id")}/jobs`)).body]
    .flat()
    .map((job) => field(job, "name"))
    .toSorted()

describe("a pipeline that somebody makes for a merge request", () => {
  it("has the jobs for merge requests, of its last commit, and counts for it", async () => {
    const id = await configured("made")
    await open(id)
    const sha = await headOf(id)
    await until(async () => (await listed(id)).length === 1)
    const made = await make(id)
    expect([made.status, picked(made.body, "sha", "ref", "source", "status", "tag", "before_sha", "yaml_errors")]).toEqual([
      200,
      {
        sha,
        ref: "refs/merge-requests/1/head",
        source: "merge_request_event",
        status: "pending",
        tag: false,
        before_sha: "0".repeat(40),
        yaml_errors: null
      }
    ])
    expect(await jobsOf(id, made.body)).toEqual(["changed", "requests", "review"])
    expect(field(field((await get(id, 1)).body, "head_pipeline"), "id")).toBe(field(made.body, "id"))
    const again = await make(id)
    expect((await listed(id)).map((pipeline) => field(pipeline, "id")).slice(0, 2)).toEqual(
      [again, made].map(({ body }) => field(body, "id"))
    )
    const claimed = await request("POST", `/projects/${id}/jobs/claim`, { json: { executor: "one" } })
    const variables = [field(claimed.body, "variables")].flat()
    const variableOf = (key: string) => field(variables.find((variable) => field(variable, "key") === key) ?? {}, "value")
    const keys = ["CI_MERGE_REQUEST_IID", "CI_COMMIT_REF_NAME", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "CI_COMMIT_BRANCH"]
    expect(keys.map(variableOf)).toEqual(["1", "topic", "main", undefined])
  })

  it("needs commits, a configuration, and jobs for merge requests", async () => {
    const id = await newProject("unmade")
    await open(id)
    expect(await make(id)).toMatchObject(base("Missing CI config file"))
    await update(id, "topic", ".gitlab-ci.yml", "build: { script: make }\n")
    const none =
      "Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline."
    expect(await make(id)).toMatchObject(base(none))
    await request("POST", `/projects/${id}/repository/branches`, { query: { branch: "same", ref: "main" } })
    const iid = iidOf(await open(id, { source_branch: "same" }))
    expect(await make(id, iid)).toMatchObject({ status: 405, body: { message: "405 Method Not Allowed" } })
    expect(await make(id, 9)).toMatchObject({ status: 404, body: { message: "404 Not found" } })
    expect(await listed(id)).toEqual([])
  })

  it("of a wrong configuration has failed, and one whose commit says so is skipped", async () => {
    const wrong = await configured("made-wrong", "review: { stage: nowhere, script: make }\n")
    await open(wrong)
    expect(picked((await make(wrong)).body, "status", "source")).toEqual({ status: "failed", source: "merge_request_event" })
    const id = await newProject("made-skipped")
    await update(id, "topic", ".gitlab-ci.yml", configuration, { commit_message: "Add [skip ci]" })
    await open(id)
    expect(picked((await make(id)).body, "status", "source")).toEqual({ status: "skipped", source: "merge_request_event" })
  })

  it("is not for who may not push to its branch", async () => {
    const id = await configured("made-protected")
    const developer = await member(id, "developer", "developer-of-pipelines")
    await open(id)
    expect((await make(id, 1, developer.token)).status).toBe(200)
    await request("POST", `/projects/${id}/protected_branches`, { json: { name: "topic" } })
    expect(await make(id, 1, developer.token)).toMatchObject(base("Insufficient permissions to create a new pipeline"))
    expect((await make(id)).status).toBe(200)
  })
})

describe("a merge request from a fork", () => {
  const forked = async (name: string, settings: object = {}) => {
    const id = await newProject(name, { visibility: "public", ...settings })
    const forkId = await fork(id, `${name}-fork`)
    await request("PUT", `/projects/${forkId}`, { json: { visibility: "public" } })
    await commit(forkId, "fix", { ".gitlab-ci.yml": configuration })
    const contributor = await member(forkId, "developer", `${name}-contributor`)
    await open(forkId, { source_branch: "fix", target_project_id: id })
    return { id, forkId, contributor }
  }

  it("has its pipelines in the project of who may make them there, else in the fork", async () => {
    const { contributor, forkId, id } = await forked("forked")
    const made = await make(id)
    expect(picked(made.body, "project_id", "ref")).toEqual({ project_id: id, ref: "refs/merge-requests/1/head" })
    const theirs = await make(id, 1, contributor.token)
    expect(picked(theirs.body, "project_id", "ref", "source")).toEqual({
      project_id: forkId,
      ref: "fix",
      source: "merge_request_event"
    })
    expect(field(theirs.body, "web_url")).toMatch(/\/root\/forked-fork\/-\/pipelines\/\d+$/)
    const shown = await listed(id)
    expect(shown.slice(0, 2).map((pipeline) => field(pipeline, "id"))).toEqual(
      [theirs, made].map(({ body }) => field(body, "id"))
    )
    expect(field(field((await get(id, 1)).body, "head_pipeline"), "id")).toBe(field(theirs.body, "id"))
    await request("PUT", `/projects/${forkId}`, { json: { visibility: "private" } })
    expect((await listed(id, 1, null)).every((pipeline) => field(pipeline, "project_id") === id)).toBe(true)
    const outsider = await member(id, "reporter", "reporter-of-forked")
    expect(await make(id, 1, outsider.token)).toMatchObject(base("Insufficient permissions to create a new pipeline"))
  })

  it("has them in the fork where the project wants none of forks", async () => {
    const { forkId, id } = await forked("forked-only", { ci_allow_fork_pipelines_to_run_in_parent_project: false })
    await request("PUT", `/projects/${id}`, { json: { ci_allow_fork_pipelines_to_run_in_parent_project: false } })
    expect(picked((await make(id)).body, "project_id", "ref")).toEqual({ project_id: forkId, ref: "fix" })
  })
})

describe("what is pushed to a merge request", () => {
  it("has a pipeline in the name of who pushed it, once; what is pushed into its target has none", async () => {
    const id = await configured("pushed")
    const developer = await member(id, "developer", "pusher-of-pipelines")
    await open(id)
    await until(async () => (await listed(id)).length === 1)
    await update(id, "topic", "more.txt", "a\n", {}, developer.token)
    await until(async () => (await listed(id)).length === 2)
    const [newest] = await listed(id)
    const { body } = await request("GET", `/projects/${id}/pipelines/${field(newest, "id")}`)
    expect([field(field(body, "user"), "username"), field(body, "sha")]).toEqual(["pusher-of-pipelines", await headOf(id)])
    await commit(id, "main", { "later.txt": "later\n" })
    await until(async () => field((await get(id, 1)).body, "detailed_merge_status") === "mergeable")
    await request("POST", `/projects/${id}/repository/branches`, { query: { branch: "release", ref: "main" } })
    await put(id, 1, { target_branch: "release" })
    await until(async () => (await listed(id)).length === 3)
    expect((await listed(id)).map((pipeline) => field(pipeline, "source"))).toEqual(Array(3).fill("merge_request_event"))
  })

  it("has none where the push says so", async () => {
    const id = await configured("pushed-skipping")
    await open(id)
    await until(async () => (await listed(id)).length === 1)
    const folder = folderOf()
    const url = service.url.replace("://", "://any:glpat-root-token-of-tests@")
    const git = async (...args: ReadonlyArray<string>) => expect(await gitClient(folder, args)).toMatchObject({ status: 0 })
    await git("clone", "--quiet", "--branch", "topic", `${url}/root/pushed-skipping.git`, ".")
    await git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--allow-empty", "-m", "More")
    await git("push", "--quiet", "-o", "ci.skip", "origin", "topic")
    await until(async () => field((await get(id, 1)).body, "head_pipeline") === null)
    await update(id, "topic", "more.txt")
    await until(async () => (await listed(id)).length === 2)
    const last = await headOf(id)
    expect((await listed(id)).map((pipeline) => field(pipeline, "sha") === last)).toEqual([true, false])
  })

  it("lets branches do without a pipeline of their own", async () => {
    const rule = '{ if: $CI_COMMIT_BRANCH && $CI_OPEN_MERGE_REQUESTS == "root/without-twins!1", when: never }'
    const text = `workflow: { rules: [${rule}, { when: always }] }\nbuild: { script: make, rules: [{ when: always }] }\n`
    const id = await configured("without-twins", text)
    const onBranch = () => request("POST", `/projects/${id}/pipeline`, { json: { ref: "topic" } })
    expect((await onBranch()).status).toBe(201)
    await open(id)
    expect(await onBranch()).toMatchObject(base("Pipeline filtered out by workflow rules."))
    expect((await make(id)).status).toBe(200)
  })

  it("is listed with the pipelines of its branch for each of its heads", async () => {
    const id = await newProject("branches")
    await open(id)
    const old = await headOf(id)
    const post = async (sha: string, ref: string) =>
      field((await request("POST", `/projects/${id}/statuses/${sha}`, { json: { state: "success", ref } })).body, "pipeline_id")
    const first = await post(old, "topic")
    await update(id, "topic", "more.txt")
    await until(async () => (await headOf(id)) !== old)
    const second = await post(await headOf(id), "topic")
    await request("POST", `/projects/${id}/repository/branches`, { query: { branch: "copy", ref: "topic" } })
    await post(await headOf(id), "copy")
    expect((await listed(id)).map((pipeline) => field(pipeline, "id"))).toEqual([second, first])
    const page = await request("GET", pathOf(id, 1, "/pipelines"), { query: { per_page: "1", page: "2" } })
    expect([[page.body].flat().map((pipeline) => field(pipeline, "id")), page.headers.get("x-total")]).toEqual([[first], "2"])
    const { body } = await request("GET", `/projects/${id}/pipelines`, { query: { scope: "branches" } })
    expect(
      [body]
        .flat()
        .map((pipeline) => field(pipeline, "ref"))
        .toSorted()
    ).toEqual(["copy", "topic"])
  })
})
