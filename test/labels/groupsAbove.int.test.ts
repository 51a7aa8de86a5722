import { beforeAll, describe, expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { noLabel, titleTaken, useLabels } from "./useLabels.ts"

const { service, add, get, namesIn, newGroup, newProject, put, remove } = useLabels()

let [top, below, project] = ["", "", ""]
beforeAll(async () => {
  const topId = await newGroup({ visibility: "public" })
  const belowId = await newGroup({ parent_id: topId, visibility: "public" })
  const projectId = await newProject({ namespace_id: belowId, visibility: "public" })
  ;[top, below, project] = [`groups/${topId}`, `groups/${belowId}`, `projects/${projectId}`]
  await add(project, { name: "c-own", description: "Of one project" })
  await add(below, { name: "b-below", description: "Words of a group" })
  await add(top, { name: "a-top", description: "Other words" })
  await add(`groups/${await newGroup()}`, { name: "of a stranger" })
})

describe("lists", () => {
  const own = { include_ancestor_groups: "false" }

  it("tell labels of the groups above, unless these are not wanted", async () => {
    expect(await namesIn(project)).toEqual(["a-top", "b-below", "c-own"])
    expect(await namesIn(below)).toEqual(["a-top", "b-below"])
    expect(await namesIn(top)).toEqual(["a-top"])
    expect([await namesIn(project, own), await namesIn(below, own), await namesIn(top, own)]).toEqual([
      ["c-own"],
      ["b-below"],
      ["a-top"]
    ])
  })

  it("tell which ones are of the project", async () => {
    const { body } = await get(project)
    expect(Array.isArray(body) && body.map((label) => field(label, "is_project_label"))).toEqual([false, false, true])
  })

  it.each([
    ["", ["a-top", "b-below", "c-own"]],
    ["TOP", ["a-top"]],
    ["words", ["a-top", "b-below"]],
    ["words group", ["b-below"]],
    ["words top", []],
    ["o", ["a-top", "b-below", "c-own"]],
    ["%", []]
  ])("are searched for %j", async (search, names) => {
    expect(await namesIn(project, { search })).toEqual(names)
  })

  it("come in pages", async () => {
    const page = async (query: Readonly<Record<string, string>>) => {
      const { body, headers } = await get(project, undefined, { query })
      const names = ["x-per-page", "x-page", "x-next-page", "x-prev-page", "x-total", "x-total-pages"]
      return [Array.isArray(body) && body.map((label) => field(label, "name")), names.map((name) => headers.get(name))]
    }
    expect(await page({})).toEqual([
      ["a-top", "b-below", "c-own"],
      ["20", "1", "", "", "3", "1"]
    ])
    expect(await page({ per_page: "2" })).toEqual([
      ["a-top", "b-below"],
      ["2", "1", "2", "", "3", "2"]
    ])
    expect(await page({ per_page: "2", page: "2" })).toEqual([["c-own"], ["2", "2", "", "1", "3", "2"]])
    expect(await page({ page: "9" })).toEqual([[], ["20", "9", "", "", "3", "1"]])
    expect((await get(project, undefined, { query: { page: "2", per_page: "1" } })).headers.get("link")).toBe(
      [1, 3, 1, 3]
        .map((number, index) => {
          const relation = ["prev", "next", "first", "last"][index]
          const query = `id=${project.split("/")[1]}&include_ancestor_groups=true&page=${number}&per_page=1&with_counts=false`
          return `<${service.url}/api/v4/${project}/labels?${query}>; rel="${relation}"`
        })
        .join(", ")
    )
  })
})

it("a label of a group above is read, but changed and deleted in its group only", async () => {
  expect((await get(project, "a-top")).body).toMatchObject({ name: "a-top", is_project_label: false, priority: null })
  const query = { include_ancestor_groups: "false" }
  expect(answerOf(await get(project, "a-top", { query }))).toEqual(noLabel)
  expect(answerOf(await put(project, "a-top", { color: "#000" }))).toEqual(noLabel)
  expect(answerOf(await remove(below, "a-top"))).toEqual(noLabel)
})

it("no label is created whose title a group above has; a group does not ask what is below it", async () => {
  expect(answerOf(await add(project, { name: "a-top" }))).toEqual(titleTaken)
  expect(answerOf(await add(below, { name: "a-top" }))).toEqual(titleTaken)
  expect((await add(top, { name: "c-own", color: "#000" })).status).toBe(201)
  expect((await get(project, "c-own")).body).toMatchObject({ is_project_label: true, color: "#D9534F" })
  expect(await namesIn(project, { search: "c-own" })).toEqual(["c-own", "c-own"])
})

it("labels go with their project or group", async () => {
  const parent_id = await newGroup()
  const namespace_id = await newGroup({ parent_id })
  const place = `projects/${await newProject({ namespace_id })}`
  await add(place, { name: "of the project" })
  await add(`groups/${namespace_id}`, { name: "of the group" })
  const others = async () => (await get(`groups/${parent_id}`)).body
  await add(`groups/${parent_id}`, { name: "stays" })
  const before = await others()
  await service.request("DELETE", `/groups/${namespace_id}`)
  expect(answerOf(await get(place))).toEqual([404, { message: "404 Project Not Found" }])
  expect(answerOf(await get(`groups/${namespace_id}`))).toEqual([404, { message: "404 Group Not Found" }])
  expect(await others()).toEqual(before)
})
