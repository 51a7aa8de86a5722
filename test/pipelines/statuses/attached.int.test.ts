import { Effect } from "effect"
import { expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { answerTo, useJobs } from "../useJobs.ts"

const { configured, create, post, service } = useJobs()

it("a status belongs to the newest pipeline of its commit, whatever made that, in a stage behind all others", async () => {
  const id = await configured("attached", "a:\n  script: make\n  stage: .post\nb:\n  script: make\n")
  await create(id)
  const { body } = await create(id)
  const [pipeline, sha] = [field(body, "id"), String(field(body, "sha"))]
  const { body: status } = await post(id, sha, { state: "running", name: "outside" })
  expect([field(status, "pipeline_id"), field(status, "ref")]).toEqual([pipeline, "main"])
  const after = (await service.request("GET", `/projects/${id}/pipelines/${pipeline}`)).body
  expect(after).toMatchObject({ id: pipeline, source: "api", status: "running", iid: 2 })
  const listed = async (stage: string) =>
    (await service.request("GET", `/projects/${id}/repository/commits/${sha}/statuses`, { query: { stage } })).body
  expect(await listed("external")).toEqual([status])
  const stages = await service.run(
    Sql.use(({ client }) =>
      query(
        () => client<Array<{ stage: string }>>`
          select stage from rm_pipelines.jobs where pipeline_id = ${Number(pipeline)} order by stage_index, id`
      )
    ).pipe(Effect.map((rows) => rows.map(({ stage }) => stage)))
  )
  expect(stages).toEqual(["test", ".post", "external"])
})

it("a status is not called as a job of its pipeline", async () => {
  const id = await configured("taken", "a:\n  script: make\n")
  const { body } = await create(id)
  const sha = String(field(body, "sha"))
  const taken = [400, { message: { name: ["has already been taken"] } }]
  for (const json of [{ name: "a" }, { context: "a" }]) {
    expect(await answerTo(post(id, sha, { state: "success", ...json }))).toEqual(taken)
  }
  const { body: statuses } = await service.request("GET", `/projects/${id}/repository/commits/${sha}/statuses`)
  expect([statuses].flat().map((status) => field(status, "name"))).toEqual(["a"])
})
