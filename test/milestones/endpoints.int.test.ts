import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { failed, idOf, noMilestone, shapeOf, titleTaken, useMilestones } from "./useMilestones.ts"

const { service, add, get, newGroup, newMember, newProject, put, remove, titlesIn } = useMilestones()

const forbidden = [403, { message: "403 Forbidden" }]

describe.each([
  ["projects", newProject],
  ["groups", newGroup]
] as const)("of %s", (kind, newParent) => {
  let place = ""
  let webUrl = ""
  beforeAll(async () => {
    place = `${kind}/${await newParent()}`
    webUrl = String(field((await service.request("GET", `/${place}`)).body, "web_url"))
  })

  it("one is created, shown, listed, changed and deleted", async () => {
    const created = await add(place)
    expect(created.status).toBe(201)
    expectExactly(created.body, shapeOf(place, 1, webUrl))
    const id = idOf(created)
    expectExactly(answerOf(await get(place, id)), [200, created.body])
    expectExactly(answerOf(await get(place)), [200, [created.body]])
    const days = { start_date: "2020-01-31", due_date: "2020-02-29" }
    const changed = await put(place, id, { title: " 1.1 ", description: "d", ...days, state_event: "close" })
    const { updated_at, ...after } = {
      ...Object(created.body),
      title: "1.1",
      description: "d",
      state: "closed",
      ...days,
      expired: true
    }
    expect(changed).toMatchObject({ status: 200, body: after })
    expect(answerOf(await get(place, id))).toEqual([200, changed.body])
    expect(Object.keys(Object(changed.body))).toEqual(Object.keys(Object(created.body)))
    expect((await put(place, id, { start_date: null, due_date: "", state_event: "activate" })).body).toMatchObject({
      start_date: null,
      due_date: null,
      expired: false,
      state: "active"
    })
    expect(answerOf(await remove(place, id))).toEqual([204, undefined])
    expect(answerOf(await get(place, id))).toEqual(noMilestone)
    expect(answerOf(await put(place, id, { title: "2" }))).toEqual(noMilestone)
    expect(answerOf(await remove(place, id))).toEqual(noMilestone)
    expect(answerOf(await get(place))).toEqual([200, []])
  })

  it("numbers count on, and are not given again", async () => {
    const other = `${kind}/${await newParent()}`
    const ids: Array<number> = []
    const numbers: Array<unknown> = []
    for (const title of ["a", "b", "c"]) {
      const created = await add(other, { title })
      ids.push(idOf(created))
      numbers.push(field(created.body, "iid"))
      await remove(other, ids.at(-1))
    }
    expect([numbers, new Set(ids).size]).toEqual([[1, 2, 3], 3])
  })

  it("a change that comes to nothing leaves the time of the last one", async () => {
    const { body } = await add(place, { title: "still" })
    const again = { title: "still", state_event: "activate", due_date: null }
    expect(answerOf(await put(place, field(body, "id"), again))).toEqual([200, body])
  })

  it("a title is free again when its milestone is deleted or has another one", async () => {
    const id = idOf(await add(place, { title: "first" }))
    expect(answerOf(await add(place, { title: " first " }))).toEqual(failed("create", titleTaken))
    expect((await put(place, id, { title: "second" })).status).toBe(200)
    expect((await add(place, { title: "first" })).status).toBe(201)
    expect(answerOf(await put(place, id, { title: "first" }))).toEqual(failed("update", titleTaken))
    expect((await put(place, id, { title: "second", description: "d" })).status).toBe(200)
    await remove(place, id)
    expect((await add(place, { title: "second" })).status).toBe(201)
  })

  it("twenty of one title at once: one is created", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(place, { title: "wanted" })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 201).map(answerOf)
    expect(refused).toEqual(Array.from({ length: 19 }, () => failed("create", titleTaken)))
  })

  it("twenty at once have numbers of their own, without a gap", async () => {
    const other = `${kind}/${await newParent()}`
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => add(other, { title: `t${n}` })))
    const numbers = answers.map(({ body }) => Number(field(body, "iid")))
    expect(numbers.toSorted((one, two) => one - two)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  })

  it.each<[object, string]>([
    [{ title: " " }, ':title=>["can\'t be blank"]'],
    [{ title: "x".repeat(256) }, ':title=>["is too long (maximum is 255 characters)"]'],
    [{ title: "d", start_date: "2026-01-02", due_date: "2026-01-02" }, ':due_date=>["must be greater than start date"]']
  ])("what is wrong is told: %j", async (json, faults) => {
    expect(answerOf(await add(place, json))).toEqual(failed("create", faults))
    const id = idOf(await add(place, { title: `of ${faults}` }))
    expect(answerOf(await put(place, id, json))).toEqual(failed("update", faults))
  })

  it.each<[string, string, object, string]>([
    ["POST", "", {}, "title is missing"],
    ["POST", "", { title: "a", due_date: "soon" }, "due_date is invalid"],
    [
      "PUT",
      "/1",
      {},
      "title, description, start_date, due_date, state_event are missing, at least one parameter must be provided"
    ],
    ["PUT", "/1", { state_event: "reopen" }, "state_event does not have a valid value"],
    ["GET", "/x", {}, "milestone_id is invalid"],
    ["GET", "?state=open", {}, "state does not have a valid value"]
  ])("parameters of %s %s are judged: %j", async (method, path, json, error) => {
    const sent = method === "GET" ? {} : { json }
    expect(answerOf(await service.request(method, `/${place}/milestones${path}`, sent))).toEqual([400, { error }])
  })

  it("Guests read, and change nothing, whether it is there or not", async () => {
    const token = await newMember(place, "guest")
    const id = idOf(await add(place, { title: "guarded" }))
    expect((await get(place, id, { token })).status).toBe(200)
    for (const each of [id, 999_999]) {
      expect(answerOf(await put(place, each, { title: "x" }, { token }))).toEqual(forbidden)
      expect(answerOf(await remove(place, each, { token }))).toEqual(forbidden)
    }
    expect(answerOf(await add(place, { title: "x" }, { token }))).toEqual(forbidden)
  })
})

it("where a project has neither issues nor merge requests, milestones are forbidden", async () => {
  const place = `projects/${await newProject()}`
  const id = idOf(await add(place))
  const json = { issues_access_level: "disabled", merge_requests_access_level: "disabled" }
  await service.request("PUT", `/${place}`, { json })
  for (const answer of [await get(place), await get(place, id), await add(place, { title: "x" })]) {
    expect(answerOf(answer)).toEqual(forbidden)
  }
})

it("a title of the project's own group, or of a project of the group, is taken too", async () => {
  const namespace_id = await newGroup()
  const [group, project] = [`groups/${namespace_id}`, `projects/${await newProject({ namespace_id })}`]
  await add(group, { title: "of the group" })
  await add(project, { title: "of the project" })
  expect(answerOf(await add(project, { title: "of the group" }))).toEqual(failed("create", titleTaken))
  expect(answerOf(await add(group, { title: "of the project" }))).toEqual(failed("create", titleTaken))
  expect(await titlesIn(project, { include_ancestors: "true" })).toEqual(["of the project", "of the group"])
})
