import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Databases } from "../database.ts"
import { count, exportedStories, notesOfEach, projectId } from "../exports/stories.ts"
import { figureOf, type Row } from "../figures.ts"
import { fill } from "../installation/fill.ts"
import { request } from "../requests.ts"
import { offeredUntil, type Score } from "../serveRounds.ts"
import { ask, peakMemory, rootToken, type Service, withService } from "../service.ts"

const exports = `/projects/${projectId}/export_relations`

/** Whether all relations are there. */
const isOver = async (service: Service): Promise<boolean> => {
  const rows = await ask(service, "GET", `${exports}/status`)
  const statuses = Array.isArray(rows) ? rows.map(({ status }) => status) : []
  if (statuses.includes(-1)) throw new Error(`An export failed: ${JSON.stringify(rows)}`)
  return statuses.length > 0 && statuses.every((status) => status === 1)
}

/** Exports the project; answers how long that took in milliseconds. */
const timeExport = async (service: Service, batched: boolean): Promise<number> => {
  const start = performance.now()
  await ask(service, "POST", exports, { batched })
  while (!(await isOver(service))) await sleep(100)
  return performance.now() - start
}

/** What others wait for meanwhile: 20 reads a second, half of them of a merge request. */
const others = ({ url }: Service, until: Promise<unknown>): Promise<Score> => {
  let isDone = false
  const end = () => {
    isDone = true
  }
  until.then(end, end)
  const paths = ["/user", `/projects/${projectId}/merge_requests/7`]
  const read = (index: number) => request(`${url}${paths[index % 2]}`, { method: "GET", token: rootToken })
  return offeredUntil(() => isDone, 20, read)
}

/** So long others read before an export begins: first unmeasured, for the first requests of a service take longer by themselves. */
const readMillis = 10_000

const rowsOf = async (service: Service, batched: boolean): Promise<ReadonlyArray<Row>> => {
  await others(service, sleep(readMillis))
  const { p99: alone = Number.NaN } = await others(service, sleep(readMillis))
  const exporting = timeExport(service, batched)
  const { p99 = Number.NaN } = await others(service, exporting)
  const records = count * (1 + notesOfEach)
  const name = `export of ${count.toLocaleString("en")} merge requests, ${notesOfEach} notes each${batched ? ", in batches" : ""}`
  return [
    { name: `${name}: records`, unit: "/s", ours: figureOf([(records * 1000) / (await exporting)]), target: { rate: 10_000 } },
    { name: `${name}: memory`, unit: "MiB", ours: figureOf([await peakMemory(service)]), target: { max: 400 } },
    { name: `${name}: p99 of others' reads before`, unit: "ms", ours: figureOf([alone]) },
    { name: `${name}: p99 of others' reads`, unit: "ms", ours: figureOf([p99]), target: { max: 100 } }
  ]
}

/** Exports of a project with 100,000 merge requests, or as many as `BENCH_EXPORTED` says, each by a service that has just started. */
export const exportRows = async (databases: Databases, folder: string): Promise<ReadonlyArray<Row>> => {
  const databaseUrl = await databases.migrated("exports_ours")
  await fill(databaseUrl, exportedStories())
  process.stderr.write(`  ${count.toLocaleString("en")} merge requests are there\n`)
  const rows: Array<Row> = []
  for (const batched of [false, true]) {
    const settings = { DATABASE_URL: databaseUrl, DATA_DIR: join(folder, "exports") }
    rows.push(...(await withService(settings, (service) => rowsOf(service, batched))))
  }
  return rows
}
