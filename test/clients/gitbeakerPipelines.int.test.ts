import { Gitlab } from "@gitbeaker/rest"
import { beforeAll, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { rootToken, useService } from "#test/support/service.ts"

const service = useService()
const client = () => new Gitlab({ host: service.url, token: rootToken })
let project = 0

beforeAll(async () => {
  const { body } = await service.request("POST", "/projects", { json: { name: "client" } })
  project = Number(field(body, "id"))
  const configuration = "ask:\n  script: make\n  when: manual\nrun:\n  script: make\n"
  await client().Commits.create(project, "main", "Configure", [
    { action: "create", filePath: ".gitlab-ci.yml", content: configuration }
  ])
})

it("a client makes a pipeline, finds it, and changes it", async () => {
  const { Pipelines } = client()
  const made = await Pipelines.create(project, "main", {
    variables: [{ key: "A", value: "b", variable_type: "env_var" }]
  })
  expect(made).toMatchObject({ ref: "main", source: "api", status: "pending" })
  expect(await Pipelines.allVariables(project, made.id)).toEqual([{ variable_type: "env_var", key: "A", value: "b", raw: false }])
  expect(await Pipelines.all(project, { ref: "main" })).toMatchObject([{ id: made.id }])
  expect(await Pipelines.showLatest(project)).toMatchObject({ id: made.id })
  expect(await Pipelines.cancel(project, made.id)).toMatchObject({ status: "canceled" })
  expect(await Pipelines.retry(project, made.id)).toMatchObject({ status: "pending" })
  expect(await Pipelines.showTestReport(project, made.id)).toMatchObject({ total_count: 0 })
  expect(await Pipelines.showTestReportSummary(project, made.id)).toMatchObject({ total: { count: 0 } })
  await Pipelines.remove(project, made.id)
  expect(await Pipelines.all(project)).toEqual([])
})

it("a client sees jobs, plays them, cancels them, and runs them again", async () => {
  const { Jobs, Pipelines } = client()
  const { id: pipelineId } = await Pipelines.create(project, "main")
  const [run, ask] = await Jobs.all(project, { pipelineId })
  expect([run, ask]).toMatchObject([
    { name: "run", status: "pending" },
    { name: "ask", status: "manual" }
  ])
  expect(await Jobs.show(project, Number(ask?.id))).toMatchObject({ name: "ask" })
  expect(await Jobs.play(project, Number(ask?.id))).toMatchObject({ status: "pending" })
  expect(await Jobs.cancel(project, Number(run?.id))).toMatchObject({ status: "canceled" })
  expect(await Jobs.retry(project, Number(run?.id))).toMatchObject({ name: "run", status: "pending" })
  expect(await Jobs.all(project, { pipelineId, includeRetried: true })).toHaveLength(3)
  expect(await Jobs.allPipelineBridges(project, pipelineId)).toEqual([])
})

it("a client tells how a commit fares", async () => {
  const { Commits } = client()
  const [commit] = await Commits.all(project)
  const sha = String(commit?.id)
  expect(await Commits.editStatus(project, sha, "running", { name: "ci" })).toMatchObject({ status: "running" })
  expect(await Commits.allStatuses(project, sha, { name: "ci" })).toMatchObject([{ name: "ci", status: "running" }])
})
