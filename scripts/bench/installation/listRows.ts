import { join } from "node:path"
import { Schema } from "effect"
import type { Databases } from "../database.ts"
import { figureOf, type Row } from "../figures.ts"
import { besideBareHandler, type Caller } from "../rows/http.ts"
import { ask, rootToken, type Service, withService } from "../service.ts"
import { besideStatements, type Read, record } from "../statements/besideStatements.ts"
import { changeRows } from "./changeRows.ts"
import { makeWitness } from "./gitWitness.ts"
import type { Installation } from "./makeInstallation.ts"
import { tokenOf, users } from "./users.ts"

const member = { token: tokenOf(users.first), said: "a member" }
const administrator = { token: rootToken, said: "an administrator" }

const readOf = (path: string, { said, token }: typeof member): Read => ({ path, token, said: `GET ${path} of ${said}` })

const lists: ReadonlyArray<Read> = [
  readOf("/projects", member),
  readOf("/projects", administrator),
  readOf("/projects?search=router", member),
  readOf("/projects?membership=true", member),
  readOf("/groups", member),
  readOf("/users", administrator)
]
const single = readOf("/projects/1", administrator)

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
    for (const list of recordedLists) rows.push(await besideStatements(service, { databaseUrl, folder }, list))
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
