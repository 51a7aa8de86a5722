import type { Statements } from "#src/platform/sql/Sql.ts"
import type { FoldedChanges, RowChange } from "./foldChanges.ts"
import type { ReadModel, Row } from "./ReadModel.ts"

/** The name of the schema: `rm_users`, or `rm_users_next` for the generation that a rebuild makes. */
export const schemaOf = (readModel: string, generation: Generation): string =>
  generation === "live" ? `rm_${readModel}` : `rm_${readModel}_next`

export type Generation = "live" | "next"

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Groups rows by the columns that are written, because such rows go in one statement. */
const byColumns = (rows: ReadonlyArray<Row>): ReadonlyMap<string, ReadonlyArray<Row>> =>
  Map.groupBy(rows, (row) => JSON.stringify(Object.keys(row).sort()))

/** Runs `statement($1)` with the rows as a JSON array, which Postgres turns into rows of the table's own types. */
const run = (sql: Statements, statement: string, rows: ReadonlyArray<Row>) =>
  sql.unsafe(statement, [JSON.stringify(rows)], { prepare: true })

const put = async (sql: Statements, table: string, key: ReadonlyArray<string>, rows: ReadonlyArray<Row>): Promise<void> => {
  for (const [columns, group] of byColumns(rows)) {
    const names: ReadonlyArray<string> = JSON.parse(columns)
    const list = names.map(quote).join(", ")
    const updates = names.filter((name) => !key.includes(name)).map((name) => `${quote(name)} = excluded.${quote(name)}`)
    const conflict = updates.length === 0 ? "do nothing" : `do update set ${updates.join(", ")}`
    await run(
      sql,
      `insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, $1::text::json)
       on conflict (${key.map(quote).join(", ")}) ${conflict}`,
      group
    )
  }
}

const patch = async (sql: Statements, table: string, key: ReadonlyArray<string>, rows: ReadonlyArray<Row>): Promise<void> => {
  for (const [columns, group] of byColumns(rows)) {
    const names: ReadonlyArray<string> = JSON.parse(columns)
    const updates = names.filter((name) => !key.includes(name)).map((name) => `${quote(name)} = p.${quote(name)}`)
    if (updates.length === 0) continue
    await run(
      sql,
      `update ${table} t set ${updates.join(", ")} from json_populate_recordset(null::${table}, $1::text::json) p
       where ${key.map((name) => `t.${quote(name)} = p.${quote(name)}`).join(" and ")}`,
      group
    )
  }
}

const remove = (sql: Statements, table: string, columns: ReadonlyArray<string>, rows: ReadonlyArray<Row>) =>
  run(
    sql,
    `delete from ${table} t using json_populate_recordset(null::${table}, $1::text::json) p
     where ${columns.map((name) => `t.${quote(name)} = p.${quote(name)}`).join(" and ")}`,
    rows
  )

const rowsOf = (changes: Iterable<RowChange>, tag: RowChange["_tag"]): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (const change of changes) if (change._tag === tag) rows.push(change.row)
  return rows
}

/**
 * Writes folded changes to the tables of one generation, with a number of statements that depends on the tables, not on the
 * events. Runs inside the caller's transaction.
 */
export const writeChanges = async (
  sql: Statements,
  readModel: ReadModel,
  generation: Generation,
  changes: FoldedChanges
): Promise<void> => {
  const schema = schemaOf(readModel.name, generation)
  for (const { table, where } of changes.removeWhere) await remove(sql, `${schema}.${table}`, Object.keys(where), [where])
  for (const [name, rows] of changes.tables) {
    const table = `${schema}.${name}`
    const key = readModel.tables[name] ?? []
    const [puts, patches, removals] = [
      rowsOf(rows.values(), "Put"),
      rowsOf(rows.values(), "Patch"),
      rowsOf(rows.values(), "Remove")
    ]
    if (removals.length > 0) await remove(sql, table, key, removals)
    if (puts.length > 0) await put(sql, table, key, puts)
    if (patches.length > 0) await patch(sql, table, key, patches)
  }
}

/** Raises id sequences to the highest ids that the log gave away. */
export const raiseIds = async (sql: Statements, idsTaken: FoldedChanges["idsTaken"]): Promise<void> => {
  for (const [kind, id] of idsTaken) {
    const sequence = `chronoforge.${kind}_ids`
    await sql.unsafe(
      `select setval($1::text::regclass, $2::bigint) from ${sequence} where not is_called or last_value < $2::bigint`,
      [sequence, id]
    )
  }
}
