import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { measureBoth, type Row } from "../figures.ts"
import type { Installation } from "../installation/makeInstallation.ts"
import { request } from "../requests.ts"
import { withRunners } from "../runners.ts"
import { type Service, withService } from "../service.ts"
import { type Statement, withRecorder } from "./record.ts"

/** What is read, and by whom. */
export interface Read {
  readonly path: string
  readonly token: string
  /** How the row calls the read. */
  readonly said: string
}

export type Recorded = Read & { readonly statements: ReadonlyArray<Statement> }

/** The statements that the service sends for each of the reads, once it has warmed up. */
export const record = (installation: Installation, reads: ReadonlyArray<Read>): Promise<ReadonlyArray<Recorded>> =>
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
  readonly rounds?: number
}

/** A read beside its statements alone, which the peer sends through the driver, and makes JSON of their rows. */
export const besideStatements = (
  { url }: Service,
  { databaseUrl, folder, rounds = 7 }: Places,
  { path, said, statements, token }: Recorded
): Promise<Row> =>
  withRunners(async (start) => {
    const file = join(folder, "statements.json")
    await writeFile(file, JSON.stringify(statements))
    const ours = await start("ours/reads.ts", `${url}${path}`, token)
    const peer = await start("plain/statements.ts", databaseUrl, file)
    const times = await measureBoth(ours, peer, { parallel: 1, millis: 1_500, rounds, of: "p50" })
    const name = `${said}, p50 (peer: its ${statements.length} statements, and JSON of their rows)`
    return { name, unit: "ms", ...times, target: { maxRatio: 1.5 } }
  })
