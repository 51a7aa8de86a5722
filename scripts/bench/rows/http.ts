import { withContestants } from "../contestants.ts"
import type { Databases } from "../database.ts"
import { duel, figureOf, type Row } from "../figures.ts"
import { endProgram, nextMessage, startProgram } from "../programs.ts"
import { ask, residentMemory, type Service, withService } from "../service.ts"

const connections = 16

const cluster = {
  name: "staging",
  platform_kubernetes_attributes: { api_url: "https://cluster.example.org", token: "token-of-the-benchmark" }
}

/** A bare handler with so many reads for each request, over so many connections to the database. */
interface Peer {
  readonly reads: number
  readonly pool: number
  readonly said: string
}

/** One path of the service, asked with many tokens, against a bare handler. */
const path = async (
  databases: Databases,
  service: Service,
  { path, peer, tokens }: { readonly path: string; readonly peer: Peer; readonly tokens: ReadonlyArray<string> }
): Promise<Row> => {
  const { pool, reads, said } = peer
  const bare = startProgram("bareReads.ts", [await databases.empty(`bare_${reads}_${pool}`), String(reads), String(pool)])
  try {
    const port = await nextMessage<number>(bare, "bareReads.ts")
    return await withContestants(async (start) => {
      const ours = await start("peers/load.ts", `${service.url}${path}`, ...tokens)
      const theirs = await start("peers/load.ts", `http://127.0.0.1:${port}/`)
      const rates = await duel(ours, theirs, { parallel: connections, millis: 3_000, rounds: 5 })
      return {
        name: `GET ${path} (peer: bare handler, ${reads} ${reads === 1 ? "read" : "reads"}, ${said})`,
        unit: "/s",
        ...rates,
        ...(pool === 1 ? {} : { target: { ratio: 0.5 } })
      }
    })
  } finally {
    await endProgram(bare)
  }
}

const newToken = async (service: Service, index: number): Promise<string> => {
  const made = await ask(service, "POST", "/users/1/personal_access_tokens", { name: `caller ${index}`, scopes: ["api"] })
  if (typeof made !== "object" || made === null || !("token" in made)) throw new Error("no token was made")
  return String(made.token)
}

/** Requests with tokens, from a process of their own over 16 connections, and the memory of the service before and after. */
export const httpRows = async (databases: Databases, folder: string): Promise<ReadonlyArray<Row>> =>
  withService({ DATABASE_URL: await databases.empty("http_ours"), DATA_DIR: `${folder}/http` }, async (service) => {
    await ask(service, "POST", "/admin/clusters/add", cluster)
    const tokens: Array<string> = []
    while (tokens.length < connections) tokens.push(await newToken(service, tokens.length))
    const idle = await residentMemory(service)
    const rows: Array<Row> = []
    // As many reads as the service sends statements: the token with its user, the cluster with the user who added it.
    for (const [path_, reads] of [
      ["/admin/clusters/1", 2],
      ["/user", 1]
    ] as const) {
      rows.push(await path(databases, service, { path: path_, tokens, peer: { reads, pool: 10, said: "the driver's pool" } }))
      rows.push(await path(databases, service, { path: path_, tokens, peer: { reads, pool: 1, said: "one connection" } }))
    }
    return [
      ...rows,
      { name: "resident memory, idle", unit: "MiB", ours: figureOf([idle]) },
      { name: "resident memory, after the load", unit: "MiB", ours: figureOf([await residentMemory(service)]) }
    ]
  })
