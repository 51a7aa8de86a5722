import { expect, it } from "vitest"
import { field } from "#test/support/exactly.ts"
import { until } from "#test/support/until.ts"
import { useInstallation } from "./useInstallation.ts"

const { request, run } = useInstallation({ SCHEDULE_MIN_INTERVAL: "1" })

/** The event types of a history, each with who did it, and the indented lines that match. */
const told = (text: string, lines: RegExp) =>
  text
    .split("\n")
    .filter((line) => /^\d/.test(line) || lines.test(line))
    .map((line) => line.replace(/^\S+ {2}\d+ {2}/, "").replace(/ {2}request .*$/, ""))

it("tells every change and every run of a schedule: who, what it was and is, and which slot made which pipeline", async () => {
  const json = { branch: "main", commit_message: "First", content: "a:\n  script: make\n" }
  await request("POST", "/groups", { json: { name: "Tools", path: "tools" } })
  await request("POST", "/projects", { json: { name: "demo", namespace_id: 2 } })
  await request("POST", "/projects/1/repository/files/.gitlab-ci.yml", { json })
  const schedules = "/projects/1/pipeline_schedules"
  const yearly = { description: "Nightly", ref: "main", cron: "0 0 29 2 *" }
  await request("POST", schedules, { json: yearly })
  await request("PUT", `${schedules}/1`, { json: { cron: "* * * * * *", description: "Every second" } })
  const runs = async () => {
    const { body } = await request("GET", `${schedules}/1/runs`)
    return Array.isArray(body) ? body.filter((one) => field(one, "state") === "fired") : []
  }
  await until(async () => (await runs()).length > 0)
  await request("PUT", `${schedules}/1`, { json: { active: false } })
  const { code, stdout } = await run("history", "schedule", "tools/demo", "1")
  const [first] = (await runs()).toReversed()
  const lines = told(stdout, /changes\.|pipelineId|^ {4}at:/)
  expect(code).toBe(0)
  expect(lines.slice(0, 7)).toEqual([
    "ScheduleCreated  user:1",
    "ScheduleChanged  user:1",
    '    changes.description: "Nightly" -> "Every second"',
    '    changes.cron: "0 0 29 2 *" -> "* * * * * *"',
    "SlotStarted  system:scheduler",
    `    at: "${field(first, "scheduled_at")}"`,
    `    pipelineId: ${field(field(first, "pipeline"), "id")}`
  ])
  expect(lines[7]).toBe("PipelineCreated  system:scheduler")
  expect(lines).toContain("    changes.isActive: true -> false")
  expect((await run("history", "schedule", "tools/demo", "7")).stderr.trim()).toBe(
    "ERROR\n  There is no schedule 7 in a project tools/demo"
  )
})
