import { join } from "node:path"
import type { Databases } from "../database.ts"
import { measureAlone, type Row } from "../figures.ts"
import { fill } from "../installation/fill.ts"
import type { Installation } from "../installation/makeInstallation.ts"
import { changeRows, readers } from "../mergeRequests/changeRows.ts"
import { creationRows } from "../mergeRequests/creationRows.ts"
import { count } from "../mergeRequests/facts.ts"
import { listRows } from "../mergeRequests/listRows.ts"
import { installationStories } from "../mergeRequests/stories.ts"
import { withRunners } from "../runners.ts"
import { type Service, withService } from "../service.ts"
import { besideBareHandler } from "./http.ts"

const rebuildRows = ({ databaseUrl }: Installation): Promise<ReadonlyArray<Row>> =>
  withRunners(async (start) => {
    const runner = await start("ours/rebuildMergeRequests.ts", databaseUrl)
    const figures = await measureAlone(runner, { parallel: 1, millis: 0, rounds: 1 })
    const name = `rebuild of merge requests from ${figures("events").median.toLocaleString("en")} events`
    return [
      { name, unit: "/s", ours: figures("rate"), target: { rate: 30_000 } },
      { name: `${name}: memory`, unit: "MiB", ours: figures("memory"), target: { max: 1_024 } }
    ]
  })

const single = { name: "/projects/:id/merge_requests/:iid", callers: readers }
const peer = { reads: 1, pool: 10, said: "the driver's pool", ratio: 0.5 }

type Measure = (databases: Databases, installation: Installation, folder: string) => Promise<ReadonlyArray<Row>>

const running =
  (measure: (service: Service, databases: Databases, folder: string) => Promise<ReadonlyArray<Row>>): Measure =>
  (databases, { databaseUrl, dataDir }, folder) =>
    withService({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir }, (service) => measure(service, databases, folder))

/** What is measured, one after the other. */
const parts: Readonly<Record<string, Measure>> = {
  rebuild: (_, installation) => rebuildRows(installation),
  lists: (_, installation, folder) => listRows(installation, folder),
  single: running(async (service, databases) => [await besideBareHandler(databases, service, single, peer)]),
  changes: running((service) => changeRows(service)),
  creations: running((service, _, folder) => creationRows(service, folder))
}

/** The parts of `BENCH_PARTS`, names with commas between them; by default all. */
const chosenParts = (): ReadonlyArray<Measure> => {
  const chosen = process.env.BENCH_PARTS?.split(",") ?? Object.keys(parts)
  const unknown = chosen.filter((name) => !(name in parts))
  if (unknown.length > 0)
    throw new Error(`BENCH_PARTS: there is no ${unknown.join(", ")}; there are ${Object.keys(parts).join(", ")}`)
  return Object.entries(parts).flatMap(([name, measure]) => (chosen.includes(name) ? [measure] : []))
}

/** Merge requests where there are 100,000, or as many as `BENCH_MERGE_REQUESTS` says, in 200 projects. */
export const mergeRequestRows = async (databases: Databases, folder: string): Promise<ReadonlyArray<Row>> => {
  const chosen = chosenParts()
  const databaseUrl = await databases.migrated("merge_requests_ours")
  const installation = { databaseUrl, dataDir: join(folder, "mergeRequests") }
  await fill(databaseUrl, installationStories())
  process.stderr.write(`  ${count.toLocaleString("en")} merge requests are there\n`)
  const rows: Array<Row> = []
  for (const measure of chosen) rows.push(...(await measure(databases, installation, folder)))
  return rows
}
