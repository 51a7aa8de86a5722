import { join } from "node:path"
import type { Databases } from "../database.ts"
import { figureOf, type Row } from "../figures.ts"
import { makeWitness } from "../installation/gitWitness.ts"
import { makePipelines } from "../pipelines/makePipelines.ts"
import { otherReads, reads } from "../pipelines/reads.ts"
import { request } from "../requests.ts"
import { ask, type Service, withService } from "../service.ts"
import { besideStatements, type Read, record } from "../statements/besideStatements.ts"

/** The middle of some answers, in milliseconds. */
const timeOf = async ({ url }: Service, { path, token }: Read): Promise<number> => {
  const times: Array<number> = []
  for (let index = 0; index < 15; index++) {
    const start = performance.now()
    await request(`${url}${path}`, { method: "GET", token })
    times.push(performance.now() - start)
  }
  return figureOf(times).median
}

/** The read that takes longest, once all have been warmed up. */
const slowestOf = async (service: Service, others: ReadonlyArray<Read>): Promise<Read> => {
  const timed: Array<{ readonly read: Read; readonly millis: number }> = []
  for (const read of others) timed.push({ read, millis: await timeOf(service, read) })
  const [slowest] = timed.toSorted((one, other) => other.millis - one.millis)
  if (slowest === undefined) throw new Error("There are no reads")
  return { ...slowest.read, said: `the slowest of ${others.length} other filters and orders: ${slowest.read.said}` }
}

/** Lists of pipelines, jobs and schedules where there are 100,000 pipelines, most of them in one project. */
export const pipelineRows = async (databases: Databases, folder: string): Promise<ReadonlyArray<Row>> => {
  const installation = await makePipelines(databases, folder)
  const { databaseUrl, dataDir } = installation
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const slowest = await withService(settings, async (service) =>
    slowestOf(service, await otherReads((path) => ask(service, "GET", path)))
  )
  const recorded = await record(installation, [...reads, slowest])
  const git = await makeWitness(join(folder, "witnessOfPipelines"))
  return withService({ ...settings, PATH: git.path }, async (service) => {
    const rows: Array<Row> = []
    for (const read of recorded) rows.push(await besideStatements(service, { databaseUrl, folder, rounds: 5 }, read))
    const processes = (await git.seen()).filter((line) => line !== "--version").length
    return [...rows, { name: "git processes of these reads", unit: "processes", ours: figureOf([processes]), target: { max: 1 } }]
  })
}
