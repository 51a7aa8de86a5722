import { describe, expect, it } from "vitest"
import { pipelineRoutes } from "#src/pipelines/handlers.ts"
import type { Sent } from "#test/support/service.ts"
import { answerTo, useJobs } from "./useJobs.ts"

const { service } = useJobs()

const noProject = [404, { message: "404 Project Not Found" }]
const unauthorized = [401, { message: "401 Unauthorized" }]

const pipeline = "/projects/:id/pipelines/:pipeline_id"
const job = "/projects/:id/jobs/:job_id"
const noPipeline = { pipeline_id: "x" }
const noJob = { job_id: "x" }
const scope = { scope: "bad" }
const wrongScope = "scope does not have a valid value"

/** An endpoint, values of its path that are wrong, or else what is sent, and what is told then. */
type Row = readonly [
  endpoint: string,
  path: Readonly<Record<string, string>>,
  sent: Readonly<Record<string, string>>,
  told: string
]

const rows: ReadonlyArray<Row> = [
  ["GET /projects/:id/pipelines", {}, scope, wrongScope],
  ["GET /projects/:id/pipelines/latest", {}, { "ref[]": "main" }, "ref is invalid"],
  [`GET ${pipeline}`, noPipeline, {}, "pipeline_id is invalid"],
  [`PUT ${pipeline}/metadata`, {}, {}, "name is missing"],
  [`DELETE ${pipeline}`, noPipeline, {}, "pipeline_id is invalid"],
  [`POST ${pipeline}/cancel`, noPipeline, {}, "pipeline_id is invalid"],
  [`POST ${pipeline}/retry`, noPipeline, {}, "pipeline_id is invalid"],
  ["POST /projects/:id/pipeline", {}, {}, "ref is missing, ref is empty"],
  [`GET ${pipeline}/variables`, noPipeline, {}, "pipeline_id is invalid"],
  [`GET ${pipeline}/jobs`, {}, scope, wrongScope],
  [`GET ${pipeline}/bridges`, {}, scope, wrongScope],
  [`GET ${pipeline}/test_report`, noPipeline, {}, "pipeline_id is invalid"],
  [`GET ${pipeline}/test_report_summary`, noPipeline, {}, "pipeline_id is invalid"],
  ["GET /projects/:id/jobs", {}, scope, wrongScope],
  [`GET ${job}`, noJob, {}, "job_id is invalid"],
  [`POST ${job}/play`, noJob, {}, "job_id is invalid"],
  [`POST ${job}/cancel`, noJob, {}, "job_id is invalid"],
  [`POST ${job}/retry`, noJob, {}, "job_id is invalid"],
  ["POST /projects/:id/jobs/claim", {}, {}, "executor is missing, executor is empty"],
  [`POST ${job}/heartbeat`, {}, {}, "claim is missing, claim is empty"],
  [`POST ${job}/finish`, noJob, { claim: "1", status: "success" }, "job_id is invalid"],
  ["POST /projects/:id/statuses/:sha", {}, {}, "state is missing, state does not have a valid value"]
]

/** As the commits of a repository: access comes first. */
const ofRepositories = "GET /projects/:id/repository/commits/:sha/statuses"

const accessOf = (endpoint: string) =>
  pipelineRoutes.find(({ endpoint: { method, path } }) => endpoint === `${method} ${path}`)?.endpoint.access

const send = (endpoint: string, names: Readonly<Record<string, string>>, sent: Sent) => {
  const [method = "", path = ""] = endpoint.split(" ")
  const values: Readonly<Record<string, string>> = { id: "99999", pipeline_id: "1", job_id: "1", sha: "main", ...names }
  return answerTo(
    service.request(
      method,
      path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? name),
      sent
    )
  )
}

describe("parameters are judged after the caller, and before the project is looked for", () => {
  it.each(rows)("%s", async (endpoint, path, sent, told) => {
    const wrong = [400, { error: told }]
    const query = sent
    expect(await send(endpoint, path, { query })).toEqual(wrong)
    expect(await send(endpoint, path, { query, token: null })).toEqual(accessOf(endpoint) === "anyone" ? wrong : unauthorized)
  })

  it("in every endpoint", () => {
    const served = pipelineRoutes.map(({ endpoint: { method, path } }) => `${method} ${path}`)
    expect([...rows.map(([endpoint]) => endpoint), ofRepositories].toSorted()).toEqual(served.toSorted())
  })

  it("and where nothing is wrong with them, there is no such project", async () => {
    const right = { state: "success", ref: "main", name: "n", executor: "e", claim: "1", status: "failed" }
    const answers = await Promise.all(
      rows.map(([endpoint]) => send(endpoint, {}, endpoint.startsWith("GET ") ? {} : { query: right }))
    )
    expect(answers).toEqual(rows.map(() => noProject))
  })

  it("but the statuses of a commit are of its repository", async () => {
    const query = { order_by: "name" }
    expect(await send(ofRepositories, {}, { query })).toEqual(noProject)
    expect(await send(ofRepositories, {}, { query, token: null })).toEqual(unauthorized)
  })
})
