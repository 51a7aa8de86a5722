import { join } from "node:path"
import { figureOf, measureAlone, type Row } from "../figures.ts"
import { makeWitness } from "../installation/gitWitness.ts"
import type { Installation } from "../installation/makeInstallation.ts"
import { withRunners } from "../runners.ts"
import { type Service, withService } from "../service.ts"
import { besideStatements, type Read, record } from "../statements/besideStatements.ts"
import { count } from "./facts.ts"
import { reads } from "./reads.ts"

/** What 100,000 may take; the bar of more is that they take no more than twice as long. */
const max = count <= 100_000 ? 25 : 50

const lateRow = ({ url }: Service, { path, said, token }: Read): Promise<Row> =>
  withRunners(async (start) => {
    const runner = await start("ours/reads.ts", `${url}${path}`, token)
    const figures = await measureAlone(runner, { parallel: 1, millis: 1_000, rounds: 1 })
    return { name: `${said}, p95`, unit: "ms", ours: figures("p95"), target: { max } }
  })

/** Lists beside their statements alone, and their slow answers; none of them may start a process. */
export const listRows = async (installation: Installation, folder: string): Promise<ReadonlyArray<Row>> => {
  const { databaseUrl, dataDir } = installation
  const recorded = await record(installation, reads)
  const git = await makeWitness(join(folder, "witnessOfMergeRequests"))
  return withService({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PATH: git.path }, async (service) => {
    const rows: Array<Row> = []
    for (const read of recorded) {
      rows.push(await besideStatements(service, { databaseUrl, folder, rounds: 2 }, read))
      rows.push(await lateRow(service, read))
    }
    const processes = (await git.seen()).filter((line) => line !== "--version").length
    return [...rows, { name: "git processes of these lists", unit: "processes", ours: figureOf([processes]), target: { max: 0 } }]
  })
}
