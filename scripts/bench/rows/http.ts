import { Schema } from "effect"
import type { Databases } from "../database.ts"
import { figureOf, measureBoth, type Row } from "../figures.ts"
import { endProgram, nextMessage, startProgram } from "../programs.ts"
import { withRunners } from "../runners.ts"
import { ask, residentMemory, type Service, withService } from "../service.ts"

const connections = 16

/** A caller with a path of its own. */
export interface Caller {
  readonly token: string
  readonly path: string
}

const Made = Schema.Struct({ id: Schema.Int, token: Schema.optionalKey(Schema.String) })

const make = async (service: Service, path: string, body: object) =>
  Schema.decodeUnknownSync(Made)(await ask(service, "POST", path, body))

/** The token of a new user. */
export const newToken = async (service: Service, username: string, more: object = {}): Promise<string> => {
  const account = { username, name: username, email: `${username}@example.com`, force_random_password: true, ...more }
  const { id } = await make(service, "/users", account)
  const { token = "" } = await make(service, `/users/${id}/personal_access_tokens`, { name: "benchmark", scopes: ["api"] })
  return token
}

/** A user, who asks for themselves: of an administrator it would take another read to say who made them one. */
const newUser = async (service: Service, index: number): Promise<Caller> => ({
  token: await newToken(service, `user-${index}`),
  path: "/user"
})

/** An administrator, who asks for a cluster that nobody else asks for. */
const newAdministrator = async (service: Service, index: number): Promise<Caller> => {
  const name = `administrator-${index}`
  const platform_kubernetes_attributes = { api_url: "https://cluster.example.org", token: "token-of-the-benchmark" }
  const cluster = { name, environment_scope: name, platform_kubernetes_attributes }
  const { id } = await make(service, "/admin/clusters/add", cluster)
  return { token: await newToken(service, name, { admin: true }), path: `/admin/clusters/${id}` }
}

/** A bare handler with so many reads for each request, over so many connections to the database. */
interface Peer {
  readonly reads: number
  readonly pool: number
  readonly said: string
  /** The lowest share of its rate that the service has to reach. */
  readonly ratio?: number
}

/** One endpoint, asked by all callers at once, against a bare handler that reads other rows for each caller, too. */
export const besideBareHandler = async (
  databases: Databases,
  service: Service,
  { callers, name }: { readonly name: string; readonly callers: ReadonlyArray<Caller> },
  peer: Peer
): Promise<Row> => {
  const { pool, ratio, reads, said } = peer
  const bare = startProgram("bareReads.ts", [await databases.empty(`bare_${reads}_${pool}`), String(reads), String(pool)])
  try {
    const port = await nextMessage<number>(bare, "bareReads.ts")
    return await withRunners(async (start) => {
      const { origin, pathname } = new URL(service.url)
      const load = (url: string, pathOf: (caller: Caller, index: number) => string) =>
        start("peers/load.ts", url, ...callers.map((caller, index) => JSON.stringify({ ...caller, path: pathOf(caller, index) })))
      const ours = await load(origin, ({ path }) => `${pathname}${path}`)
      const theirs = await load(`http://127.0.0.1:${port}`, (_, index) => `/${1 + index * reads}`)
      const rates = await measureBoth(ours, theirs, { parallel: connections, millis: 3_000, rounds: 5 })
      return {
        name: `GET ${name} (peer: bare handler, ${reads} ${reads === 1 ? "read" : "reads"}, ${said})`,
        unit: "/s",
        ...rates,
        ...(ratio === undefined ? {} : { target: { ratio } })
      }
    })
  } finally {
    await endProgram(bare)
  }
}

/** Requests with tokens, from a process of their own over 16 connections, and the memory of the service before and after. */
export const httpRows = async (databases: Databases, folder: string): Promise<ReadonlyArray<Row>> =>
  withService({ DATABASE_URL: await databases.empty("http_ours"), DATA_DIR: `${folder}/http` }, async (service) => {
    const indices = Array.from({ length: connections }, (_, index) => index)
    const users = await Promise.all(indices.map((index) => newUser(service, index)))
    const administrators = await Promise.all(indices.map((index) => newAdministrator(service, index)))
    const idle = await residentMemory(service)
    const rows: Array<Row> = []
    // The peer does as many reads as the service sends statements: the token with its user, the cluster with the user who added it.
    const endpoints = [
      [{ name: "/admin/clusters/:id", callers: administrators }, 2],
      [{ name: "/user", callers: users }, 1]
    ] as const
    for (const [asked, reads] of endpoints) {
      rows.push(await besideBareHandler(databases, service, asked, { reads, pool: 10, said: "the driver's pool", ratio: 0.5 }))
      rows.push(await besideBareHandler(databases, service, asked, { reads, pool: 1, said: "one connection" }))
    }
    return [
      ...rows,
      { name: "resident memory, idle", unit: "MiB", ours: figureOf([idle]) },
      { name: "resident memory, after the load", unit: "MiB", ours: figureOf([await residentMemory(service)]) }
    ]
  })
