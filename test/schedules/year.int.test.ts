import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { useScheduler } from "./useScheduler.ts"

// A service of its own: schedules of other tests would run on each of these days too, once for every hour and minute of it.
const { fireAt, get, pathOf, scheduled, service } = useScheduler()
const nextOf = async (projectId: number, id: number) => Date.parse(String(field((await get(projectId, id)).body, "next_run_at")))

it("a schedule runs at the local time through a year, in which the clock is set twice", async () => {
  const { id, next, projectId } = await scheduled("year", { cron: "30 2 * * *", cron_timezone: "Europe/Berlin" })
  for (let at = next, day = 0; day < 366; day++, at = await nextOf(projectId, id)) await fireAt(at)
  const runs: Array<unknown> = []
  for (const page of [4, 3, 2, 1]) {
    const { body } = await service.request("GET", `${pathOf(projectId, id)}/runs?per_page=100&page=${page}`)
    runs.push(...(Array.isArray(body) ? body : []).toReversed())
  }
  const local = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", hour: "2-digit", minute: "2-digit" })
  const times = runs.map((run) => local.format(new Date(String(field(run, "scheduled_at")))))
  expect(runs.length).toBe(366)
  expect(times.filter((time) => time !== "02:30")).toEqual(["03:00"])
  expect(new Set(runs.map((run) => field(run, "state")))).toEqual(new Set(["fired"]))
  expect(runs.filter((run) => field(run, "reason") === "moved_out_of_gap")).toHaveLength(1)
})
