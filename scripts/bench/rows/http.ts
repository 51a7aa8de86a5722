import { withContestants } from "../contestants.ts"
import type { Databases } from "../database.ts"
import { duel, figureOf, type Row } from "../figures.ts"
import { endProgram, nextMessage, startProgram } from "../programs.ts"
import { ask, residentMemory, rootToken, type Service, withService } from "../service.ts"

const cluster = {
  name: "staging",
  platform_kubernetes_attributes: { api_url: "https://cluster.example.org", token: "token-of-the-benchmark" }
}

/** One path of the service against a bare handler that looks up as many rows by primary key; the service joins some of its `reads` in one statement. */
const path = async (databases: Databases, service: Service, path: string, reads: number): Promise<Row> => {
  const bare = startProgram("bareReads.ts", [await databases.empty(`bare_reads_${reads}`), String(reads)])
  try {
    const port = await nextMessage<number>(bare, "bareReads.ts")
    return await withContestants(async (start) => {
      const ours = await start("peers/load.ts", `${service.url}${path}`, rootToken)
      const peer = await start("peers/load.ts", `http://127.0.0.1:${port}/`)
      const rates = await duel(ours, peer, { parallel: 16, millis: 3_000, rounds: 5 })
      return {
        name: `GET ${path} (peer: bare handler, ${reads} reads by primary key)`,
        unit: "/s",
        ...rates,
        target: { ratio: 0.5 }
      }
    })
  } finally {
    await endProgram(bare)
  }
}

/** Requests with a token, from a process of their own over 16 connections, and the memory of the service before and after. */
export const httpRows = async (databases: Databases, folder: string): Promise<ReadonlyArray<Row>> =>
  withService({ DATABASE_URL: await databases.empty("http_ours"), DATA_DIR: `${folder}/http` }, async (service) => {
    await ask(service, "POST", "/admin/clusters/add", cluster)
    const idle = await residentMemory(service)
    // Token, user, cluster and the user who added it; token and user.
    const rows = [await path(databases, service, "/admin/clusters/1", 4), await path(databases, service, "/user", 2)]
    return [
      ...rows,
      { name: "resident memory, idle", unit: "MiB", ours: figureOf([idle]) },
      { name: "resident memory, after the load", unit: "MiB", ours: figureOf([await residentMemory(service)]) }
    ]
  })
