import { describe, expect, it } from "vitest"
import { EventStore } from "#src/platform/eventStore/EventStore.ts"
import { field } from "#test/support/exactly.ts"
import { createUser, issueTokenFor } from "#test/support/people/accounts.ts"
import { answerOf, type Sent } from "#test/support/service.ts"
import { answerTo, useJobs } from "./useJobs.ts"

const { claim, configured, create, finish, jobNamed, service } = useJobs()
const { request } = service

const manual = "variables: { A: global }\nask: { script: make, when: manual }\n"

const manualJob = async (name: string) => {
  const id = await configured(name, manual)
  const pipeline = field((await create(id, { variables: [{ key: "A", value: "of the pipeline" }] })).body, "id")
  return { id, pipeline, job: await jobNamed(id, pipeline, "ask") }
}

const play = (id: unknown, job: unknown, variables: unknown, sent: Sent = {}) =>
  answerTo(request("POST", `/projects/${id}/jobs/${job}/play`, { json: { job_variables_attributes: variables }, ...sent }))

const variablesIn = (body: unknown) =>
  [field(body, "variables")].flat().filter((one) => ["A", "SECRET"].includes(String(field(one, "key"))))

describe("variables of a job that somebody starts", () => {
  it("are handed to its executor as the strongest, also when it is run again, and never stand in the log", async () => {
    const { id, job, pipeline } = await manualJob("played")
    const secret = { key: "SECRET", value: "very-secret-4711" }
    expect((await play(id, job, [{ key: "A", value: "of the job" }, secret]))[0]).toBe(200)
    const { body } = await claim(id)
    const given = (key: string, value: string) => ({ key, value, file: false, raw: false })
    expect(variablesIn(body)).toEqual([
      given("A", "global"),
      given("A", "of the pipeline"),
      given("A", "of the job"),
      given("SECRET", secret.value)
    ])
    await finish(id, job, { claim: field(body, "claim"), status: "failed" })
    const again = field((await request("POST", `/projects/${id}/jobs/${job}/retry`)).body, "id")
    const second = (await claim(id)).body
    expect([field(field(second, "job"), "id"), variablesIn(second).length]).toEqual([again, 4])
    await finish(id, again, { claim: field(second, "claim"), status: "failed" })
    expect((await play(id, again, [{ key: "SECRET", value: "other" }]))[0]).toBe(200)
    expect(variablesIn((await claim(id)).body).slice(2)).toEqual([given("SECRET", "other")])
    const events = await service.run(EventStore.use((store) => store.read(`pipeline-${pipeline}`)))
    expect(JSON.stringify(events)).not.toContain(secret.value)
  })

  let wrong = 0
  it.each([
    [[{ value: "test" }], { error: "job_variables_attributes[0][key] is missing" }],
    [[{ key: "A" }], { error: "job_variables_attributes[0][value] is missing" }],
    [[{ key: "A", value: "b" }, { value: "c" }], { error: "job_variables_attributes[1][key] is missing" }],
    ["A", { error: "job_variables_attributes[0] is invalid" }],
    [
      [{ key: "", value: "" }],
      { message: { "job_variables.key": ["can't be blank", "can contain only letters, digits and '_'."] } }
    ],
    [[{ key: "a-b", value: "" }], { message: { "job_variables.key": ["can contain only letters, digits and '_'."] } }],
    [[{ key: "a".repeat(256), value: "" }], { message: { "job_variables.key": ["is too long (maximum is 255 characters)"] } }],
    [
      [
        { key: "A", value: "1" },
        { key: "A", value: "2" }
      ],
      { message: { job_variables: ["have duplicate values (A)"] } }
    ]
  ])("are refused where they are wrong, and the job waits", async (variables, body) => {
    const { id, job } = await manualJob(`wrong-${++wrong}`)
    expect(await play(id, job, variables)).toEqual([400, body])
    expect(field((await request("GET", `/projects/${id}/jobs/${job}`)).body, "status")).toBe("manual")
  })

  it("are for those who may give pipelines any", async () => {
    const { id, job } = await manualJob("restricted")
    const restriction = { restrict_user_defined_variables: true, ci_pipeline_variables_minimum_override_role: "maintainer" }
    await request("PUT", `/projects/${id}`, { json: restriction })
    const user = await createUser(service, "developer-of-variables")
    await request("POST", `/projects/${id}/members`, { json: { user_id: user, access_level: 30 } })
    await request("DELETE", `/projects/${id}/protected_branches/main`)
    const { text: token } = await issueTokenFor(service, user)
    const some = [{ key: "A", value: "b" }]
    expect(await play(id, job, some, { token })).toEqual([403, { message: "403 Forbidden" }])
    expect((await play(id, job, [], { token }))[0]).toBe(200)
    expect(await play(id, job, some, { token })).toEqual([400, { message: "400 Bad request - Unplayable Job" }])
    expect(answerOf(await request("GET", `/projects/${id}/jobs/${job}`))).toMatchObject([200, { status: "pending" }])
  })
})
