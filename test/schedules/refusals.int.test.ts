import { describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { complete, idOf, noSchedule, useSchedules } from "./useSchedules.ts"

const { add, get, member, newProject, pathOf, person, put, remove, service } = useSchedules()

const blank = "can't be blank"
const wrong = "syntax is invalid"
const invalid = (errors: object) => [400, { message: errors }]
const unauthorized = [401, { message: "401 Unauthorized" }]
const noProject = [404, { message: "404 Project Not Found" }]
const forbidden = [403, { message: "403 Forbidden" }]

/** What is wrong, however it is sent. */
const rows: ReadonlyArray<readonly [object, object]> = [
  [{ cron: "every 3h" }, { cron: [wrong] }],
  [{ cron: "@daily" }, { cron: [wrong] }],
  [{ cron: "0 0 31 2 *" }, { cron: [wrong] }],
  [{ cron: "*/0 * * * *" }, { cron: [wrong] }],
  [{ cron: "0 0 * * * UTC" }, { cron: [wrong] }],
  [{ cron: "💥 * * * *" }, { cron: [wrong] }],
  [{ cron: "" }, { cron: [wrong, blank] }],
  [{ cron: " \t" }, { cron: [wrong, blank] }],
  [{ cron: null }, { cron: [wrong, blank] }],
  [{ cron_timezone: "PST" }, { cron_timezone: [wrong] }],
  [{ cron_timezone: "Zürich" }, { cron_timezone: [wrong] }],
  [{ cron_timezone: "" }, { cron_timezone: [blank] }],
  [{ description: "" }, { description: [blank] }],
  [{ description: " \u00a0\n" }, { description: [blank] }],
  [{ description: null }, { description: [blank] }],
  [
    { description: "", cron_timezone: "", cron: "0 0 * *" },
    { cron: [wrong], cron_timezone: [blank], description: [blank] }
  ],
  [{ ref: "nowhere", cron: "x", description: "" }, { ref: ["is ambiguous"] }]
]

describe("what is wrong with a schedule", () => {
  it.each(rows)("%o", async (json, errors) => {
    const project = await newProject(`wrong-${rows.findIndex(([each]) => each === json)}`)
    const created = await add(project, json)
    expect(created.status).toBe(400)
    expectExactly(created.body, { message: errors })
    const { body } = await add(project)
    const id = field(body, "id")
    const changed = await put(project, id, { description: "Changed", active: false, ...json })
    expect(changed.status).toBe(400)
    expectExactly(changed.body, { message: errors })
    expectExactly((await get(project, id)).body, { ...Object(body), variables: [] })
    expect((await get(project)).headers.get("x-total")).toBe("1")
  })
})

describe("parameters", () => {
  it("are judged before the project is looked for, and after the caller", async () => {
    const { token } = await person("judged")
    const path = "/projects/nobody%2Fnothing/pipeline_schedules"
    const told = async (method: string, end: string, json: object | undefined, as: string | null = token) =>
      answerOf(await service.request(method, `${path}${end}`, { ...(json && { json }), token: as }))
    const error = (text: string) => [400, { error: text }]
    expect(await told("POST", "", {})).toEqual(error("description is missing, ref is missing, cron is missing"))
    for (const ref of [" ", "", null]) expect(await told("POST", "", { ...complete, ref })).toEqual(error("ref is empty"))
    expect(await told("POST", "", { ...complete, active: "perhaps" })).toEqual(error("active is invalid"))
    expect(await told("POST", "", { ...complete, description: ["a"] })).toEqual(error("description is invalid"))
    expect(await told("POST", "", { ...complete, cron: "a\0" })).toEqual(error("cron is invalid"))
    expect(await told("GET", "?scope=all", undefined)).toEqual(error("scope does not have a valid value"))
    expect(await told("GET", "/x", undefined)).toEqual(error("pipeline_schedule_id is invalid"))
    expect(await told("PUT", "/1", { active: 2 })).toEqual(error("active is invalid"))
    expect(await told("POST", "/1/variables", {})).toEqual(error("key is missing, value is missing"))
    const variable = { key: "A", value: "b", variable_type: "x" }
    expect(await told("POST", "/1/variables", variable)).toEqual(error("variable_type does not have a valid value"))
    expect(await told("PUT", "/1/variables/A", { variable_type: "" })).toEqual(
      error("value is missing, variable_type does not have a valid value")
    )
    expect(await told("GET", "/1/pipelines?sort=up", undefined)).toEqual(error("sort does not have a valid value"))
    for (const count of ["0", "101", "-1"]) {
      expect(await told("GET", `/1/preview?count=${count}`, undefined)).toEqual(error("count does not have a valid value"))
    }
    expect(await told("POST", "", {}, null)).toEqual(unauthorized)
    expect(await told("GET", "/x", undefined, "glpat-nobody-has-this-00")).toEqual(unauthorized)
    expect(await told("POST", "", complete)).toEqual(noProject)
  })

  it("may be long and of any script", async () => {
    const project = await newProject("long")
    const description = "Üñï💥".repeat(2_500)
    const ref = `refs/heads/${"ä".repeat(10_000)}`
    const created = await add(project, { description, ref })
    expect([created.status, field(created.body, "description"), field(created.body, "ref")]).toEqual([201, description, ref])
    const long = "0 ".repeat(5_000)
    expect(answerOf(await add(project, { cron: long }))).toEqual(invalid({ cron: [wrong] }))
    expect(answerOf(await add(project, { cron_timezone: long }))).toEqual(invalid({ cron_timezone: [wrong] }))
    expect(answerOf(await add(project, { ref: long }))).toEqual(invalid({ ref: ["is ambiguous"] }))
    const id = idOf(created)
    const value = "ß".repeat(10_000)
    const json = { key: "LONG", value }
    const added = await service.request("POST", `${pathOf(project, id)}/variables`, { json })
    expect([added.status, field(added.body, "value")]).toEqual([201, value])
  })
})

describe("what is not there", () => {
  it.each([-5, 0, 999_999, "99999999999999999999999"])("has the id %s", async (id) => {
    const project = await newProject(`absent-${String(id).length}-${id}`.replace("--", "-minus-"))
    const variable = `${pathOf(project, id)}/variables/A`
    const answers = await Promise.all([
      get(project, id),
      put(project, id, {}),
      remove(project, id),
      ...["take_ownership", "play"].map((deed) => service.request("POST", `${pathOf(project, id)}/${deed}`)),
      ...["pipelines", "runs", "preview"].map((what) => service.request("GET", `${pathOf(project, id)}/${what}`)),
      service.request("POST", `${pathOf(project, id)}/variables`, { json: { key: "A", value: "b" } }),
      service.request("GET", variable),
      service.request("PUT", variable, { json: { value: "b" } }),
      service.request("DELETE", variable)
    ])
    expect(answers.map(answerOf)).toEqual(answers.map(() => noSchedule))
  })
})

describe("anonymous callers", () => {
  it("are told nothing, in public projects neither, whatever they send", async () => {
    const project = await newProject("open", { visibility: "public" })
    const id = idOf(await add(project))
    const sent = { token: null }
    const answers = await Promise.all([
      get(project, undefined, sent),
      get(project, "x", sent),
      get(project, id, sent),
      add(project, { ref: "" }, sent),
      put(project, id, {}, sent),
      remove(project, id, sent),
      ...["take_ownership", "play", "variables"].map((deed) => service.request("POST", `${pathOf(project, id)}/${deed}`, sent)),
      ...["pipelines", "runs", "preview?count=0"].map((what) => service.request("GET", `${pathOf(project, id)}/${what}`, sent))
    ])
    expect(answers.map(answerOf)).toEqual(answers.map(() => unauthorized))
  })
})

it("a Reporter is refused before the ref and the texts are looked at", async () => {
  const project = await newProject("reporting")
  const { token } = await member(project, "reporter", "reporting-reporter")
  expect(answerOf(await add(project, { ref: "nowhere", cron: "x" }, { token }))).toEqual(forbidden)
})
