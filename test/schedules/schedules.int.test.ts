import { describe, expect, it } from "vitest"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { anyId, anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { forgetAnswer } from "#test/support/forgetAnswer.ts"
import { rootReference, userReference } from "#test/support/people/userReference.ts"
import { answerOf } from "#test/support/service.ts"
import { complete, idOf, noSchedule, useSchedules } from "./useSchedules.ts"

const { add, get, member, newProject, pathOf, put, remove, service } = useSchedules()

/** The next 29 February. */
const leapDay = (): string => {
  const now = new Date()
  for (let year = now.getUTCFullYear(); ; year++) {
    const day = new Date(Date.UTC(year, 1, 29))
    if (day.getUTCDate() === 29 && day > now) return day.toISOString()
  }
}

const whole = () => ({
  id: anyId,
  description: "Nightly build",
  ref: "refs/heads/main",
  cron: "0 0 29 2 *",
  cron_timezone: "UTC",
  next_run_at: leapDay(),
  active: true,
  created_at: anyTime,
  updated_at: anyTime,
  owner: rootReference(service.url),
  last_pipeline: null
})

describe("a schedule", () => {
  it("is made, listed, read, changed and deleted, each with what is told there", async () => {
    const project = await newProject("whole")
    const created = await add(project)
    const { last_pipeline, ...listed } = whole()
    expect(created.status).toBe(201)
    expectExactly(created.body, { ...listed, last_pipeline })
    expect(field(created.body, "created_at")).toBe(field(created.body, "updated_at"))
    const id = idOf(created)
    const list = await get(project)
    expect([list.status, list.headers.get("x-total")]).toEqual([200, "1"])
    expectExactly(list.body, [{ ...listed, id }])
    const read = await get(project, id)
    expect(read.status).toBe(200)
    expectExactly(read.body, { ...Object(created.body), variables: [] })
    const json = { description: "Weekly build", cron: " 0 1 * * 5\t", cron_timezone: "Berlin", active: "0" }
    const changed = await put(project, id, json)
    expect(changed.status).toBe(200)
    const after = { ...Object(created.body), description: "Weekly build", cron: "0 1 * * 5", cron_timezone: "Berlin" }
    expectExactly(changed.body, { ...after, active: false, next_run_at: anyTime, updated_at: anyTime })
    const removed = await remove(project, id)
    expect(removed.status).toBe(200)
    expectExactly(removed.body, changed.body)
    expect(answerOf(await get(project, id))).toEqual(noSchedule)
    expect(answerOf(await remove(project, id))).toEqual(noSchedule)
    expect((await get(project)).body).toEqual([])
  })

  it("is shown by its deletion with the next run that it had, though that has passed", async () => {
    const project = await newProject("deleted-late")
    const id = idOf(await add(project, { cron: "0 * * * *", active: false }))
    const past = Date.parse("2020-01-01T00:00:00Z")
    await service.run(
      Sql.use(({ client }) => query(() => client`update rm_schedules.schedules set next_run_at = ${past} where id = ${id}`))
    )
    const { variables, ...before } = Object((await get(project, id)).body)
    expect([variables, before.next_run_at]).toEqual([[], "2020-01-01T00:00:00.000Z"])
    const deletion = { headers: { "idempotency-key": "deletion" } }
    expectExactly((await remove(project, id, deletion)).body, before)
    await forgetAnswer(service, "deletion")
    expectExactly((await remove(project, id, deletion)).body, before)
  })

  it("is sent as a form or as a query too", async () => {
    const project = await newProject("forms")
    const form = await service.request("POST", pathOf(project), { form: { ...complete, active: "no" } })
    const query = await service.request("POST", pathOf(project), { query: { ...complete, cron_timezone: "Asia/Tokyo" } })
    expect([field(form.body, "active"), field(query.body, "cron_timezone")]).toEqual([false, "Asia/Tokyo"])
  })

  it("keeps what is not sent, and what is empty where nothing can be", async () => {
    const project = await newProject("keeping")
    const { body } = await add(project, { cron_timezone: "Europe/Paris " })
    expect(field(body, "cron_timezone")).toBe("Europe/Paris ")
    const id = field(body, "id")
    for (const json of [{}, { active: "" }, { active: null }]) expectExactly((await put(project, id, json)).body, body)
    const named = { description: "Ünï\n💥", ref: "refs/tags/later" }
    const changed = (await put(project, id, named)).body
    expectExactly(changed, { ...Object(body), ...named, updated_at: anyTime })
  })

  it("is active unless somebody says otherwise, in UTC", async () => {
    const project = await newProject("defaults")
    const nothing = await add(project, { active: null, cron_timezone: null })
    expect([field(nothing.body, "active"), field(nothing.body, "cron_timezone")]).toEqual([true, "UTC"])
    const inactive = await add(project, { active: false })
    expect([field(inactive.body, "active"), field(inactive.body, "next_run_at")]).toEqual([false, leapDay()])
  })

  it("of another project is not found", async () => {
    const [one, other] = [await newProject("one"), await newProject("other")]
    const id = idOf(await add(one))
    expect(answerOf(await get(other, id))).toEqual(noSchedule)
    expect(answerOf(await put(other, id, {}))).toEqual(noSchedule)
    expect(answerOf(await remove(other, id))).toEqual(noSchedule)
    expect((await get(one, id)).status).toBe(200)
  })

  it("is not deleted when it was changed since", async () => {
    const project = await newProject("conditional")
    const { body } = await add(project)
    const since = (date: string) => ({ headers: { "if-unmodified-since": date } })
    const failed = [412, { message: "412 Precondition Failed" }]
    for (const date of ["1990-01-12T00:00:48-0600", "1990-01-12 00:00:48 -0600", "Fri, 12 Jan 1990 06:00:48 GMT"]) {
      expect(answerOf(await remove(project, field(body, "id"), since(date)))).toEqual(failed)
    }
    for (const [id, date] of [
      [field(body, "id"), "2100-01-01T00:00:00Z"],
      [idOf(await add(project)), "2100-01-01 00:00:00 +0000"]
    ]) {
      expect((await remove(project, id, since(String(date)))).status).toBe(200)
    }
  })
})

describe("schedules", () => {
  it("are listed the newest first, page by page, by whether they run", async () => {
    const project = await newProject("lists")
    const [a, b, c] = [idOf(await add(project)), idOf(await add(project, { active: false })), idOf(await add(project))]
    const found = async (query: Readonly<Record<string, string>>) => {
      const { body, headers } = await get(project, undefined, { query })
      return [Array.isArray(body) ? body.map((schedule) => field(schedule, "id")) : body, headers.get("x-total")]
    }
    expect(await found({})).toEqual([[c, b, a], "3"])
    expect(await found({ scope: "active" })).toEqual([[c, a], "2"])
    expect(await found({ scope: "inactive" })).toEqual([[b], "1"])
    expect(await found({ per_page: "2", page: "2" })).toEqual([[a], "3"])
    const invalid = [{ error: "scope does not have a valid value" }, null]
    expect([await found({ scope: "all" }), await found({ scope: "" })]).toEqual([invalid, invalid])
  })
})

describe("taking a schedule over", () => {
  it("makes the caller its owner, who may change it then", async () => {
    const project = await newProject("taking")
    const [developer, maintainer] = [
      await member(project, "developer", "taking-developer"),
      await member(project, "maintainer", "taking-maintainer")
    ]
    const created = await add(project, { ref: "refs/heads/topic" }, { token: developer.token })
    const id = idOf(created)
    const take = (token: string) => service.request("POST", `${pathOf(project, id)}/take_ownership`, { token })
    const own = await take(developer.token)
    expect(own.status).toBe(200)
    expectExactly(own.body, created.body)
    expect((await put(project, id, {}, { token: maintainer.token })).status).toBe(403)
    const taken = await take(maintainer.token)
    const owner = userReference(service.url, maintainer.id, "taking-maintainer")
    expect(taken.status).toBe(201)
    expectExactly(taken.body, { ...Object(created.body), updated_at: anyTime, owner })
    expect((await take(developer.token)).status).toBe(403)
    expect((await put(project, id, {}, { token: maintainer.token })).status).toBe(200)
  })
})

it("nothing of a schedule lasts longer than its project", async () => {
  const project = await newProject("going")
  const id = idOf(await add(project))
  await service.request("DELETE", `/projects/${project}`)
  const gone = [404, { message: "404 Project Not Found" }]
  expect([answerOf(await get(project)), answerOf(await get(project, id))]).toEqual([gone, gone])
})
