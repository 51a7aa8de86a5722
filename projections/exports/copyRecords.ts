import { Effect, Layer } from "effect"
import { ExportRecords } from "#src/exports/ExportRecords.ts"
import type { ExportKey } from "#src/exports/ids.ts"
import { makeClient } from "#src/platform/sql/client.ts"
import { attempt, Sql, type SqlError, type Statements, transact } from "#src/platform/sql/Sql.ts"
import { PackingThreads } from "./PackingThreads.ts"
import { dropTable, makeTable, orderTable, readPieces } from "./parts.ts"
import { allRecords } from "./records/all.ts"

interface Copy {
  readonly position: number
  readonly objects: Readonly<Record<string, number>>
}

const copyIn = async (tx: Statements, { number, projectId }: ExportKey): Promise<Copy | undefined> => {
  const [copy] = await tx<Array<Copy>>`
    select position, objects from chronoforge.export_copies where project_id = ${projectId} and number = ${number}`
  return copy
}

interface Copied {
  readonly count: number
  readonly bytes: number
}

/** How many rows of records a statement copies into a relation, and how large they are. */
const copied = async (tx: Statements, table: string, statement: string, relation: string, projectId: number): Promise<Copied> => {
  const [row] = await tx.unsafe<Array<Copied>>(
    `with copied as (
      insert into ${table} (relation, record, part, content) select $2, record, part, content from (${statement}) r returning octet_length(content) as bytes
    ) select count(*) as count, coalesce(sum(bytes), 0)::float8 as bytes from copied`,
    [projectId, relation]
  )
  return row ?? { count: 0, bytes: 0 }
}

/** A copy that became larger than the disk allows is taken back. */
class CopyTooLarge extends Error {}

/**
 * A process that stands still in the middle loses the transaction after so many milliseconds, for others wait for it who want the same
 * copy. The server works on while the process waits for it.
 */
const frozenMillis = 10_000

/** How many bytes a record has at least that says little, in the table and in the log of the server. */
const recordBytes = 4_096

/** About how many bytes a copy takes on the disk of the server: each text twice, for that has a log. */
const sizeText = `
  select sum(2 * bytes + count * ${recordBytes})::float8 as bytes from (
    select count(*) as count, coalesce(sum(octet_length(body)), 0) as bytes from rm_notes.notes where project_id = $1
    union all
    select count(*), coalesce(sum(octet_length(description)), 0) from rm_merge_requests.texts where project_id = $1
    union all
    select count(*), coalesce(sum(octet_length(description)), 0) from rm_issues.texts where project_id = $1
    union all
    select count(*), 0 from rm_pipelines.pipelines where project_id = $1
  ) s`

const sizeOf = async (tx: Statements, { projectId }: ExportKey): Promise<number> => {
  const [row] = await tx.unsafe<Array<{ bytes: number }>>(sizeText, [projectId])
  return row?.bytes ?? 0
}

/** All read models stand at one position in a snapshot, for they move on together. Who comes second finds that the copy is taken. */
const copyAll = async (tx: Statements, of: ExportKey, maxBytes: number): Promise<Copy | undefined> => {
  await tx.unsafe(`set local idle_in_transaction_session_timeout = ${frozenMillis}`)
  const before = await copyIn(tx, of)
  if (before !== undefined) return before
  if ((await sizeOf(tx, of)) >= maxBytes) return undefined
  const { number, projectId } = of
  const [copy] = await tx<Array<{ position: number }>>`
    insert into chronoforge.export_copies (project_id, number, position, objects)
    select ${projectId}, ${number}, min(position), '{}' from chronoforge.read_models where generation = 'live' returning position`
  const table = await makeTable(tx, of)
  const objects: Record<string, number> = {}
  let size = 0
  for (const { relation, statements } of allRecords) {
    for (const statement of statements) {
      const { bytes, count } = await copied(tx, table, statement, relation, projectId)
      size += 2 * bytes
      if (size > maxBytes) throw new CopyTooLarge()
      objects[relation] ??= count
    }
  }
  await orderTable(tx, of)
  await tx`
    update chronoforge.export_copies set objects = ${JSON.stringify(objects)}::text::jsonb
    where project_id = ${projectId} and number = ${number}`
  return { position: copy?.position ?? 0, objects }
}

/** The disk has no space for the copy, as is found out before, on the way, or by the server. */
const isTooLarge = ({ cause, code }: SqlError): boolean => cause instanceof CopyTooLarge || code === "53100"

/** Another process has the copy that was about to be made. */
const isTaken = ({ code }: SqlError): boolean => code === "23505"

/** A copy takes long: in one of the connections that requests share, few of them would be left for those. */
const ownConnection = (url: string) =>
  Effect.acquireRelease(
    Effect.sync(() => makeClient(url, { connections: 1, name: "chronoforge-exports" })),
    (it) => Effect.ignore(attempt(() => it.end({ timeout: 1 })))
  )

/** A process that stands still in the middle of reading holds the table: nobody waits longer for it, and what is left goes with the next export. */
const maxLockMillis = 2_000

const isHeld = ({ code }: SqlError): boolean => code === "55P03"

const forget = async (tx: Statements, { number, projectId }: ExportKey): Promise<void> => {
  await tx.unsafe(`set local lock_timeout = ${maxLockMillis}`)
  const copies = await tx<Array<{ number: number }>>`
    delete from chronoforge.export_copies where project_id = ${projectId} and number <= ${number} returning number`
  for (const copy of copies) await dropTable(tx, { projectId, number: copy.number })
}

/** Answers what is exported from the read models, by way of a copy. */
export const exportRecords: Layer.Layer<ExportRecords, never, Sql> = Layer.effect(
  ExportRecords,
  Effect.gen(function* () {
    const { client, url } = yield* Sql
    const threads = yield* Effect.acquireRelease(
      Effect.sync(() => new PackingThreads(url)),
      (it) => Effect.sync(() => it.end())
    )
    return ExportRecords.of({
      take: (of, maxBytes) =>
        Effect.flatMap(ownConnection(url), (own) =>
          attempt(() => transact(own, (tx) => copyAll(tx, of, maxBytes), undefined, "begin isolation level repeatable read"))
        ).pipe(
          Effect.scoped,
          Effect.retry({ while: isTaken, times: 1 }),
          Effect.catchIf(isTooLarge, () => Effect.undefined),
          Effect.orDie,
          Effect.map((copy) => copy && { position: copy.position, objects: new Map(Object.entries(copy.objects)) })
        ),
      read: (of, range) => readPieces(client, of, range),
      pack: (of, range, level) => threads.pack({ of, range, level }),
      forget: (of) =>
        attempt(() => transact(client, (tx) => forget(tx, of))).pipe(
          Effect.catchIf(isHeld, () => Effect.void),
          Effect.orDie
        )
    })
  })
)
