import { describe, expect, it } from "vitest"
import { keepUpPipelines } from "#src/pipelines/upkeep/keepUp.ts"
import { field } from "#test/support/exactly.ts"
import { reactToAll } from "#test/support/reactions/reactToAll.ts"
import { useJobs } from "./useJobs.ts"

const { claim, commit, configured, create, finish, post, service } = useJobs()
const { request } = service

const statusOf = async (id: unknown, pipeline: unknown) =>
  field((await request("GET", `/projects/${id}/pipelines/${pipeline}`)).body, "status")

/** Reacts to every pipeline that was made since the log began. */
const keptUp = () => service.run(reactToAll("pipeline-upkeep", "PipelineCreated", keepUpPipelines))

const made = async (id: unknown, json: object = {}) => field((await create(id, json)).body, "id")

const branch = (id: unknown, name: string) =>
  request("POST", `/projects/${id}/repository/branches`, { json: { branch: name, ref: "main" } })

describe("a newer pipeline", () => {
  it("cancels older ones of its branch where what has begun may be interrupted", async () => {
    const id = await configured("needless", "a: { script: make, interruptible: true }\nb: { script: make, stage: deploy }\n")
    const older = [await made(id), await made(id)]
    const run = (await claim(id)).body
    await commit(id, "newer")
    const newer = await made(id)
    await keptUp()
    expect(await Promise.all([...older, newer].map((one) => statusOf(id, one)))).toEqual(["canceled", "canceled", "pending"])
    const job = field(field(run, "job"), "id")
    expect((await finish(id, job, { claim: field(run, "claim"), status: "success" })).status).toBe(409)
  })

  it("leaves those alone in which something has begun that must not be interrupted", async () => {
    const id = await configured("begun", "a: { script: make }")
    const older = await made(id)
    await claim(id)
    await commit(id, "newer")
    await made(id)
    await keptUp()
    expect(await statusOf(id, older)).toBe("running")
  })

  it("leaves those of its own commit and of other branches alone", async () => {
    const id = await configured("others", "a: { script: make }")
    await branch(id, "topic")
    await commit(id, "second")
    const [onTopic, same] = [await made(id, { ref: "topic" }), await made(id)]
    await made(id)
    await keptUp()
    expect([await statusOf(id, onTopic), await statusOf(id, same)]).toEqual(["pending", "pending"])
  })

  it("leaves all alone where the project wants it so", async () => {
    const id = await configured("wanted", "a: { script: make }")
    await request("PUT", `/projects/${id}`, { json: { auto_cancel_pending_pipelines: "disabled" } })
    const older = await made(id)
    await commit(id, "newer")
    await made(id)
    await keptUp()
    expect(await statusOf(id, older)).toBe("pending")
  })

  it("leaves those of services outside alone", async () => {
    const id = await configured("outside", "a: { script: make }")
    const sha = await commit(id, "second")
    const external = field((await post(id, sha, { state: "running", name: "ci" })).body, "pipeline_id")
    await commit(id, "third")
    await made(id)
    await keptUp()
    expect(await statusOf(id, external)).toBe("running")
  })
})
