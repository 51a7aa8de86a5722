import { describe, expect, it } from "vitest"
import { anyId, anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { rootReference } from "#test/support/people/userReference.ts"
import { answerOf } from "#test/support/service.ts"
import { usePipelines } from "../usePipelines.ts"

const { commit, newProject, post, service } = usePipelines()

const statusesOf = async (id: unknown, query: Readonly<Record<string, string>> = {}, sha = "main") =>
  (await service.request("GET", `/projects/${id}/repository/commits/${sha}/statuses`, { query })).body

/** Fields of the statuses that are listed. */
const listed = async (id: unknown, names: ReadonlyArray<string>, query: Readonly<Record<string, string>> = {}) => {
  const body = await statusesOf(id, query)
  return Array.isArray(body) ? body.map((status) => names.map((name) => field(status, name))) : body
}

const newMember = async (id: unknown, name: string, level: number) => {
  const userId = await createUser(service, name)
  await service.request("POST", `/projects/${id}/members`, { json: { user_id: userId, access_level: level } })
  return { userId, token: (await issueTokenFor(service, userId)).text }
}

describe("a status", () => {
  it("is shown whole as it is set, and in the list", async () => {
    const { id, sha } = await newProject("whole")
    const said = { target_url: "https://ci.example.com/1", description: "Builds", coverage: 98.25 }
    const { body, status } = await post(id, sha, { state: "running", name: "build", ...said })
    const whole = {
      id: anyId,
      sha,
      ref: "main",
      status: "running",
      name: "build",
      target_url: "https://ci.example.com/1",
      description: "Builds",
      created_at: anyTime,
      started_at: anyTime,
      finished_at: null,
      allow_failure: false,
      coverage: 98.25,
      pipeline_id: anyId,
      author: rootReference(service.url)
    }
    expect(status).toBe(201)
    expectExactly(body, whole)
    expectExactly(await statusesOf(id), [body])
  })

  it("moves on where it waits or runs, and keeps what is not said", async () => {
    const { id, sha } = await newProject("moving")
    const first = await post(id, sha, { state: "pending", description: "Waits", target_url: "http://ci.example.com" })
    await post(id, sha, { state: "running" })
    const last = await post(id, sha, { state: "success", context: "default", coverage: "50" })
    expectExactly(last.body, {
      ...Object(first.body),
      status: "success",
      coverage: 50,
      started_at: anyTime,
      finished_at: anyTime
    })
  })

  it("that has ended is replaced in the same pipeline", async () => {
    const { id, sha } = await newProject("replacing")
    for (const state of ["failed", "success"]) await post(id, sha, { state, name: "build" })
    await post(id, sha, { state: "skipped", name: "deploy" })
    expect(await listed(id, ["name", "status"])).toEqual([
      ["build", "success"],
      ["deploy", "skipped"]
    ])
    expect(await listed(id, ["name", "status"], { all: "true" })).toEqual([
      ["build", "failed"],
      ["build", "success"],
      ["deploy", "skipped"]
    ])
  })

  it.each([
    ["pending", "pending", "enqueue"],
    ["running", "pending", "enqueue"],
    ["running", "running", "run"],
    ["running", "skipped", "skip"]
  ])("%s does not become %s, and nothing of the request is applied", async (from, to, move) => {
    const { id, sha } = await newProject(`from-${from}-to-${to}`)
    const { body: before } = await post(id, sha, { state: from })
    const refused = await post(id, sha, { state: to, description: "d", coverage: 1 })
    const reason = `Status cannot transition via "${move}"`
    expect(answerOf(refused)).toEqual([
      400,
      { message: `Cannot transition status via :${move} from :${from} (Reason(s): ${reason})` }
    ])
    expect(await statusesOf(id)).toEqual([before])
  })

  const long = "x".repeat(256)
  const tooLong = "is too long (maximum is 255 characters)"
  const blocked = "is blocked: Only allowed schemes are http, https"
  it.each([
    [{}, { error: "state is missing, state does not have a valid value" }],
    [{ state: "created" }, { error: "state does not have a valid value" }],
    [{ state: null }, { error: "state does not have a valid value" }],
    [{ state: "success", coverage: "much" }, { error: "coverage is invalid" }],
    [{ state: "success", target_url: "ftp://example.com" }, { message: { target_url: [blocked] } }],
    [{ state: "success", target_url: "https://" }, { message: { target_url: [blocked] } }],
    [{ state: "success", target_url: `https://e/${long}` }, { message: { target_url: [tooLong] } }],
    [{ state: "success", description: long, name: long }, { message: { name: [tooLong], description: [tooLong] } }],
    [{ state: "success", name: " " }, { message: { name: ["can't be blank"] } }]
  ])("is refused where it is %j", async (json, body) => {
    const { id, sha } = await newProject(`refused-${JSON.stringify(json).length}-${JSON.stringify(body).length}`)
    expect(answerOf(await post(id, sha, json))).toEqual([400, body])
    expect(await statusesOf(id)).toEqual([])
  })

  it("needs a commit, a branch that has it, and a pipeline of both", async () => {
    const { id, sha } = await newProject("finding")
    const other = await commit(id, "second")
    const pipeline_id = field((await post(id, sha, { state: "success" })).body, "pipeline_id")
    const state = "success"
    const notFound = (what: string) => [404, { message: `404 ${what} Not Found` }]
    const noPipeline = notFound("Pipeline for pipeline_id, sha and ref")
    expect(answerOf(await post(id, "0".repeat(40), { state }))).toEqual(notFound("Commit"))
    expect(answerOf(await post(id, other, { state, pipeline_id }))).toEqual(noPipeline)
    expect(answerOf(await post(id, sha, { state, pipeline_id, ref: "topic" }))).toEqual(noPipeline)
    expect(answerOf(await post(id, sha, { state, pipeline_id: 4_000_000 }))).toEqual(noPipeline)
    expect((await post(id, sha, { state, pipeline_id, ref: "main" })).status).toBe(201)
    await commit(id, "third", "main")
    await service.request("POST", `/projects/${id}/repository/branches`, { json: { branch: "gone", ref: "main" } })
    const lost = await commit(id, "fourth", "gone")
    await service.request("DELETE", `/projects/${id}/repository/branches/gone`)
    expect(answerOf(await post(id, lost, { state }))).toEqual(notFound("References for commit"))
    expect((await post(id, lost, { state, ref: "gone" })).status).toBe(201)
  })

  it("of another ref, or of another commit, belongs to another pipeline", async () => {
    const { id, sha } = await newProject("several-refs")
    await service.request("POST", `/projects/${id}/repository/branches`, { json: { branch: "topic", ref: "main" } })
    const pipelineOf = async (json: object) => field((await post(id, sha, { state: "success", ...json })).body, "pipeline_id")
    const onMain = await pipelineOf({ ref: "main" })
    const onTopic = await pipelineOf({ ref: "topic" })
    expect(onTopic).not.toBe(onMain)
    expect([await pipelineOf({}), await pipelineOf({ ref: "main" })]).toEqual([onTopic, onMain])
    expect(await listed(id, ["ref", "pipeline_id"])).toEqual([
      ["topic", onTopic],
      ["main", onMain]
    ])
  })

  it("is set by whoever may touch the branch, and not where it is protected from them", async () => {
    const { id, sha } = await newProject("protected")
    await service.request("POST", `/projects/${id}/repository/branches`, { json: { branch: "topic", ref: "main" } })
    const { token } = await newMember(id, "developer", 30)
    const forbidden = [403, { message: "403 Forbidden" }]
    for (const ref of ["main", "refs/heads/main"]) {
      expect(answerOf(await post(id, sha, { state: "success", ref }, { token }))).toEqual(forbidden)
    }
    expect((await post(id, sha, { state: "success", ref: "topic" }, { token })).status).toBe(201)
    await service.request("POST", `/projects/${id}/protected_tags`, { json: { name: "v*" } })
    await service.request("POST", `/projects/${id}/repository/tags`, { json: { tag_name: "v1", ref: "main" } })
    for (const ref of ["v1", "refs/tags/v1"]) {
      expect(answerOf(await post(id, sha, { state: "success", ref }, { token }))).toEqual(forbidden)
    }
  })

  it("is set under the whole name of a branch or tag as under the short one", async () => {
    const { id, sha } = await newProject("whole-names")
    const set = async (json: object) => {
      const { body, status } = await post(id, sha, { state: "success", ...json })
      return { status, ref: field(body, "ref"), pipeline_id: field(body, "pipeline_id") }
    }
    const onTopic = await set({ ref: "refs/heads/topic" })
    expect(onTopic).toEqual({ status: 201, ref: "topic", pipeline_id: anyId })
    expect([await set({ ref: "topic" }), await set({ ref: "refs/heads/topic", pipeline_id: onTopic.pipeline_id })]).toEqual([
      onTopic,
      onTopic
    ])
    const { body } = await service.request("GET", `/projects/${id}/pipelines/${onTopic.pipeline_id}`)
    expect(body).toMatchObject({ ref: "topic", tag: false, source: "external" })
    const imitating = await post(id, sha, { state: "success", ref: "refs/heads/refs/heads/main" })
    expect(answerOf(imitating)).toEqual([404, { message: "404 References for commit Not Found" }])
  })

  it("of a tag is not one of the branch of the same name", async () => {
    const { id, sha } = await newProject("same-names")
    const [json, state] = [{ branch: "v1", ref: "main" }, "success"]
    await service.request("POST", `/projects/${id}/repository/branches`, { json })
    await service.request("POST", `/projects/${id}/repository/tags`, { json: { tag_name: "v1", ref: "main" } })
    const pipelineOf = async (ref: string) => field((await post(id, sha, { state, ref })).body, "pipeline_id")
    const [ofBranch, ofTag] = [await pipelineOf("refs/heads/v1"), await pipelineOf("refs/tags/v1")]
    expect(ofTag).not.toBe(ofBranch)
    expect([await pipelineOf("refs/heads/v1"), await pipelineOf("refs/tags/v1")]).toEqual([ofBranch, ofTag])
    const asked = await post(id, sha, { state, ref: "refs/tags/v1", pipeline_id: ofBranch })
    expect(answerOf(asked)).toEqual([404, { message: "404 Pipeline for pipeline_id, sha and ref Not Found" }])
    const { body } = await service.request("GET", `/projects/${id}/pipelines/${ofTag}`)
    expect(body).toMatchObject({ ref: "v1", tag: true })
  })

  it("of one user is not moved by another", async () => {
    const { id, sha } = await newProject("owners")
    const { token } = await newMember(id, "maintainer", 40)
    await post(id, sha, { state: "running", name: "ci" })
    await post(id, sha, { state: "success", name: "ci" }, { token })
    expect(await listed(id, ["status"], { all: "true" })).toEqual([["running"], ["success"]])
    expect(await listed(id, ["status"])).toEqual([["success"]])
  })
})

describe("statuses", () => {
  it("are filtered, ordered and paged", async () => {
    const { id, sha } = await newProject("filters")
    await service.request("POST", `/projects/${id}/repository/branches`, { json: { branch: "topic", ref: "main" } })
    for (const ref of ["topic", "main"]) for (const name of ["a", "b"]) await post(id, sha, { state: "success", ref, name })
    const names = (query: Readonly<Record<string, string>>) => listed(id, ["ref", "name"], query)
    const [topicA, topicB, mainA, mainB] = [
      ["topic", "a"],
      ["topic", "b"],
      ["main", "a"],
      ["main", "b"]
    ]
    expect(await names({})).toEqual([topicA, topicB, mainA, mainB])
    expect(await names({ ref: "main" })).toEqual([mainA, mainB])
    expect(await names({ name: "b" })).toEqual([topicB, mainB])
    expect(await names({ stage: "external", per_page: "1", page: "2" })).toEqual([topicB])
    expect(await names({ stage: "build" })).toEqual([])
    expect(await names({ sort: "desc" })).toEqual([mainB, mainA, topicB, topicA])
    expect(await names({ order_by: "pipeline_id", sort: "desc" })).toEqual([mainA, mainB, topicA, topicB])
    expect(await names({ order_by: "name" })).toEqual({ error: "order_by does not have a valid value" })
  })

  it("that begin at the same time make one pipeline, and none is lost", async () => {
    const { id, sha } = await newProject("at-once")
    const count = 24
    const answers = await Promise.all(
      Array.from({ length: count }, (_, index) => post(id, sha, { state: "success", name: `check ${index}` }))
    )
    expect(new Set(answers.map(({ body, status }) => `${status} ${field(body, "pipeline_id")}`)).size).toBe(1)
    expect(await listed(id, ["status"], { per_page: "100" })).toEqual(Array.from({ length: count }, () => ["success"]))
    const { body } = await service.request("GET", `/projects/${id}/pipelines`)
    expect([body].flat().map((pipeline) => [field(pipeline, "iid"), field(pipeline, "status")])).toEqual([[1, "success"]])
  })

  it("show on their commit", async () => {
    const { id, sha } = await newProject("shown")
    const shown = async (token?: string | null) => {
      const { body } = await service.request("GET", `/projects/${id}/repository/commits/${sha}`, {
        token
      })
      return [field(body, "status"), field(body, "last_pipeline")]
    }
    expect(await shown()).toEqual([null, null])
    const pipelineId = field((await post(id, sha, { state: "failed" })).body, "pipeline_id")
    const { body } = await service.request("GET", `/projects/${id}/pipelines/${pipelineId}`)
    const { created_at, iid, project_id, ref, source, status, updated_at, web_url } = Object(body)
    const reference = { id: pipelineId, iid, project_id, sha, ref, status, source, created_at, updated_at, web_url }
    const [said, last] = await shown()
    expect(said).toBe("failed")
    expectExactly(last, reference)
    await service.request("PUT", `/projects/${id}`, { json: { visibility: "public", public_jobs: false } })
    expect(await shown(null)).toEqual([null, null])
  })
})
