import { open } from "node:fs/promises"
import { Clock, Effect } from "effect"
import type { Caller } from "../http/access/Caller.ts"
import { accepted } from "../http/answer/accepted.ts"
import { badRequest, forbidden, WireError } from "../http/answer/errors.ts"
import { ok, RawBody } from "../http/answer/Reply.ts"
import { awaitReadModels } from "../http/awaitReadModels.ts"
import { type GuardInput, guardedRoute } from "../http/Endpoint.ts"
import { handle } from "../platform/Commands.ts"
import { changes } from "../platform/repeats.ts"
import { requireProject } from "../projects/Projects.ts"
import { exportAggregate } from "./aggregate.ts"
import { downloadExport, exportRelations, readExports } from "./contract.ts"
import { ExportStorage } from "./files/ExportStorage.ts"
import { presentRelation } from "./present.ts"
import { ExportQueries } from "./Queries.ts"
import { fileName } from "./relations.ts"

/** Who may not export a project hears so before anything is said of parameters. */
const guard = ({ caller, path, request }: GuardInput<"anyone">) =>
  requireProject({ caller, parameters: { id: path.id ?? null }, request }, "admin_project")

const missing = (message: string) => new WireError({ status: 404, body: { message } })
const exportNotFound = missing("Export not found")

const requestExport = guardedRoute(
  exportRelations,
  guard,
  Effect.fnUntraced(function* ({ caller, guarded: { project }, parameters }) {
    const { user }: Caller = caller ?? (yield* forbidden)
    const now = yield* Clock.currentTimeMillis
    const command = { _tag: "Request", by: user.id, isBatched: parameters.batched === true, now } as const
    const requested = handle(exportAggregate, project.id, command).pipe(Effect.catchTag("ExportOver", Effect.die))
    yield* awaitReadModels(yield* changes(exportAggregate, project.id, requested))
    return accepted
  })
)

const read = guardedRoute(
  readExports,
  guard,
  Effect.fnUntraced(function* ({ guarded: { project }, parameters }) {
    const relation = parameters.relation ?? undefined
    const rows = yield* ExportQueries.use((exports) => exports.relations(project.id, relation))
    if (relation !== undefined && rows.length === 0) return yield* exportNotFound
    return ok(rows.map(presentRelation))
  })
)

/** A file as a stream; undefined where it is gone, or nobody waits for it any more. */
const opened = async (path: string, signal: AbortSignal) => {
  const file = await open(path).catch(() => undefined)
  const found = await file?.stat().catch(() => undefined)
  if (file !== undefined && found !== undefined && !signal.aborted) return { bytes: found.size, content: file.createReadStream() }
  await file?.close()
  return undefined
}

const download = guardedRoute(
  downloadExport,
  guard,
  Effect.fnUntraced(function* ({ guarded: { project }, parameters }) {
    const relation = parameters.relation ?? ""
    const batch = parameters.batched === true ? (parameters.batch_number ?? 0) : undefined
    const found = yield* ExportQueries.use((exports) => exports.content(project.id, relation, batch))
    if (found === undefined) return yield* exportNotFound
    const { has_batch, is_batched, number, sha256 } = found
    if (batch === undefined && is_batched) return yield* badRequest("Export is batched")
    if (batch !== undefined && !is_batched) return yield* badRequest("Export is not batched")
    if (batch !== undefined && !has_batch) return yield* missing("Batch not found")
    if (sha256 === null) return yield* missing(batch === undefined ? "Export file not found" : "Batch file not found")
    const path = (yield* ExportStorage).pathOf({ projectId: project.id, number }, sha256)
    const file = yield* Effect.promise((signal) => opened(path, signal))
    if (file === undefined) return yield* missing("404 Not Found")
    const name = fileName(relation)
    return {
      body: new RawBody("application/octet-stream", file.content),
      headers: {
        "content-length": String(file.bytes),
        "content-disposition": `attachment; filename="${name}"; filename*=UTF-8''${name}`,
        "content-transfer-encoding": "binary",
        "cache-control": "private"
      }
    }
  })
)

export const exportRoutes = [requestExport, read, download]
