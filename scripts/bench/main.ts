import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { type Databases, startDatabases } from "./database.ts"
import { isMet, type Row } from "./figures.ts"
import { endPrograms } from "./programs.ts"
import { appendRows } from "./rows/append.ts"
import { attackRows } from "./rows/attacks.ts"
import { eventStoreDbRows } from "./rows/eventStoreDb.ts"
import { exportRows } from "./rows/exports.ts"
import { gitRows } from "./rows/git.ts"
import { httpRows } from "./rows/http.ts"
import { mergeRequestRows } from "./rows/mergeRequests.ts"
import { pipelineRows } from "./rows/pipelines.ts"
import { rebuildRows } from "./rows/rebuild.ts"
import { scheduleRows } from "./rows/schedules.ts"
import { sizeRows } from "./rows/size.ts"
import { startRows } from "./rows/start.ts"
import { verifyRows } from "./rows/verify.ts"
import { visibilityRows } from "./rows/visibility.ts"
import { writeRows } from "./rows/writes.ts"
import { table } from "./table.ts"

type Measure = (databases: Databases, folder: string) => Promise<ReadonlyArray<Row>>

const measures: Readonly<Record<string, Measure>> = {
  append: appendRows,
  rebuild: rebuildRows,
  verify: verifyRows,
  http: httpRows,
  visibility: visibilityRows,
  git: gitRows,
  size: sizeRows,
  writes: writeRows,
  pipelines: pipelineRows,
  schedules: scheduleRows,
  "merge-requests": mergeRequestRows,
  exports: exportRows,
  attacks: attackRows,
  eventstoredb: eventStoreDbRows,
  start: (_, folder) => startRows(folder)
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in measures))
const usage = `Usage: npm run bench -- [${Object.keys(measures).join("] [")}]`

/** The peers are packages of a folder of their own: no part of the product, and installed only for this. */
const installPeers = Effect.promise(() =>
  promisify(execFile)("npm", ["ci", "--no-audit", "--no-fund"], { cwd: fileURLToPath(new URL("peers", import.meta.url)) })
)

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "chronoforge-bench-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const bench = Effect.gen(function* () {
  yield* installPeers
  const folder = yield* temporaryFolder
  const databases = yield* startDatabases(join(folder, "data"))
  yield* Effect.addFinalizer(() => Effect.promise(endPrograms))
  const rows: Array<Row> = []
  for (const [name, measure] of Object.entries(measures)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    yield* Effect.sync(() => process.stderr.write(`measuring ${name} ...\n`))
    rows.push(...(yield* Effect.promise(() => measure(databases, folder))))
  }
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`
  yield* Console.log(`${machine}\n\n${table(rows)}`)
  const results = { measuredAt: new Date().toISOString(), machine, rows: rows.map((row) => ({ ...row, met: isMet(row) })) }
  yield* Effect.promise(() => writeFile("bench-results.json", `${JSON.stringify(results, null, 2)}\n`))
}).pipe(Effect.scoped)

NodeRuntime.runMain(
  unknown.length > 0
    ? Effect.andThen(
        Console.error(usage),
        Effect.sync(() => process.exit(2))
      )
    : bench
)
