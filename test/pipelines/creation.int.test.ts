import { describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { anyTime, field } from "#test/support/exactly.ts"
import { answerTo, useJobs } from "./useJobs.ts"

const { claim, commit, configured, create, jobsOf, newProject, put, service, statuses } = useJobs()
const base = (...texts: ReadonlyArray<string>) => [400, { message: { base: texts } }]

describe("a pipeline that is asked for", () => {
  it("has the jobs of the configuration", async () => {
    const id = await configured("made", "build:\n  stage: build\n  script: make\ntest:\n  script: make test\n  stage: test\n")
    const { body, status } = await create(id)
    expect([status, body]).toMatchObject([
      201,
      { iid: 1, ref: "main", tag: false, source: "api", status: "pending", yaml_errors: null, name: null, coverage: null }
    ])
    expect(body).not.toHaveProperty("variables")
    expect(await statuses(id, field(body, "id"))).toEqual(["build pending", "test created"])
  })

  it("shows its jobs whole", async () => {
    const id = await configured("whole-jobs", "build:\n  script: make\n  tags: [big]\n  allow_failure: true\n")
    const { body } = await create(id)
    const pipeline = field(body, "id")
    const [job] = await jobsOf(id, pipeline)
    const jobId = field(job, "id")
    const profile = (await service.request("GET", "/users/1")).body
    const sha = field(body, "sha")
    const whole = {
      id: jobId,
      status: "pending",
      stage: "test",
      name: "build",
      ref: "main",
      tag: false,
      coverage: null,
      allow_failure: true,
      created_at: anyTime,
      started_at: null,
      finished_at: null,
      erased_at: null,
      duration: null,
      queued_duration: expect.any(Number),
      user: expect.objectContaining({ id: 1, username: "root", web_url: field(profile, "web_url") }),
      commit: (await service.request("GET", `/projects/${id}/repository/commits?ref_name=main`)).body,
      pipeline: {
        id: pipeline,
        iid: 1,
        project_id: id,
        sha,
        ref: "main",
        status: "pending",
        source: "api",
        created_at: anyTime,
        updated_at: anyTime,
        web_url: `${service.url}/root/whole-jobs/-/pipelines/${pipeline}`
      },
      web_url: `${service.url}/root/whole-jobs/-/jobs/${jobId}`,
      project: { ci_job_token_scope_enabled: false },
      artifacts: [],
      runner: null,
      artifacts_expire_at: null,
      archived: false,
      tag_list: ["big"]
    }
    const [newest] = Array.isArray(whole.commit) ? whole.commit : []
    expect(job).toEqual({ ...whole, commit: expect.objectContaining({ id: field(newest, "id") }) })
    expect(Object.keys(job)).toEqual(Object.keys(whole))
    expect((await service.request("GET", `/projects/${id}/jobs/${jobId}`)).body).toMatchObject({ id: jobId, name: "build" })
    await service.request("PUT", `/projects/${id}`, { json: { ci_job_token_scope_enabled: true } })
    const scoped = await service.request("GET", `/projects/${id}/jobs/${jobId}`)
    expect(field(scoped.body, "project")).toEqual({ ci_job_token_scope_enabled: true })
    expect(await answerTo(service.request("GET", `/projects/${id}/jobs/999999`))).toEqual([404, { message: "404 Not found" }])
  })

  it("is refused where there is nothing to make it of", async () => {
    const { id } = await newProject("nothing")
    await service.request("POST", `/projects/${id}/repository/branches`, { json: { branch: "both", ref: "main" } })
    await service.request("POST", `/projects/${id}/repository/tags`, { json: { tag_name: "both", ref: "main" } })
    const answers = {
      main: base("Missing CI config file"),
      "refs/heads/main": base("Missing CI config file"),
      none: base("Reference not found"),
      "refs/heads/none": base("Reference not found"),
      "refs/merge-requests/1/head": base("Reference not found"),
      both: base("Ref is ambiguous"),
      "": [400, { error: "ref is empty" }]
    }
    for (const [ref, expected] of Object.entries(answers)) {
      expect([ref, await answerTo(create(id, { ref }))]).toEqual([ref, expected])
    }
    expect(await answerTo(service.request("POST", `/projects/${id}/pipeline`, { json: {} }))).toEqual([
      400,
      { error: "ref is missing, ref is empty" }
    ])
    expect((await service.request("GET", `/projects/${id}/pipelines`)).body).toEqual([])
  })

  it("is refused where the configuration has no job here, and leaves nothing", async () => {
    const branches = {
      rules: "a:\n  script: make\n  rules:\n    - if: $CI_PIPELINE_SOURCE == 'push'\n",
      workflow: "workflow:\n  rules:\n    - if: $CI_PIPELINE_SOURCE == 'push'\na:\n  script: make\n"
    }
    const { id } = await newProject("unwanted")
    const answers: Array<unknown> = []
    for (const [branch, configuration] of Object.entries(branches)) {
      await service.request("POST", `/projects/${id}/repository/branches`, { json: { branch, ref: "main" } })
      await put(id, ".gitlab-ci.yml", configuration, branch)
      answers.push(await answerTo(create(id, { ref: branch })))
    }
    expect(answers).toEqual([
      base(
        "Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline."
      ),
      base("Pipeline filtered out by workflow rules.")
    ])
    expect((await service.request("GET", `/projects/${id}/pipelines`)).body).toEqual([])
  })

  it("has failed where the configuration is wrong, and tells why", async () => {
    const id = await configured("wrong", "a:\n  stage: nowhere\n  script: make\n")
    const yaml_errors = "a job: chosen stage nowhere does not exist; available stages are .pre, build, test, deploy, .post"
    const { body, status } = await create(id)
    expect([status, body]).toMatchObject([201, { status: "failed", source: "api", yaml_errors, finished_at: anyTime }])
    expect(await jobsOf(id, field(body, "id"))).toEqual([])
    const wrong = await service.request("GET", `/projects/${id}/pipelines`, { query: { yaml_errors: "true" } })
    expect([wrong.body].flat().map((pipeline) => field(pipeline, "id"))).toEqual([field(body, "id")])
  })

  it("has failed where a file of the configuration is too long, which is not taken for missing", async () => {
    const { id } = await newProject("too-long")
    const tooLong = `#${"x".repeat(3 * 1024 * 1024)}`
    const errorsOf = async (json: object = {}) => field((await create(id, json)).body, "yaml_errors")
    await put(id, ".gitlab-ci.yml", tooLong)
    expect(await errorsOf()).toBe("The parsed YAML is too big")
    await service.request("POST", `/projects/${id}/repository/branches`, { json: { branch: "including", ref: "main" } })
    await put(id, "long.yml", tooLong, "including")
    await put(id, "ci.yml", "include: long.yml\na:\n  script: make\n", "including")
    await service.request("PUT", `/projects/${id}`, { json: { ci_config_path: "ci.yml" } })
    expect(await errorsOf({ ref: "including" })).toBe("`long.yml`: The parsed YAML is too big")
  })

  it("takes its configuration from where the project says", async () => {
    const { id } = await newProject("elsewhere")
    await service.request("PUT", `/projects/${id}`, { json: { ci_config_path: "ci/all.yml" } })
    const isPath = (path: string) => `  script: make\n  rules:\n    - if: $CI_CONFIG_PATH == "${path}"\n`
    await put(id, "ci/all.yml", `here:\n${isPath("ci/all.yml")}elsewhere:\n${isPath(".gitlab-ci.yml")}`)
    const { body } = await create(id)
    expect(await statuses(id, field(body, "id"))).toEqual(["here pending"])
    const claimed = (await claim(id)).body
    const told = [field(claimed, "variables")].flat().filter((variable) => field(variable, "key") === "CI_CONFIG_PATH")
    expect(told).toEqual([{ key: "CI_CONFIG_PATH", value: "ci/all.yml", file: false, raw: true }])
    const usual = await configured("usual-path", `a:\n${isPath(".gitlab-ci.yml")}`)
    expect((await create(usual)).status).toBe(201)
  })

  it.each(["ci.yml@group/project", "https://example.com/ci.yml"])("has failed where its configuration is %s", async (path) => {
    const id = await configured(`not-here-${path.length}`, "a:\n  script: make\n")
    await service.request("PUT", `/projects/${id}`, { json: { ci_config_path: path } })
    const yaml_errors = `ci_config_path \`${path}\` is not supported here: the configuration has to be in the repository`
    expect(await answerTo(create(id))).toMatchObject([201, { status: "failed", yaml_errors }])
  })

  it("is one of a tag, too", async () => {
    const id = await configured("tagged", "a:\n  script: make\n  rules:\n    - if: $CI_COMMIT_TAG == 'v1'\n")
    await service.request("POST", `/projects/${id}/repository/tags`, { json: { tag_name: "v1", ref: "main", message: "One" } })
    const { body } = await create(id, { ref: "v1" })
    expect(body).toMatchObject({ ref: "v1", tag: true, sha: expect.any(String) })
  })

  it("is refused to those from whom the branch is protected", async () => {
    const id = await configured("guarded", "a:\n  script: make\n")
    const { body: user } = await service.request("POST", "/users", {
      json: { email: "dev@example.com", username: "dev", name: "Dev", password: "correct horse 1 battery" }
    })
    await service.request("POST", `/projects/${id}/members`, { json: { user_id: field(user, "id"), access_level: 30 } })
    const { body: issued } = await service.request("POST", `/users/${field(user, "id")}/personal_access_tokens`, {
      json: { name: "t", scopes: ["api"] }
    })
    const token = String(field(issued, "token"))
    expect(await answerTo(create(id, {}, { token }))).toEqual(
      base(
        "You do not have sufficient permission to run a pipeline on 'main'. Please select a different branch or contact your administrator for assistance."
      )
    )
    await service.request("PUT", `/projects/${id}`, {
      json: { restrict_user_defined_variables: true, ci_pipeline_variables_minimum_override_role: "maintainer" }
    })
    expect(await answerTo(create(id, { variables: [{ key: "A", value: "b" }] }, { token }))).toEqual(
      base("Insufficient permissions to set pipeline variables")
    )
  })
})

describe("variables of a pipeline", () => {
  it("are seen by its rules and by whoever made it, and are nowhere in clear", async () => {
    const id = await configured("secrets", "a:\n  script: make\n  rules:\n    - if: $WORD == 'hunter-two'\n")
    const variables = [
      { key: "WORD", value: "hunter-two" },
      { key: "FILE", value: "swordfish-nine", variable_type: "file" }
    ]
    const { body } = await create(id, { variables })
    const pipeline = field(body, "id")
    expect((await service.request("GET", `/projects/${id}/pipelines/${pipeline}/variables`)).body).toEqual([
      { variable_type: "env_var", key: "WORD", value: "hunter-two", raw: false },
      { variable_type: "file", key: "FILE", value: "swordfish-nine", raw: false }
    ])
    const events = await service.run(EventStore.use((store) => store.readAll(0, 10_000)))
    const mine = events.filter(({ stream }) => stream === `pipeline-${pipeline}`)
    expect([mine.length > 0, JSON.stringify(events).match(/hunter-two|swordfish-nine/)]).toEqual([true, null])
  })

  it.each([
    [[{ key: "a-b", value: "" }], { "variables.key": ["can contain only letters, digits and '_'."] }],
    [[{ key: "a".repeat(256), value: "" }], { "variables.key": ["is too long (maximum is 255 characters)"] }],
    [
      [
        { key: "A", value: "1" },
        { key: "A", value: "2" }
      ],
      { variables: ["have duplicate values (A)"] }
    ]
  ])("of %j are refused", async (variables, message) => {
    const id = await configured(`refused-${JSON.stringify(message).length}`, "a:\n  script: make\n")
    expect(await answerTo(create(id, { variables }))).toEqual([400, { message }])
  })
})

it("a wrong configuration is asked for in the list of pipelines", async () => {
  const { id, sha } = await newProject("asked")
  await service.request("POST", `/projects/${id}/statuses/${sha}`, { json: { state: "success" } })
  await commit(id, "second")
  const listed = async (yaml_errors: string) =>
    (await service.request("GET", `/projects/${id}/pipelines`, { query: { yaml_errors } })).body
  expect([await listed("true"), await listed("false")]).toMatchObject([[], [{ sha }]])
})
