import type { RecordRange } from "#src/exports/ExportRecords.ts"
import type { ExportKey } from "#src/exports/ids.ts"
import type { Client, Statements } from "#src/platform/sql/Sql.ts"

/** The table with the text of an export's records: it goes at once, where hundreds of thousands of rows would be removed one by one. */
const tableOf = ({ number, projectId }: ExportKey): string => `chronoforge.export_parts_${projectId}_${number}`

/**
 * Makes the table. `record` is the number of a record in its relation, from 1; long records are in several parts. It is read once, soon: to
 * compress it takes longer than it saves.
 */
export const makeTable = async (tx: Statements, of: ExportKey): Promise<string> => {
  const table = tableOf(of)
  await tx.unsafe(
    `create table ${table} (relation text not null, record bigint not null, part bigint not null, content text not null)`
  )
  await tx.unsafe(`alter table ${table} alter column content set storage external`)
  return table
}

/** Orders what was copied, in less time than it takes to keep it in order on the way. Of itself the server would take several processors for it. */
export const orderTable = async (tx: Statements, of: ExportKey): Promise<void> => {
  await tx.unsafe("set local max_parallel_maintenance_workers = 0")
  await tx.unsafe(`create unique index on ${tableOf(of)} (relation, record, part)`)
}

export const dropTable = async (tx: Statements, of: ExportKey): Promise<void> => {
  await tx.unsafe(`drop table if exists ${tableOf(of)}`)
}

/** So many parts, and about so many bytes, are read at a time: this much of an export is in memory. */
const [maxParts, maxBytes] = [400, 256 * 1024]

/** The parts come joined to rows of about so many bytes: the server spends several times as long on each byte of far longer ones, the client on far shorter ones. */
const rowBytes = 16 * 1024

const pieceText = (table: string): string => `
  select string_agg(content, '' order by record, part) as text, (array_agg(record order by record desc, part desc))[1] as record,
    (array_agg(part order by record desc, part desc))[1] as part
  from (
    select record, part, content, sum(octet_length(content)) over (order by record, part) - octet_length(content) as before
    from ${table}
    where relation = $1 and (record, part) > ($2::bigint, $3::bigint) and record <= $4
    order by record, part limit ${maxParts}
  ) p where before < ${maxBytes} group by before / ${rowBytes} order by before / ${rowBytes}`

/** The parts of a record are far fewer than this. */
const behindAllParts = 2 ** 53 - 1

/**
 * The text of records, in pieces. They are the bytes that the server sends: as strings they would stay in memory until the next full
 * collection. Rejects where they are gone.
 */
export async function* readPieces(
  client: Client,
  of: ExportKey,
  { first, last, relation }: RecordRange
): AsyncGenerator<Buffer, void> {
  const statement = pieceText(tableOf(of))
  let [record, part] = [first - 1, behindAllParts]
  for (;;) {
    const rows = await client.unsafe(statement, [relation, record, part, last], { prepare: true }).raw()
    const [, lastRecord, lastPart] = rows.at(-1) ?? []
    if (!lastRecord || !lastPart) break
    yield Buffer.concat(rows.flatMap(([text]) => text ?? []))
    record = Number(lastRecord.toString())
    part = Number(lastPart.toString())
  }
  if (record < last) throw new Error(`The copied records of ${relation} of project ${of.projectId} are gone`)
}
