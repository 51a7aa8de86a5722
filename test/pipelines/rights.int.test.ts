import { expect, it } from "vitest"
import { accessLevel } from "#src/members/levels.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { answerTo, useJobs } from "./useJobs.ts"

// The matrix tells who may do what; here is what settings of the project do to it.

const { claim, configured, create, jobNamed, post, service } = useJobs()

/** A new user who is a member of a project. */
const member = async (id: unknown, username: string, level: number) => {
  const userId = await createUser(service, username)
  await service.request("POST", `/projects/${id}/members`, { json: { user_id: userId, access_level: level } })
  return { userId, token: (await issueTokenFor(service, userId)).text }
}

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
  const { token } = await member(id, "developer", accessLevel.developer)
  const send = async (method: string, end: string, json: object = {}) =>
    (await service.request(method, `/projects/${id}/pipelines/${pipeline}${end}`, { token, json })).status
  const tried = [await send("PUT", "/metadata", { name: "mine" }), await send("POST", "/cancel"), await send("POST", "/retry")]
  expect(tried).toEqual([403, 403, 403])
})

it("variables of a pipeline are shown to the Developer who made it, as long as they are one, and to no other", async () => {
  const id = await configured("makers", "a:\n  script: make\n")
  await service.request("POST", `/projects/${id}/repository/branches`, { json: { branch: "topic", ref: "main" } })
  const [maker, other] = [await member(id, "maker", accessLevel.developer), await member(id, "other", accessLevel.developer)]
  const variables = [{ key: "KEY", value: "v" }]
  const pipeline = field((await create(id, { ref: "topic", variables }, { token: maker.token })).body, "id")
  const shown = ({ token }: { readonly token: string }) =>
    answerTo(service.request("GET", `/projects/${id}/pipelines/${pipeline}/variables`, { token }))
  const forbidden = [403, { message: "403 Forbidden" }]
  expect([await shown(maker), await shown(other)]).toEqual([
    [200, [{ variable_type: "env_var", key: "KEY", value: "v", raw: false }]],
    forbidden
  ])
  const json = { access_level: accessLevel.reporter }
  await service.request("PUT", `/projects/${id}/members/${maker.userId}`, { json })
  expect(await shown(maker)).toEqual(forbidden)
})

it("where pipelines are not public, those below Reporter see none of them, but the statuses of commits", async () => {
  const id = await configured("not-public", "a:\n  script: make\n", { visibility: "public" })
  const { body } = await create(id)
  const [pipeline, sha] = [field(body, "id"), String(field(body, "sha"))]
  const job = await jobNamed(id, pipeline, "a")
  await post(id, sha, { state: "success", name: "outside" })
  await service.request("PUT", `/projects/${id}`, { json: { public_jobs: false } })
  const guest = await member(id, "guest", accessLevel.guest)
  const outsider = { token: (await issueTokenFor(service, await createUser(service, "outsider"))).text }
  const reporter = await member(id, "reporter", accessLevel.reporter)
  const one = `/pipelines/${pipeline}`
  const ends = ["/pipelines", "/pipelines/latest", one, `${one}/jobs`, `${one}/bridges`, `${one}/test_report`].concat(
    `${one}/test_report_summary`,
    "/jobs",
    `/jobs/${job}`
  )
  const statuses = `/repository/commits/${sha}/statuses`
  const told = async (token: string | null) =>
    Promise.all(
      [...ends, statuses].map(async (end) => [end, (await service.request("GET", `/projects/${id}${end}`, { token })).status])
    )
  const all = (status: number, ofStatuses: number) => [...ends.map((end) => [end, status]), [statuses, ofStatuses]]
  expect(await told(guest.token)).toEqual(all(403, 200))
  expect(await told(outsider.token)).toEqual(all(403, 200))
  expect(await told(null)).toEqual(all(403, 401))
  expect(await told(reporter.token)).toEqual(all(200, 200))
})
