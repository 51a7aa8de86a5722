import { isLong, jsonTexts } from "#src/kernel/json/jsonTexts.ts"
import type { IdKind } from "#src/platform/Ids.ts"
import type { Statements } from "#src/platform/sql/Sql.ts"
import type { FoldedChanges, RowChange } from "./foldChanges.ts"
import type { ReadModel, Row } from "./ReadModel.ts"

/** The name of the schema: `rm_users`, or `rm_users_next` for the generation that a rebuild makes. */
export const schemaOf = (readModel: string, generation: Generation): string =>
  generation === "live" ? `rm_${readModel}` : `rm_${readModel}_next`

export type Generation = "live" | "next"

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Groups rows by the columns that are written, because such rows go in one statement. Rows that are made alike name them in one order. */
const byColumns = (rows: ReadonlyArray<Row>): ReadonlyMap<string, ReadonlyArray<Row>> => {
  const sorted = new Map<string, string>()
  return Map.groupBy(rows, (row) => {
    const names = Object.keys(row)
    const written = names.join()
    const known = sorted.get(written) ?? JSON.stringify(names.sort())
    sorted.set(written, known)
    return known
  })
}

/** A statement with its values. */
export interface Write {
  readonly text: string
  readonly values: ReadonlyArray<string | number>
}

/** Sends a write, whose text is the same for all batches that change the same columns. */
export const send = (sql: Statements, { text, values }: Write) => sql.unsafe(text, [...values], { prepare: true })

/** Rows that are encoded between two pauses. */
const encodedAtOnce = 200

function* inPieces(rows: ReadonlyArray<Row>): Generator<void, string, void> {
  let text = ""
  for (const row of rows) {
    if (text !== "") text += ","
    for (const piece of jsonTexts(row)) {
      text += piece
      yield
    }
  }
  return text
}

/** `JSON.stringify` of rows. */
function* encoding(rows: ReadonlyArray<Row>): Generator<void, string, void> {
  let text = ""
  for (let start = 0; start < rows.length; start += encodedAtOnce) {
    const some = rows.slice(start, start + encodedAtOnce)
    const encoded = isLong(some) ? yield* inPieces(some) : JSON.stringify(some).slice(1, -1)
    text += `${start === 0 ? "" : ","}${encoded}`
    yield
  }
  return `[${text}]`
}

type Writing<A> = Generator<void, A, void>

/** The statement `text($1)` with the rows as a JSON array, which Postgres turns into rows of the table's own types. */
function* writeOf(text: string, rows: ReadonlyArray<Row>): Writing<Write> {
  return { text, values: [yield* encoding(rows)] }
}

function* putsOf(table: string, key: ReadonlyArray<string>, rows: ReadonlyArray<Row>): Writing<ReadonlyArray<Write>> {
  const writes: Array<Write> = []
  for (const [columns, group] of byColumns(rows)) {
    const names: ReadonlyArray<string> = JSON.parse(columns)
    const list = names.map(quote).join(", ")
    const updates = names.filter((name) => !key.includes(name)).map((name) => `${quote(name)} = excluded.${quote(name)}`)
    const conflict = updates.length === 0 ? "do nothing" : `do update set ${updates.join(", ")}`
    const write = yield* writeOf(
      `insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, $1::text::json)
       on conflict (${key.map(quote).join(", ")}) ${conflict}`,
      group
    )
    writes.push(write)
  }
  return writes
}

function* patchesOf(table: string, key: ReadonlyArray<string>, rows: ReadonlyArray<Row>): Writing<ReadonlyArray<Write>> {
  const writes: Array<Write> = []
  for (const [columns, group] of byColumns(rows)) {
    const names: ReadonlyArray<string> = JSON.parse(columns)
    const updates = names.filter((name) => !key.includes(name)).map((name) => `${quote(name)} = p.${quote(name)}`)
    if (updates.length === 0) continue
    const write = yield* writeOf(
      `update ${table} t set ${updates.join(", ")} from json_populate_recordset(null::${table}, $1::text::json) p
       where ${key.map((name) => `t.${quote(name)} = p.${quote(name)}`).join(" and ")}`,
      group
    )
    writes.push(write)
  }
  return writes
}

const removalOf = (table: string, columns: ReadonlyArray<string>, rows: ReadonlyArray<Row>): Writing<Write> =>
  writeOf(
    `delete from ${table} t using json_populate_recordset(null::${table}, $1::text::json) p
     where ${columns.map((name) => `t.${quote(name)} = p.${quote(name)}`).join(" and ")}`,
    rows
  )

/** One statement for all rows of a table with other values in the same columns. */
function* removalsWhere(schema: string, { removeWhere }: FoldedChanges): Writing<Array<Write>> {
  const alike = Map.groupBy(removeWhere, ({ table, where }) => JSON.stringify([table, ...Object.keys(where)]))
  const writes: Array<Write> = []
  for (const [first, ...others] of alike.values()) {
    if (first === undefined) continue
    const rows = [first, ...others].map(({ where }) => where)
    writes.push(yield* removalOf(`${schema}.${first.table}`, Object.keys(first.where), rows))
  }
  return writes
}

const rowsOf = (changes: Iterable<RowChange>, tag: RowChange["_tag"]): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (const change of changes) if (change._tag === tag) rows.push(change.row)
  return rows
}

/** The statement that raises the sequence of a kind of ids to the highest one that the log gave away. */
const raiseOf = ([kind, id]: readonly [IdKind, number]): Write => {
  const sequence = `chronoforge.${kind}_ids`
  return {
    text: `select setval($1::text::regclass, $2::bigint) from ${sequence} where not is_called or last_value < $2::bigint`,
    values: [sequence, id]
  }
}

/**
 * The statements that write folded changes to the tables of one generation, in the order in which they have to run. Their number
 * depends on the tables, not on the events. Pauses between rows.
 */
export function* writing(readModel: ReadModel, generation: Generation, changes: FoldedChanges): Writing<ReadonlyArray<Write>> {
  const schema = schemaOf(readModel.name, generation)
  const writes = yield* removalsWhere(schema, changes)
  for (const [name, rows] of changes.tables) {
    const table = `${schema}.${name}`
    const key = readModel.tables[name] ?? []
    const removals = rowsOf(rows.values(), "Remove")
    if (removals.length > 0) writes.push(yield* removalOf(table, key, removals))
    writes.push(...(yield* putsOf(table, key, rowsOf(rows.values(), "Put"))))
    writes.push(...(yield* patchesOf(table, key, rowsOf(rows.values(), "Patch"))))
  }
  return [...writes, ...Array.from(changes.idsTaken, raiseOf)]
}
