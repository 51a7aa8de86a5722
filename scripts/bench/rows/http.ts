import { withContestants } from "../contestants.ts"
import type { Databases } from "../database.ts"
import { duel, figureOf, type Row } from "../figures.ts"
import { endProgram, nextMessage, startProgram } from "../programs.ts"
import { ask, residentMemory, rootToken, type Service, withService } from "../service.ts"

const cluster = {
  name: "staging",
  platform_kubernetes_attributes: { api_url: "https://cluster.example.org", token: "token-of-the-benchmark" }
}

/**
 * One path of the service against a bare handler with `reads` statements, each a read by primary key. The service joins rows in
 * one statement, so there are two fair counts: its statements, and the rows that they look up by key.
 */
const path = async (databases: Databases, service: Service, path: string, reads: number, counted: string): Promise<Row> => {
  const bare = startProgram("bareReads.ts", [await databases.empty(`bare_reads_${reads}_${counted}`), String(reads)])
  try {
    const port = await nextMessage<number>(bare, "bareReads.ts")
    return await withContestants(async (start) => {
      const ours = await start("peers/load.ts", `${service.url}${path}`, rootToken)
      const peer = await start("peers/load.ts", `http://127.0.0.1:${port}/`)
      const rates = await duel(ours, peer, { parallel: 16, millis: 3_000, rounds: 5 })
      return {
        name: `GET ${path} (peer: bare handler, ${reads} reads, as many as ${counted})`,
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
    const rows = [
      // Token with user; cluster with the user who added it.
      await path(databases, service, "/admin/clusters/1", 2, "statements"),
      await path(databases, service, "/admin/clusters/1", 4, "rows"),
      await path(databases, service, "/user", 1, "statements"),
      await path(databases, service, "/user", 2, "rows")
    ]
    return [
      ...rows,
      { name: "resident memory, idle", unit: "MiB", ours: figureOf([idle]) },
      { name: "resident memory, after the load", unit: "MiB", ours: figureOf([await residentMemory(service)]) }
    ]
  })
