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
    .map((line) => line.replace(/^\S+ {2}\d+ {2}/, "").replace(/ {2}(?:request|because of) .*$/, ""))

it("tells every change and every run of a schedule: who, what it was and is, and which slot made which pipeline", async () => {
  const json = { branch: "main", commit_message: "First", content: "a:\n  script: make\n" }
  await request("POST", "/groups", { json: { name: "Tools", path: "tools" } })
  await request("POST", "/projects", { json: { name: "demo", namespace_id: 2 } })
  await request("POST", "/projects/1/repository/files/.gitlab-ci.yml", { json })
  const schedules = "/projects/1/pipeline_schedules"
  const yearly = { description: "Nightly", ref: "main", cron: "0 0 29 2 *" }
  const created = await request("POST", schedules, { json: yearly })
  const changed = await request("PUT", `${schedules}/1`, { json: { cron: "* * * * * *", description: "Every second" } })
  const nextRun = field(changed.body, "next_run_at")
  const runs = async () => {
    const { body } = await request("GET", `${schedules}/1/runs`)
    return Array.isArray(body) ? body.filter((one) => field(one, "state") === "fired") : []
  }
  await until(async () => (await runs()).length > 0)
  await request("PUT", `${schedules}/1`, { json: { active: false } })
  const { code, stdout } = await run("history", "schedule", "tools/demo", "1")
  const [first] = (await runs()).toReversed()
  const lines = told(stdout, / -> |pipeline_id|^ {4}at:/)
  expect(code).toBe(0)
  expect(lines.slice(0, 9)).toEqual([
    "ScheduleCreated  user:1 @root",
    "ScheduleChanged  user:1 @root",
    '    description: "Nightly" -> "Every second"',
    '    cron: "0 0 29 2 *" -> "* * * * * *"',
    `    next_run_at: "${field(created.body, "next_run_at")}" -> "${nextRun}"`,
    "SlotStarted  system:scheduler",
    `    at: "${field(first, "scheduled_at")}"`,
    `    pipeline_id: ${field(field(first, "pipeline"), "id")}`,
    expect.stringMatching(`^    next_run_at: "${nextRun}" -> "[\\d-]+T[\\d:.]+Z"$`)
  ])
  expect(lines[9]).toBe("PipelineCreated  system:scheduler")
  expect(lines).toContain("    active: true -> false")
  expect((await run("history", "schedule", "tools/demo", "7")).stderr.trim()).toBe(
    "ERROR\n  There is no schedule 7 in tools/demo"
  )
})

it("tells of variables, plays, take-overs, shut-outs, runs that failed or passed, and the deletion; of values nothing", async () => {
  const json = { branch: "main", commit_message: "First", content: "a:\n  script: make\n" }
  const { body: project } = await request("POST", "/projects", { json: { name: "told" } })
  const path = `/projects/${field(project, "id")}`
  await request("POST", `${path}/repository/files/.gitlab-ci.yml`, { json })
  const account = { username: "ada", name: "Ada", email: "ada@example.com", force_random_password: true }
  const ada = field((await request("POST", "/users", { json: account })).body, "id")
  const issued = await request("POST", `/users/${ada}/personal_access_tokens`, { json: { name: "t", scopes: ["api"] } })
  await request("POST", `${path}/members`, { json: { user_id: ada, access_level: 40 } })
  const schedules = `${path}/pipeline_schedules`
  const add = async (more: object) => {
    const settings = { description: "Nightly", ref: "main", cron: "0 0 29 2 *", ...more }
    return Number(field((await request("POST", schedules, { json: settings })).body, "id"))
  }
  const id = await add({})
  const one = `${schedules}/${id}`
  await request("POST", `${one}/variables`, { json: { key: "KEY", value: "swordfish-nine" } })
  await request("POST", `${one}/variables`, { json: { key: "OTHER", value: "correct-horse", variable_type: "file" } })
  await request("PUT", `${one}/variables/KEY`, { json: { value: "hunter-two", variable_type: "file" } })
  await request("DELETE", `${one}/variables/KEY`)
  await request("POST", `${one}/play`)
  const made = (await request("GET", `${one}/pipelines`)).body
  await request("POST", `${one}/take_ownership`, { token: String(field(issued.body, "token")) })
  await request("POST", `/users/${ada}/block`)
  await until(async () => field((await request("GET", one)).body, "active") === false)
  await request("DELETE", one)
  const { stdout } = await run("history", `schedule-${id}`)
  expect(told(stdout, /^ {4}(?:key|owner_id|by|pipeline_id|reason)| -> /)).toEqual([
    "ScheduleCreated  user:1 @root",
    "    owner_id: @root",
    "VariableAdded  user:1 @root",
    '    key: "KEY"',
    "VariableAdded  user:1 @root",
    '    key: "OTHER"',
    "VariableChanged  user:1 @root",
    '    key: "KEY"',
    '    variable_type: "env_var" -> "file"',
    expect.stringMatching(/^ {4}value: "\[sealed\]" -> "\[sealed\]"$/),
    "VariableRemoved  user:1 @root",
    '    key: "KEY"',
    "Played  user:1 @root",
    "    by: @root",
    `    pipeline_id: ${field([made].flat()[0], "id")}`,
    `OwnershipTaken  user:${ada} @ada`,
    "    owner_id: @root -> @ada",
    expect.stringMatching(/^ScheduleDeactivated {2}system:/),
    '    reason: "owner_blocked"',
    "ScheduleDeleted  user:1 @root"
  ])
  expect(stdout).not.toMatch(/swordfish|hunter|horse/)

  const failing = await add({ ref: "refs/heads/nowhere", cron: "* * * * * *" })
  const hasRun = async (state: string) => {
    const { body } = await request("GET", `${schedules}/${failing}/runs`)
    return [body].flat().some((each) => field(each, "state") === state)
  }
  await until(() => hasRun("failed"))
  await request("POST", `${path}/archive`)
  await until(() => hasRun("skipped"))
  const runs = told((await run("history", "schedule", "root/told", `${failing}`)).stdout, /^ {4}(?:outcome|message|reason|slots)/)
  expect(runs.slice(0, 5)).toEqual([
    "ScheduleCreated  user:1 @root",
    "SlotStarted  system:scheduler",
    "SlotEnded  system:scheduler",
    '    outcome: "failed"',
    '    message: "Reference not found"'
  ])
  const passed = runs.indexOf("SlotsSkipped  system:scheduler")
  expect(runs.slice(passed, passed + 3)).toEqual([
    "SlotsSkipped  system:scheduler",
    expect.stringMatching(/^ {4}slots: \["20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z"/),
    '    reason: "archived"'
  ])
})
