import { expect, it } from "vitest"
import { accessLevel } from "#src/members/levels.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { answerTo, useJobs } from "./useJobs.ts"

// The matrix tells who may do what; here is what settings of the project do to it.

const { claim, configured, create, jobNamed, service } = useJobs()

it("where jobs are switched off, pipelines are still there, one by one, but their lists and jobs are not", async () => {
  const id = await configured("switched-off", "a:\n  script: make\n")
  const pipeline = field((await create(id)).body, "id")
  const job = await jobNamed(id, pipeline, "a")
  await service.request("PUT", `/projects/${id}`, { json: { builds_access_level: "disabled" } })
  const one = `/pipelines/${pipeline}`
  const asked = [
    ["GET", "/pipelines", 403],
    ["GET", "/pipelines/latest", 200],
    ["GET", one, 200],
    ["GET", `${one}/variables`, 200],
    ["GET", `${one}/jobs`, 403],
    ["GET", `${one}/bridges`, 403],
    ["GET", `${one}/test_report`, 403],
    ["GET", "/jobs", 403],
    ["GET", `/jobs/${job}`, 403],
    ["POST", `/jobs/${job}/cancel`, 403],
    ["POST", `${one}/cancel`, 200],
    ["POST", `${one}/retry`, 201],
    ["DELETE", one, 204]
  ] as const
  for (const [method, end, expected] of asked) {
    const { status } = await service.request(method, `/projects/${id}${end}`)
    expect([method, end, status]).toEqual([method, end, expected])
  }
  expect((await claim(id)).status).toBe(403)
  const disabled = [400, { message: { base: ["Pipelines are disabled!"] } }]
  expect([await answerTo(create(id)), await answerTo(create(id, { ref: "none" }))]).toEqual([disabled, disabled])
})

it("a retry runs no job again where jobs are switched off", async () => {
  const id = await configured("not-again", "a:\n  script: make\n")
  const { body: pipeline } = await create(id)
  const path = `/projects/${id}/pipelines/${field(pipeline, "id")}`
  const canceled = await service.request("POST", `${path}/cancel`)
  await service.request("PUT", `/projects/${id}`, { json: { builds_access_level: "disabled" } })
  const retried = await service.request("POST", `${path}/retry`)
  expect([retried.status, retried.body]).toEqual([201, canceled.body])
})

it("a pipeline of a branch that is protected from somebody is neither named, canceled nor run again by them", async () => {
  const id = await configured("guarded", "a:\n  script: make\n")
  const pipeline = field((await create(id)).body, "id")
  const developer = await createUser(service, "developer")
  await service.request("POST", `/projects/${id}/members`, { json: { user_id: developer, access_level: accessLevel.developer } })
  const { text: token } = await issueTokenFor(service, developer)
  const send = async (method: string, end: string, json: object = {}) =>
    (await service.request(method, `/projects/${id}/pipelines/${pipeline}${end}`, { token, json })).status
  const tried = [await send("PUT", "/metadata", { name: "mine" }), await send("POST", "/cancel"), await send("POST", "/retry")]
  expect(tried).toEqual([403, 403, 403])
})
