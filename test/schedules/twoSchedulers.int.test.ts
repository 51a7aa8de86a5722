import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { ask, freshDatabase } from "#test/support/database.ts"
import { ownsPort } from "#test/support/processes/ownsPort.ts"
import { type ServeProcess, serveProcess } from "#test/support/processes/serveProcess.ts"
import { until } from "#test/support/until.ts"

const scope = Scope.makeUnsafe()
let settings: Readonly<Record<string, string>> = {}
const services: Array<ServeProcess> = []
const started = async () => {
  const service = await serveProcess(settings)
  services.push(service)
  return service
}
const sql = (statement: string) => Effect.runPromise(ask(settings.DATABASE_URL ?? "", statement))

beforeAll(async () => {
  const url = await Effect.runPromise(Scope.provide(freshDatabase(), scope))
  const folder = await mkdtemp(join(tmpdir(), "chronoforge-two-"))
  settings = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    SCHEDULE_MIN_INTERVAL: "1",
    SCHEDULE_MISSED: "run_all",
    SCHEDULES_PER_PROJECT: "0"
  }
})
afterAll(async () => {
  for (const service of services) await service.end("SIGKILL")
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await rm(settings.DATA_DIR ?? "", { recursive: true, force: true })
})

const count = 200
/** Seconds between two slots of each schedule. */
const period = 10

const firedSlots = async () =>
  Number((await sql("select count(distinct at) from rm_schedules.slots where state = 'fired'"))[0]?.[0] ?? 0)

/** The port of the connection by which one of them leads. */
const leadingPort = async () => {
  const rows = await sql(`
    select a.client_port from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and a.application_name = 'chronoforge-scheduler'`)
  return Number(rows[0]?.[0])
}

it("two schedulers, of which the leading one stands still and the other is killed, start every slot once", async () => {
  const one = await started()
  const json = { branch: "main", commit_message: "First", content: "a:\n  script: make\n" }
  await one.request("POST", "/projects", { json: { name: "demo" } })
  await one.request("POST", "/projects/1/repository/files/.gitlab-ci.yml", { json })
  const cron = `*/${period} * * * * *`
  for (let made = 0; made < count; made++) {
    await one.request("POST", "/projects/1/pipeline_schedules", { json: { description: `${made}`, ref: "main", cron } })
  }
  const two = await started()
  await until(async () => (await firedSlots()) >= 2)
  // On a loaded machine the lead may change, and nobody have it for a moment.
  let before = Number.NaN
  const leading = async () => {
    before = await leadingPort()
    return [one, two].find(({ pid }) => ownsPort(pid, before))
  }
  await until(async () => (await leading()) !== undefined)
  const leader = ownsPort(one.pid, before) ? one : two
  const other = leader === one ? two : one
  process.kill(leader.pid, "SIGSTOP")
  const stopped = performance.now()
  await until(async () => ![before, Number.NaN].includes(await leadingPort()))
  expect(performance.now() - stopped).toBeLessThan(5_000)
  const slots = await firedSlots()
  await until(async () => (await firedSlots()) >= slots + 2)
  process.kill(leader.pid, "SIGCONT")
  await other.end("SIGKILL")
  const left = await firedSlots()
  await until(async () => (await firedSlots()) >= left + 2)
  const [[end] = []] = await sql(
    "select min(last) from (select max(at) as last from rm_schedules.slots where state = 'fired' group by schedule_id) each"
  )
  await leader.request("POST", "/projects/1/archive")
  await until(async () => (await sql("select 1 from rm_schedules.slots where state = 'started'")).length === 0)

  // Every slot of the time in which all were there.
  const wrong = await sql(`
    select s.id, g.at, t.state from rm_schedules.schedules s
    cross join (select distinct at from rm_schedules.slots where state = 'fired') g
    left join rm_schedules.slots t on t.schedule_id = s.id and t.at = g.at
    where g.at > (select max(created_at) + ${period * 1000} from rm_schedules.schedules)
      and t.state is distinct from 'fired'
      and g.at < ${Number(end)}`)
  expect(wrong).toEqual([])
  const unlike = await sql(`
    select t.schedule_id, t.at, count(p.id) from rm_schedules.slots t
    left join rm_pipelines.pipelines p on p.id = t.pipeline_id
    where t.state = 'fired' group by 1, 2 having count(p.id) <> 1`)
  expect(unlike).toEqual([])
  const [numbers] = await sql(`
    select (select count(*) from rm_pipelines.pipelines where schedule_id is not null),
      (select count(*) from rm_schedules.slots where state = 'fired')`)
  expect(numbers?.[0]).toBe(numbers?.[1])
})
