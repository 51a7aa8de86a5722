import { describe, expect, it } from "vitest"
import { expectExactly, field } from "#test/support/exactly.ts"
import { idOf, useSchedules } from "../useSchedules.ts"

const { add, get, newProject, pathOf, service } = useSchedules()

const previewOf = async (project: number, json: object, count?: number) => {
  const id = idOf(await add(project, json))
  const query = count === undefined ? {} : { count: `${count}` }
  const { body, status } = await service.request("GET", `${pathOf(project, id)}/preview`, { query })
  const [next] = Array.isArray(body) ? body : []
  const { body: schedule } = await get(project, id)
  return { status, body, next: field(next, "at"), planned: field(schedule, "next_run_at") }
}

describe("the preview", () => {
  it("tells the next runs with local time, offset and reason, of inactive schedules too", async () => {
    const project = await newProject("previews")
    const json = { cron: "30 2 * * *", cron_timezone: "Asia/Kolkata", active: false }
    const { body, next, planned, status } = await previewOf(project, json, 2)
    const first = Date.parse(String(planned))
    const entry = (at: number) => {
      const local_time = new Date(at + 5.5 * 3_600_000).toISOString().slice(0, 19)
      return { at: new Date(at).toISOString(), local_time, offset: "+05:30", reason: "normal" }
    }
    expect([status, next]).toEqual([200, planned])
    expectExactly(body, [entry(first), entry(first + 24 * 3_600_000)])
  })

  it("has ten where nobody says how many, and a hundred at most", async () => {
    const project = await newProject("counts")
    const numbers = [undefined, 1, 100].map(async (count) => {
      const { body } = await previewOf(project, { cron: "* * * * *" }, count)
      return Array.isArray(body) && body.length
    })
    expect(await Promise.all(numbers)).toEqual([10, 1, 100])
  })

  it("shows what is moved out of a skipped hour, and what does not run again in a repeated one", async () => {
    const project = await newProject("clocks")
    const reasonsOf = async (cron: string) => {
      const { body } = await previewOf(project, { cron, cron_timezone: "Europe/Berlin" }, 3)
      const entries: ReadonlyArray<unknown> = Array.isArray(body) ? body : []
      return entries.map((each) => [String(field(each, "local_time")).slice(11), field(each, "offset"), field(each, "reason")])
    }
    // The last Sunday of March, and of October.
    expect(await reasonsOf("30 2 * 3 sun#last")).toEqual(Array(3).fill(["03:00:00", "+02:00", "moved_out_of_gap"]))
    const once = [
      ["02:30:00", "+02:00", "normal"],
      ["02:30:00", "+01:00", "suppressed_in_repeat"]
    ]
    expect(await reasonsOf("30 2 * 10 sun#last")).toEqual([...once, ...once, ...once])
  })
})

describe("the runs", () => {
  it("of a schedule that did not run yet are none", async () => {
    const project = await newProject("runs")
    const { body, headers, status } = await service.request("GET", `${pathOf(project, idOf(await add(project)))}/runs`)
    expect([status, body, headers.get("x-total")]).toEqual([200, [], "0"])
  })
})

describe("the least interval", () => {
  const hourly = useSchedules({ SCHEDULE_MIN_INTERVAL: "3600" })

  it("keeps runs apart", async () => {
    const project = await hourly.newProject("apart")
    const id = idOf(await hourly.add(project, { cron: "*/7 * * * * *" }))
    const path = `${hourly.pathOf(project, id)}/preview`
    const { body } = await hourly.service.request("GET", path, { query: { count: "3" } })
    const times = (Array.isArray(body) ? body : []).map((each) => Date.parse(String(field(each, "at"))))
    expect(times.map((at) => at - (times[0] ?? 0))).toEqual([0, 3_600_000, 7_200_000])
  })
})
