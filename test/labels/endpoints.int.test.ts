import { beforeAll, describe, expect, it } from "vitest"
import { expectExactly } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { complete, idOf, noLabel, ofGroup, ofProject, titleTaken, useLabels } from "./useLabels.ts"

const { service, add, get, namesIn, newGroup, newProject, put, remove } = useLabels()

describe.each([
  ["projects", newProject, ofProject],
  ["groups", newGroup, ofGroup]
] as const)("of %s", (kind, newParent, shape) => {
  let place = ""
  beforeAll(async () => {
    place = `${kind}/${await newParent()}`
  })

  it("one is created, shown, listed, changed and deleted", async () => {
    const created = await add(place, {})
    expect(created.status).toBe(201)
    expectExactly(created.body, shape)
    const id = idOf(created)
    for (const name of ["bug", id]) expectExactly(answerOf(await get(place, name)), [200, created.body])
    expectExactly(answerOf(await get(place)), [200, [created.body]])
    const changed = await put(place, "bug", { new_name: " a/b c ", color: "White", description: '<b> & "x"' })
    const after = {
      ...Object(created.body),
      name: "a/b c",
      description: '<b> & "x"',
      description_html: "&lt;b&gt; &amp; &quot;x&quot;",
      text_color: "#1F1E24",
      color: "#FFFFFF"
    }
    expectExactly(answerOf(changed), [200, after])
    expectExactly(answerOf(await get(place, "a/b c")), [200, after])
    expect(answerOf(await get(place, "bug"))).toEqual(noLabel)
    expect(answerOf(await remove(place, "a/b c"))).toEqual([204, undefined])
    for (const name of ["a/b c", id]) {
      expect(answerOf(await get(place, name))).toEqual(noLabel)
      expect(answerOf(await put(place, name, { color: "#000" }))).toEqual(noLabel)
      expect(answerOf(await remove(place, name))).toEqual(noLabel)
    }
    expect(answerOf(await get(place))).toEqual([200, []])
  })

  it("one that a parameter names is changed and deleted", async () => {
    const labels = `/${place}/labels`
    const created = await add(place, { name: "named" })
    const change = (json: object) => service.request("PUT", labels, { json })
    const renamed = { ...Object(created.body), name: "7 of 9", color: "#000", text_color: "#FFFFFF" }
    expectExactly(answerOf(await change({ name: "named", new_name: "7 of 9", color: "#000" })), [200, renamed])
    const again = { ...renamed, name: "named" }
    expectExactly(answerOf(await change({ label_id: idOf(created), new_name: "named" })), [200, again])
    expect(answerOf(await change({ name: "7 of 9", color: "#000" }))).toEqual(noLabel)
    expect(answerOf(await change({ name: "named" }))[0]).toBe(400)
    const missing = { error: "label_id, name are missing, exactly one parameter must be provided" }
    const both = { error: "label_id, name are mutually exclusive" }
    expect(answerOf(await change({ color: "#000" }))).toEqual([400, missing])
    expect(answerOf(await change({ label_id: idOf(created), name: "named", color: "#000" }))).toEqual([400, both])
    const remove = (query: Readonly<Record<string, string>>) => service.request("DELETE", labels, { query })
    expect(answerOf(await remove({ name: "7 of 9" }))).toEqual(noLabel)
    expect(answerOf(await remove({ name: "named" }))).toEqual([204, undefined])
    expect(answerOf(await get(place, "named"))).toEqual(noLabel)
  })

  it("counts are told where they are asked for", async () => {
    await add(place, { name: "counted" })
    const counts = { open_issues_count: 0, closed_issues_count: 0, open_merge_requests_count: 0 }
    const { subscribed, ...more } = { ...shape, name: "counted" }
    const { description, description_html, id, name, text_color, color, ...last } = more
    const first = { id, name, description, description_html, text_color, color }
    const { body } = await get(place, undefined, { query: { with_counts: "true", search: "counted" } })
    expectExactly(body, [{ ...first, ...counts, subscribed, ...last }])
  })

  it("a title is free again when its label is deleted or has another one", async () => {
    const id = idOf(await add(place, { name: "first" }))
    expect(answerOf(await add(place, { name: " first " }))).toEqual(titleTaken)
    expect((await put(place, id, { new_name: "second" })).status).toBe(200)
    expect((await add(place, { name: "first" })).status).toBe(201)
    expect(answerOf(await put(place, id, { new_name: "first" }))).toEqual([
      400,
      { message: { title: ["has already been taken"] } }
    ])
    expect((await put(place, id, { new_name: "second", color: "#000" })).status).toBe(200)
    expect((await remove(place, id)).status).toBe(204)
    expect((await add(place, { name: "second" })).status).toBe(201)
    expect((await add(place, { name: "FIRST" })).status).toBe(201)
  })

  it("twenty of one title at once: one is created, the others are told that it is there", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(place, { name: "wanted" })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status !== 201).map(answerOf)).toEqual(Array.from({ length: 19 }, () => titleTaken))
    expect(await namesIn(place, { search: "wanted" })).toEqual(["wanted"])
  })

  it("ten that want one title at once: one gets it", async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, async (_, n) => idOf(await add(place, { name: `mover-${n}` }))))
    const answers = await Promise.all(ids.map((id) => put(place, id, { new_name: "meeting point" })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
    expect(await namesIn(place, { search: "meeting" })).toEqual(["meeting point"])
  })

  it("a creation that fails keeps no title", async () => {
    expect((await add(place, { name: "unlucky", color: "nonsense" })).status).toBe(400)
    expect((await add(place, { name: "unlucky" })).status).toBe(201)
  })

  it("a deletion asks what the caller has seen", async () => {
    await add(place, { name: "old" })
    const since = (date: Date) => ({ headers: { "if-unmodified-since": date.toUTCString() } })
    expect(answerOf(await remove(place, "old", since(new Date(0))))).toEqual([412, { message: "412 Precondition Failed" }])
    expect((await remove(place, "old", since(new Date(Date.now() + 60_000)))).status).toBe(204)
  })
})

