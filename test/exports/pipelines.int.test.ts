import { beforeAll, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { note, times } from "./shapes.ts"
import { at, useContent } from "./useContent.ts"

const { commit, exported, make, member, minute, newProject, post, read, recordsOf, textOf } = useContent()

const ids = { project: 0, developer: 0, merged: 0 }
/** Ids of commits. */
const shas = { main: "", topic: "", built: "" }
const config = `workflow:
  name: All of it
build:
  stage: build
  script: make
check:
  script: make check
  allow_failure: true
  rules:
    - when: always
`

beforeAll(async () => {
  ids.project = await newProject("built")
  const project = `/projects/${ids.project}`
  const shaOf = async (branch: string) => String(field(await read(`${project}/repository/commits/${branch}`), "id"))
  const developer = await member(ids.project, "developer", "builder")
  ids.developer = developer.id
  shas.main = await shaOf("main")
  shas.topic = await shaOf("topic")
  shas.built = await commit(ids.project, "built", { ".gitlab-ci.yml": config })
  const status = (json: object) => post(`${project}/statuses/${shas.topic}`, { ref: "topic", ...json }, developer.token)
  minute(1)
  await status({ name: "ci", state: "running", target_url: "https://ci.example.com/1", description: "Builds" })
  minute(2)
  await status({ name: "lint", state: "failed" })
  minute(3)
  await status({ name: "ci", state: "success", coverage: 91.5 })
  minute(4)
  await post(`${project}/pipeline`, { ref: "built" })
  minute(5)
  const open = { title: "Topic", source_branch: "built", target_branch: "main" }
  await post(`${project}/merge_requests`, open)
  await read(`${project}/merge_requests/1`)
  await post(`${project}/merge_requests/1/pipelines`)
  minute(6)
  const schedules = `${project}/pipeline_schedules`
  const nightly = { description: "Nightly", ref: "main", cron: "0 1 * * *", cron_timezone: "Berlin" }
  const schedule = await make(schedules, nightly)
  await post(`${schedules}/${schedule}/variables`, { key: "SECRET", value: "hidden" })
  await post(schedules, { description: "Off", ref: "built", cron: "30 2 * * 1", active: false })
  minute(7)
  const comments = `${project}/repository/commits/${shas.main}/comments`
  await post(comments, { note: "On the commit" }, developer.token)
  await post(comments, { note: "On a line", path: "README.md", line: 1, line_type: "new" })
  await exported(ids.project)
})

const pipeline = (named: object, stages: ReadonlyArray<object>, more: object = {}) => ({
  ref: "built",
  sha: shas.built,
  before_sha: "0".repeat(40),
  ...times(4),
  tag: false,
  yaml_errors: null,
  committed_at: null,
  project_id: ids.project,
  status: "pending",
  started_at: null,
  finished_at: null,
  duration: null,
  user_id: 1,
  lock_version: 0,
  source: "api",
  protected: null,
  config_source: null,
  failure_reason: null,
  iid: 2,
  source_sha: null,
  target_sha: null,
  ...named,
  stages,
  external_pull_request: null,
  merge_request: null,
  pipeline_metadata: null,
  ...more
})
const stage = (name: string, position: number, more: object) => ({
  name,
  position,
  project_id: ids.project,
  ...times(4),
  builds: [],
  generic_commit_statuses: [],
  bridges: [],
  ...more
})
const job = (name: string, stageName: string, stage_idx: number, more: object = {}) => ({
  name,
  stage: stageName,
  stage_idx,
  status: "pending",
  created_at: at(4),
  queued_at: null,
  started_at: null,
  finished_at: null,
  coverage: null,
  allow_failure: false,
  failure_reason: null,
  tag: false,
  ref: "built",
  project_id: ids.project,
  user_id: 1,
  target_url: null,
  description: null,
  retried: false,
  type: "Ci::Build",
  ...more
})

it("a pipeline of statuses from outside comes with them", async () => {
  const [record] = await recordsOf(ids.project, "ci_pipelines")
  const of = { ref: "topic", user_id: ids.developer, type: "GenericCommitStatus" }
  const ci = { status: "success", created_at: at(1), started_at: at(1), finished_at: at(3), coverage: 91.5 }
  const links = { target_url: "https://ci.example.com/1", description: "Builds" }
  const lint = { status: "failed", created_at: at(2), finished_at: at(2) }
  const named = { ref: "topic", sha: shas.topic, ...times(1, 3), status: "failed", started_at: at(1), finished_at: at(3) }
  const generic_commit_statuses = [
    job("ci", "external", 1_000_000, { ...ci, ...of, ...links }),
    job("lint", "external", 1_000_000, { ...lint, ...of })
  ]
  const { duration } = (await read(`/projects/${ids.project}/pipelines/1`)) as { readonly duration: number }
  expect(duration).toBe(120)
  expectExactly(
    record,
    pipeline({ ...named, duration, user_id: ids.developer, source: "external", iid: 1 }, [
      stage("external", 1_000_000, { ...times(1, 3), generic_commit_statuses })
    ])
  )
})

const named = () => ({ pipeline_metadata: { project_id: ids.project, name: "All of it" } })

it("a pipeline of jobs comes with its stages", async () => {
  const [, record] = await recordsOf(ids.project, "ci_pipelines")
  const stages = [
    stage("build", 1, { builds: [job("build", "build", 1, { queued_at: at(4) })] }),
    stage("test", 2, { builds: [job("check", "test", 2, { status: "created", allow_failure: true })] })
  ]
  expectExactly(record, pipeline({}, stages, named()))
})

it("a pipeline of a merge request comes with it", async () => {
  const [, , record, ...others] = await recordsOf(ids.project, "ci_pipelines")
  const [request] = await recordsOf(ids.project, "merge_requests")
  const own = Object.entries(request as object)
  const merge_request = Object.fromEntries(
    own.slice(
      0,
      own.findIndex(([name]) => name === "approvals")
    )
  )
  const ref = "refs/merge-requests/1/head"
  const check = job("check", "test", 2, { created_at: at(5), queued_at: at(5), allow_failure: true, ref })
  const stages = [stage("test", 2, { ...times(5), builds: [check] })]
  const of = { ref, ...times(5), source: "merge_request_event", iid: 3 }
  expectExactly(record, pipeline(of, stages, { merge_request, ...named() }))
  expect([Object.keys(merge_request).length, field(merge_request, "iid"), others]).toEqual([33, 1, []])
})

it("schedules come without their variables", async () => {
  const schedule = (named: object) => ({
    description: "",
    ref: "",
    cron: "",
    cron_timezone: "UTC",
    next_run_at: null,
    project_id: ids.project,
    owner_id: 1,
    active: true,
    ...times(6),
    ...named
  })
  // In Berlin it is one hour later.
  const nightly = { cron: "0 1 * * *", cron_timezone: "Berlin", next_run_at: "2030-01-02T00:00:00.000Z" }
  const off = { cron: "30 2 * * 1", next_run_at: "2030-01-07T02:30:00.000Z", active: false }
  expectExactly(await recordsOf(ids.project, "pipeline_schedules"), [
    schedule({ description: "Nightly", ref: "refs/heads/main", ...nightly }),
    schedule({ description: "Off", ref: "refs/heads/built", ...off })
  ])
  expect(await textOf(ids.project, "pipeline_schedules")).not.toMatch(/SECRET|hidden/)
})

it("what is said of commits comes in the order in which it was said", async () => {
  const { developer, project } = ids
  const of = { commit_id: shas.main }
  expectExactly(await recordsOf(project, "commit_notes"), [
    note("Commit", project, { note: "On the commit", author_id: developer, name: "builder", made: 7 }, of),
    note(
      "Commit",
      project,
      { note: "On a line", author_id: 1, name: "Administrator", made: 7 },
      { ...of, position: { new_path: "README.md", line: 1, line_type: "new" } }
    )
  ])
})
