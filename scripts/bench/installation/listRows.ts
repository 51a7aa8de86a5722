import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Schema } from "effect"
import type { Databases } from "../database.ts"
import { figureOf, measureBoth, type Row } from "../figures.ts"
import { request } from "../requests.ts"
import { besideBareHandler, type Caller } from "../rows/http.ts"
import { withRunners } from "../runners.ts"
import { ask, rootToken, type Service, withService } from "../service.ts"
import { type Statement, withRecorder } from "../statements/record.ts"
import { changeRows } from "./changeRows.ts"
import { makeWitness } from "./gitWitness.ts"
import type { Installation } from "./makeInstallation.ts"
import { tokenOf, users } from "./users.ts"

/** What is read, and by whom. */
interface Read {
  readonly path: string
  readonly token: string
  readonly said: string
}

const member = { token: tokenOf(users.first), said: "a member" }
const administrator = { token: rootToken, said: "an administrator" }

const lists: ReadonlyArray<Read> = [
  { path: "/projects", ...member },
  { path: "/projects", ...administrator },
  { path: "/projects?search=router", ...member },
  { path: "/projects?membership=true", ...member },
  { path: "/groups", ...member },
  { path: "/users", ...administrator }
]
const single: Read = { path: "/projects/1", ...administrator }

type Recorded = Read & { readonly statements: ReadonlyArray<Statement> }

/** The statements that the service sends for each of the reads, once it has warmed up. */
const record = (installation: Installation, reads: ReadonlyArray<Read>): Promise<ReadonlyArray<Recorded>> =>
  withRecorder(installation.databaseUrl, ({ databaseUrl, statementsOf }) =>
    withService({ DATABASE_URL: databaseUrl, DATA_DIR: installation.dataDir }, async ({ url }) => {
      const recorded: Array<Recorded> = []
      for (const read of reads) {
        const send = () => request(`${url}${read.path}`, { method: "GET", token: read.token })
        for (let index = 0; index < 20; index++) await send()
        recorded.push({ ...read, statements: await statementsOf(send) })
      }
      return recorded
    })
  )

interface Places {
  readonly databaseUrl: string
  readonly folder: string
}

/** A list beside its statements alone, which the peer sends through the driver, and makes JSON of their rows. */
const listRow = ({ url }: Service, { databaseUrl, folder }: Places, { path, said, statements, token }: Recorded): Promise<Row> =>
  withRunners(async (start) => {
    const file = join(folder, "statements.json")
    await writeFile(file, JSON.stringify(statements))
    const ours = await start("ours/reads.ts", `${url}${path}`, token)
    const peer = await start("plain/statements.ts", databaseUrl, file)
    const times = await measureBoth(ours, peer, { parallel: 1, millis: 1_500, rounds: 7, of: "p50" })
    const name = `GET ${path} of ${said}, p50 (peer: its ${statements.length} statements, and JSON of their rows)`
    return { name, unit: "ms", ...times, target: { maxRatio: 1.5 } }
  })

const Listed = Schema.Array(Schema.Struct({ id: Schema.Int }))

/** Users each of whom asks for a project of their own. */
const callersIn = async (service: Service): Promise<ReadonlyArray<Caller>> => {
  const listed = await ask(service, "GET", "/projects?visibility=public&per_page=16")
  return Schema.decodeUnknownSync(Listed)(listed).map(({ id }, index) => ({
    token: tokenOf(users.first + index),
    path: `/projects/${id}`
  }))
}

/** Reads in an installation of that size. */
export const listRows = async (databases: Databases, installation: Installation, folder: string): Promise<ReadonlyArray<Row>> => {
  const { databaseUrl, dataDir } = installation
  const [recordedSingle, ...recordedLists] = await record(installation, [single, ...lists])
  const git = await makeWitness(join(folder, "witnessOfReads"))
  return withService({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PATH: git.path }, async (service) => {
    const before = (await git.seen()).length
    const rows: Array<Row> = []
    for (const list of recordedLists) rows.push(await listRow(service, { databaseUrl, folder }, list))
    const asked = { name: "/projects/:id", callers: await callersIn(service) }
    const peer = { reads: recordedSingle?.statements.length ?? 0, pool: 10, said: "the driver's pool", ratio: 0.4 }
    rows.push(await besideBareHandler(databases, service, asked, peer))
    const processes = (await git.seen()).length - before
    const changes = await changeRows(service)
    return [
      ...rows,
      ...changes,
      { name: "git processes of these reads", unit: "processes", ours: figureOf([processes]), target: { max: 0 } }
    ]
  })
}