describe("what is wrong is told", () => {
  let place = ""
  beforeAll(async () => {
    place = `projects/${await newProject()}`
    await add(place)
  })

  it.each<[object, unknown]>([
    [{}, { error: "name is missing, color is missing" }],
    [{ name: "a" }, { error: "color is missing" }],
    [{ ...complete, priority: "high" }, { error: "priority is invalid" }],
    [{ ...complete, name: "a", color: "x" }, { message: { color: ["must be a valid color code"] } }],
    [{ ...complete, name: "a", color: null }, { message: { color: ["must be a valid color code"] } }],
    [{ ...complete, name: " " }, { message: { title: ["can't be blank", "is invalid"] } }],
    [{ ...complete, name: "a,b" }, { message: { title: ["is invalid"] } }],
    [{ ...complete, name: "a".repeat(256) }, { message: { title: ["is too long (maximum is 255 characters)"] } }],
    [{ ...complete, name: "a", priority: -1 }, { message: { priority: ["must be greater than or equal to 0"] } }]
  ])("of a new one: %j", async (json, body) => {
    expect(answerOf(await service.request("POST", `/${place}/labels`, { json }))).toEqual([400, body])
  })

  const noneGiven = "are missing, at least one parameter must be provided"

  it.each<[object, unknown]>([
    [{}, { error: `new_name, color, description, priority ${noneGiven}` }],
    [{ color: "blue-ish" }, { message: { color: ["must be a valid color code"] } }],
    [{ new_name: "" }, { message: { title: ["can't be blank", "is invalid"] } }],
    [{ new_name: null }, { message: { title: ["can't be blank", "is invalid"] } }]
  ])("of a change: %j", async (json, body) => {
    expect(answerOf(await put(place, "bug", json))).toEqual([400, body])
  })

  it("of a change in a group, which has no priorities", async () => {
    const group = `groups/${await newGroup()}`
    await add(group, { priority: 3 })
    expect(answerOf(await put(group, "bug", { priority: 1 }))).toEqual([
      400,
      { error: `new_name, color, description ${noneGiven}` }
    ])
  })

  it.each(["0", "9".repeat(30), "-1", "bug2"])("nothing is called %s", async (name) => {
    expect(answerOf(await get(place, name))).toEqual(noLabel)
  })
})

it("priority and description are set, and taken away by null", async () => {
  const place = `projects/${await newProject()}`
  expect((await add(place, { priority: 0, description: "d" })).body).toMatchObject({ priority: 0, description: "d" })
  expect((await put(place, "bug", { priority: 7 })).body).toMatchObject({ priority: 7, description: "d" })
  expect((await put(place, "bug", { priority: null, description: null })).body).toMatchObject({
    priority: null,
    description: null
  })
})

it("an id is meant before a title of the same digits", async () => {
  const place = `projects/${await newProject()}`
  const id = idOf(await add(place))
  await add(place, { name: String(id) })
  expect((await get(place, id)).body).toMatchObject({ id, name: "bug" })
})
