import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { makeClient } from "#src/platform/sql/client.ts"
import { figureOf, type Row } from "../figures.ts"
import { parentOf, processorTime } from "../processTimes.ts"
import { ask, withService } from "../service.ts"
import { makeWitness } from "./gitWitness.ts"
import type { Installation } from "./makeInstallation.ts"

const rounds = 3
const windowMillis = 30_000

/** The process that the server's connections come from. */
const postmasterOf = async (databaseUrl: string): Promise<number> => {
  const client = makeClient(databaseUrl, { connections: 1, name: "chronoforge-bench" })
  const [row] = await client<Array<{ pid: number }>>`select pg_backend_pid() as pid`
  const postmaster = parentOf(row?.pid ?? 0)
  await client.end()
  return postmaster
}

/** What a start costs, and the half minute after it, in which nobody asks for anything. */
export const startRows = async ({ databaseUrl, dataDir }: Installation, folder: string): Promise<ReadonlyArray<Row>> => {
  const git = await makeWitness(join(folder, "witness"))
  const postmaster = await postmasterOf(databaseUrl)
  const [ready, service, postgres, processes]: Array<Array<number>> = [[], [], [], []]
  // The first start compiles.
  for (let round = 0; round <= rounds; round++) {
    const [before, seen, start] = [processorTime(postmaster), (await git.seen()).length, performance.now()]
    await withService({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PATH: git.path }, async (started) => {
      await ask(started, "GET", "/user")
      const millis = performance.now() - start
      await sleep(round === 0 ? 1_000 : windowMillis)
      if (round === 0) return
      ready?.push(millis)
      service?.push(processorTime(started.child.pid ?? 0))
      postgres?.push(processorTime(postmaster) - before)
      // One process checks the version of git.
      processes?.push((await git.seen()).slice(seen).filter((line) => line !== "--version").length)
    })
  }
  const figure = (values: ReadonlyArray<number> = []) => figureOf(values)
  return [
    { name: "start to first answer, 10,000 projects", unit: "ms", ours: figure(ready), target: { max: 3_000 } },
    {
      name: "processor time of a start and the 30 s after it: the service",
      unit: "ms",
      ours: figure(service),
      target: { max: 2_000 }
    },
    { name: "processor time of a start and the 30 s after it: its Postgres", unit: "ms", ours: figure(postgres) },
    { name: "git processes of a start and the 30 s after it", unit: "processes", ours: figure(processes), target: { max: 0 } }
  ]
}
