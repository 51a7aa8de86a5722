import { describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { useJobs } from "./useJobs.ts"

const { claim, configured, create, finish, post, service } = useJobs({ JOBS_PER_PIPELINE: "2" })
const refused = [422, { message: "The number of jobs has exceeded the limit (maximum is 2)" }]

describe("a pipeline that has as many jobs as it may", () => {
  it("takes no other status", async () => {
    const id = await configured("full-statuses", "build: { script: make }")
    const { body } = await create(id)
    const sha = String(field(body, "sha"))
    expect((await post(id, sha, { state: "running", name: "a" })).status).toBe(201)
    expect(answerOf(await post(id, sha, { state: "running", name: "b" }))).toEqual(refused)
    expect((await post(id, sha, { state: "success", name: "a" })).status).toBe(201)
    expect(answerOf(await post(id, sha, { state: "success", name: "a" }))).toEqual(refused)
  })

  it("runs nothing again", async () => {
    const id = await configured("full-retries", "build: { script: make, when: manual }")
    const pipeline = field((await create(id)).body, "id")
    const { request } = service
    const path = `/projects/${id}/pipelines/${pipeline}`
    const jobs = (await request("GET", `${path}/jobs`)).body
    const job = field([jobs].flat()[0], "id")
    const fail = async (job: unknown) => {
      const { body } = await claim(id)
      expect(field(field(body, "job"), "id")).toBe(job)
      return finish(id, job, { claim: field(body, "claim"), status: "failed" })
    }
    await request("POST", `/projects/${id}/jobs/${job}/play`)
    await fail(job)
    const again = field((await request("POST", `/projects/${id}/jobs/${job}/retry`)).body, "id")
    await fail(again)
    expect(answerOf(await request("POST", `/projects/${id}/jobs/${again}/retry`))).toEqual(refused)
    expect(answerOf(await request("POST", `/projects/${id}/jobs/${again}/play`))).toEqual(refused)
    expect(answerOf(await request("POST", `${path}/retry`))).toEqual(refused)
  })
})
