import { expect, it } from "vitest"
import { Projections } from "#src/platform/Projections.ts"
import { anyTime, expectExactly, field } from "#test/support/exactly.ts"
import { useScheduler } from "../useScheduler.ts"
import { idOf } from "../useSchedules.ts"

const { add, fireAt, get, newProject, pathOf, pipelinesOf, put, remove, scheduled, service } = useScheduler()
const hour = 3_600_000

it("made anew from the log the read model is what it was, with all runs", async () => {
  const { id, next, projectId } = await scheduled("rebuilt")
  const path = pathOf(projectId, id)
  await service.request("POST", `${path}/variables`, { json: { key: "B", value: "v" } })
  await service.request("POST", `${path}/variables`, { json: { key: "A", value: "v" } })
  await service.request("PUT", `${path}/variables/B`, { json: { value: "w", variable_type: "file" } })
  await fireAt(next)
  await fireAt(next + 3 * hour)
  await put(projectId, id, { description: "Changed" })
  const failing = idOf(await add(projectId, { cron: "0 * * * *", ref: "refs/heads/nowhere" }))
  await fireAt(next)
  await remove(projectId, idOf(await add(projectId)))
  const read = () =>
    Promise.all(
      ["", `/${id}`, `/${id}/runs`, `/${id}/pipelines`, `/${failing}/runs`].map(
        async (end) => (await service.request("GET", `${pathOf(projectId)}${end}`)).body
      )
    )
  const before = await read()

  const rebuild = await service.run(Projections.use((projections) => projections.requestRebuild(["schedules"])))
  const progress = () => service.run(Projections.use((projections) => projections.rebuildProgress(rebuild)))
  await expect.poll(async () => (await progress())?.state).toBe("finished")
  expect(await progress()).toMatchObject({ differing: 0, examples: [] })
  expect(await read()).toEqual(before)
  expect(idOf(await add(projectId))).toBeGreaterThan(failing)
})

it("runs are shown whole, the latest first", async () => {
  const { id, next, projectId } = await scheduled("runs-whole")
  await fireAt(next)
  await fireAt(next + 2 * hour)
  const [, pipeline] = await pipelinesOf(projectId, id)
  const run = (index: number, others: object) => ({
    scheduled_at: new Date(next + index * hour).toISOString(),
    state: "fired",
    reason: "normal",
    message: null,
    noted_at: anyTime,
    has_more: false,
    ...others
  })
  const shown = { ...Object(pipeline), source: "schedule" }
  const { body, headers } = await service.request("GET", `${pathOf(projectId, id)}/runs`)
  const first = field(Array.isArray(body) ? body[2] : undefined, "pipeline")
  expectExactly(body, [
    run(2, { pipeline: shown }),
    run(1, { state: "skipped", reason: "superseded", pipeline: null }),
    run(0, { pipeline: first })
  ])
  expect(headers.get("x-total")).toBe("3")
  await service.request("DELETE", `/projects/${projectId}/pipelines/${field(pipeline, "id")}`)
  const { body: after } = await service.request("GET", `${pathOf(projectId, id)}/runs?per_page=1`)
  expectExactly(after, [run(2, { pipeline: null })])
})

it("a schedule whose pipeline cannot be made says why", async () => {
  const projectId = await newProject("runs-failing")
  const id = idOf(await add(projectId, { cron: "0 * * * *" }))
  const next = Date.parse(String(field((await get(projectId, id)).body, "next_run_at")))
  await fireAt(next)
  const { body } = await service.request("GET", `${pathOf(projectId, id)}/runs`)
  expectExactly(body, [
    {
      scheduled_at: new Date(next).toISOString(),
      state: "failed",
      reason: "normal",
      message: "Missing CI config file",
      noted_at: anyTime,
      has_more: false,
      pipeline: null
    }
  ])
})

it("of very many that passed the first 500 are shown, the last of them with a note that there were more", async () => {
  const { id, next, projectId } = await scheduled("runs-cut-short", { cron: "* * * * *" })
  const minute = 60_000
  await fireAt(next + 500 * minute)
  const path = `${pathOf(projectId, id)}/runs`
  const shown = async () => {
    const { body, headers } = await service.request("GET", `${path}?per_page=3`)
    const rows = (Array.isArray(body) ? body : []).map((run) => [
      (Date.parse(String(field(run, "scheduled_at"))) - next) / minute,
      field(run, "state"),
      field(run, "has_more")
    ])
    return [headers.get("x-total"), ...rows]
  }
  // All are named.
  expect(await shown()).toEqual(["501", [500, "fired", false], [499, "skipped", false], [498, "skipped", false]])
  await fireAt(next + 1_002 * minute)
  expect(await shown()).toEqual(["1002", [1_002, "fired", false], [1_000, "skipped", true], [999, "skipped", false]])
})
