import { Clock, Effect, Result, Schema } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { AnyMilestone, MilestoneQueries, presentMilestone } from "#src/milestones/Milestones.ts"
import { Projections } from "#src/platform/Projections.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"
import { field } from "#test/support/exactly.ts"
import { answerOf } from "#test/support/service.ts"
import { idOf, noMilestone, useMilestones } from "./useMilestones.ts"

const { service, add, get, newGroup, newProject, put, remove, titlesIn } = useMilestones()

let [top, below, project] = ["", "", ""]
const ids: Record<string, number> = {}
beforeAll(async () => {
  const topId = await newGroup()
  const belowId = await newGroup({ parent_id: topId })
  const projectId = await newProject({ namespace_id: belowId })
  ;[top, below, project] = [`groups/${topId}`, `groups/${belowId}`, `projects/${projectId}`]
  ids.top = idOf(await add(top, { title: "top", description: "Words of all" }))
  ids.below = idOf(await add(below, { title: "below" }))
  ids.one = idOf(await add(project, { title: "one", description: "Some words" }))
  ids.two = idOf(await add(project, { title: "two" }))
  ids.three = idOf(await add(project, { title: "three" }))
  await put(project, ids.two, { state_event: "close" })
  await add(`groups/${await newGroup()}`, { title: "of a stranger" })
})

describe("the list of a project", () => {
  const above = { include_ancestors: "true" }

  it.each<[object, ReadonlyArray<string>]>([
    [{}, ["three", "two", "one"]],
    [above, ["three", "two", "one", "below", "top"]],
    [{ include_parent_milestones: "true" }, ["three", "two", "one", "below", "top"]],
    [{ state: "active" }, ["three", "one"]],
    [{ state: "closed" }, ["two"]],
    [{ state: "all" }, ["three", "two", "one"]],
    [{ title: "one" }, ["one"]],
    [{ title: "on" }, []],
    [{ search: "T" }, ["three", "two"]],
    [{ ...above, search: "words" }, ["one", "top"]],
    [{ "iids[]": "1" }, ["one"]],
    [{ iids: "1,3,x" }, ["three", "one"]],
    [{ ...above, iids: "1" }, ["one", "below", "top"]],
    [{ updated_before: "2020-01-01" }, []],
    [{ updated_after: "2020-01-01", state: "closed" }, ["two"]]
  ])("by %j", async (query, titles) => {
    expect(await titlesIn(project, Object.fromEntries(Object.entries(query)))).toEqual(titles)
  })

  it("comes in pages", async () => {
    const { body, headers } = await get(project, undefined, { query: { per_page: "2", page: "2" } })
    expect(Array.isArray(body) && body.map((milestone) => field(milestone, "title"))).toEqual(["one"])
    const names = ["x-per-page", "x-page", "x-next-page", "x-prev-page", "x-total", "x-total-pages"]
    expect(names.map((name) => headers.get(name))).toEqual(["2", "2", "", "1", "3", "2"])
    const query = (page: number) => `id=${project.split("/")[1]}&page=${page}&per_page=2&state=all`
    const links = ["prev", "first", "last"].map(
      (relation) => `<${service.url}/api/v4/${project}/milestones?${query(relation === "last" ? 2 : 1)}>; rel="${relation}"`
    )
    expect(headers.get("link")).toBe(links.join(", "))
  })
})

it("a group tells its own, and those above it where they are wanted", async () => {
  expect(await titlesIn(below)).toEqual(["below"])
  expect(await titlesIn(below, { include_ancestors: "true" })).toEqual(["below", "top"])
})

it("a milestone is read in its own project or group only, by its id", async () => {
  expect((await get(project, ids.one)).body).toMatchObject({ iid: 1, title: "one" })
  expect(answerOf(await get(project, ids.top))).toEqual(noMilestone)
  expect(answerOf(await get(below, ids.one))).toEqual(noMilestone)
  expect(answerOf(await put(below, ids.top, { title: "x" }))).toEqual(noMilestone)
  expect(answerOf(await remove(project, ids.below))).toEqual(noMilestone)
})

it("others find those that a project may use, and show them", async () => {
  const parent = { kind: "project", id: Number(project.split("/")[1]) } as const
  const { foreign, found, now } = await service.run(
    Effect.gen(function* () {
      const milestones = yield* MilestoneQueries
      const find = (id: number | undefined) => milestones.find({ parent, withAncestors: true }, id ?? 0)
      return {
        foreign: yield* find(999_999),
        found: [yield* find(ids.one), yield* find(ids.top)].flatMap((row) => row ?? []),
        now: yield* Clock.currentTimeMillis
      }
    })
  )
  const shown = found.map((row) => presentMilestone(row, { externalUrl: service.url, now }))
  expect(foreign).toBeUndefined()
  expect(shown).toEqual([(await get(project, ids.one)).body, (await get(top, ids.top)).body])
  expect(Result.isSuccess(Schema.decodeResult(Schema.Array(AnyMilestone))(shown))).toBe(true)
  const byIds = await service.run(MilestoneQueries.use(({ withIds }) => withIds([ids.two ?? 0, ids.top ?? 0])))
  expect(byIds.map(({ title }) => title)).toEqual(["top", "two"])
})

it("made anew from the log the read model is what it was; milestones go with their project, and numbers stay", async () => {
  const doomed = await newProject()
  await add(`projects/${doomed}`)
  await service.request("DELETE", `/projects/${doomed}`)
  await remove(project, idOf(await add(project, { title: "gone" })))
  const read = async () => [(await get(project)).body, (await get(below)).body, (await get(top)).body]
  const before = await read()
  const id = await service.run(Projections.use((projections) => projections.requestRebuild(["milestones"])))
  const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(id)))
  await expect.poll(async () => (await progress())?.state).toBe("finished")
  expect(await progress()).toMatchObject({ differing: 0, examples: [] })
  expect(await read()).toEqual(before)
  // The counter is lost, as where only the log was restored.
  await service.run(Sql.use(({ client }) => query(() => client`delete from chronoforge.numbers`)))
  expect((await add(project, { title: "next" })).body).toMatchObject({ iid: 5 })
})
