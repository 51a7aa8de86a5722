import { join } from "node:path"
import postgres from "postgres"
import type { Databases } from "../database.ts"
import { figureOf, type Row } from "../figures.ts"
import { statOf } from "../processTimes.ts"
import { ask, type Service, withService } from "../service.ts"

/** Active schedules, and how many of them are due in one minute. */
const [active, due] = [10_000, 1_000]
/** Each of them has as many schedules as a project may have by default. */
const projects = 1_000
const quietSeconds = 20

const fieldOf = (body: unknown, name: string): number => Number(Object(body)[name])

const inParallel = async (count: number, parallel: number, make: (index: number) => Promise<unknown>): Promise<void> => {
  let next = 0
  const worker = async () => {
    while (next < count) await make(next++)
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}

/** Projects with a configuration of three jobs: their ids. */
const makeProjects = async (service: Service): Promise<ReadonlyArray<number>> => {
  const content =
    "build:\n  stage: build\n  script: make\ntest:\n  script: make test\ndeploy:\n  stage: deploy\n  script: make deploy\n"
  const ids: Array<number> = []
  await inParallel(projects, 8, async (index) => {
    const id = fieldOf(await ask(service, "POST", "/projects", { name: `scheduled-${index}` }), "id")
    await ask(service, "POST", `/projects/${id}/repository/files/.gitlab-ci.yml`, {
      branch: "main",
      commit_message: "[skip ci]",
      content
    })
    ids.push(id)
  })
  return ids
}

const schedule = (service: Service, projectId: number, index: number, cron: string) =>
  ask(service, "POST", `/projects/${projectId}/pipeline_schedules`, { description: `${index}`, ref: "refs/heads/main", cron })

const rest = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Percent of one processor that the service takes while nothing is due. */
const idle = async ({ child }: Service): Promise<number> => {
  const millis = () => statOf(child.pid ?? 0)?.millis ?? Number.NaN
  const before = millis()
  await rest(quietSeconds)
  return (millis() - before) / (quietSeconds * 10)
}

/** How long another caller waits for answers until there are no more to wait for, in milliseconds, the shortest time first. */
const innocent = async (service: Service, isOver: () => boolean): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  while (!isOver()) {
    const asked = performance.now()
    await ask(service, "GET", "/user")
    times.push(performance.now() - asked)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return times.toSorted((one, other) => one - other)
}

const quantile = (sorted: ReadonlyArray<number>, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

/** The minute, since 1970, in which a thousand schedules, each of another project, are due: far enough away to make them before. */
const minuteAhead = (): number => Math.floor(Date.now() / 60_000) + 2

/** How late a thousand schedules of the same minute run, of ten thousand, and what those cost that are not due. */
export const scheduleRows = async (databases: Databases, folder: string): Promise<ReadonlyArray<Row>> => {
  const url = await databases.migrated("schedules_ours")
  const settings = { DATABASE_URL: url, DATA_DIR: join(folder, "schedules"), SCHEDULES_PER_PROJECT: "0" }
  return withService(settings, async (service) => {
    const ids = await makeProjects(service)
    const projectOf = (index: number) => ids[index % ids.length] ?? 0
    await inParallel(active - due, 16, (index) => schedule(service, projectOf(index), index, "0 0 29 2 *"))
    // What making them left behind is cleaned up by then.
    await rest(30)
    const idlePart = await idle(service)
    const minute = minuteAhead()
    const at = new Date(minute * 60_000)
    const cron = `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`
    await inParallel(due, 16, (index) => schedule(service, projectOf(index), index, cron))
    const sql = postgres(url, { max: 1 })
    try {
      const fired = async () => {
        const [row] = await sql<Array<{ count: number }>>`
          select count(*)::int as count from rm_schedules.slots where at = ${at.getTime()} and state = 'fired'`
        return row?.count ?? 0
      }
      await rest(at.getTime() / 1000 - Date.now() / 1000)
      let isOver = false
      const waits = innocent(service, () => isOver)
      while ((await fired()) < due) await rest(0.5)
      isOver = true
      const waited = await waits
      const rows = await sql<Array<{ started: number; made: number }>>`
        select (t.noted_at - t.at)::int as started, (p.created_at - t.at)::int as made
        from rm_schedules.slots t join rm_pipelines.pipelines p on p.id = t.pipeline_id where t.at = ${at.getTime()}`
      const started = rows.map((row) => row.started).toSorted((a, b) => a - b)
      const made = rows.map((row) => row.made).toSorted((a, b) => a - b)
      const lag = (name: string, values: ReadonlyArray<number>, part: number, max?: number): Row => ({
        name,
        unit: "ms",
        ours: figureOf([quantile(values, part)]),
        ...(max !== undefined && { target: { max } })
      })
      return [
        lag("1,000 schedules of one minute: slot started, p50", started, 0.5),
        lag("1,000 schedules of one minute: slot started, p99", started, 0.99, 2_000),
        lag("1,000 schedules of one minute: pipeline made, p50", made, 0.5),
        lag("1,000 schedules of one minute: pipeline made, p99", made, 0.99, 2_000),
        {
          name: "GET /user of another caller meanwhile, p99",
          unit: "ms",
          ours: figureOf([quantile(waited, 0.99)]),
          target: { max: 150 }
        },
        {
          name: "processor time with 9,000 active schedules, none due",
          unit: "%",
          ours: figureOf([idlePart]),
          target: { max: 2 }
        }
      ]
    } finally {
      await sql.end()
    }
  })
}
