import type { IdKind } from "#src/platform/Ids.ts"
import type { Change, ReadModel, Row } from "./ReadModel.ts"

/** What is to be done with one row: its whole new content, some columns, or its removal. */
export type RowChange =
  | { readonly _tag: "Put"; readonly row: Row }
  | { readonly _tag: "Patch"; readonly row: Row }
  | { readonly _tag: "Remove"; readonly row: Row }

/** The sum of many changes: at most one per row, so their order does not matter but for `removeWhere`, which comes first. */
export interface FoldedChanges {
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, RowChange>>
  readonly removeWhere: ReadonlyArray<{ readonly table: string; readonly where: Row }>
  readonly idsTaken: ReadonlyMap<IdKind, number>
}

const matches = (row: Row, where: Row): boolean => Object.entries(where).every(([column, value]) => row[column] === value)

/** Rows by the values that they have in some columns. */
interface Index {
  readonly columns: ReadonlyArray<string>
  readonly keys: Map<string, Set<string>>
}

const valuesOf = ({ columns }: Index, row: Row): string => JSON.stringify(columns.map((column) => row[column]))

/** The changes of the rows of one table, which are found by their values without looking at all of them. */
class TableChanges {
  readonly rows = new Map<string, RowChange>()
  readonly #indexes = new Map<string, Index>()

  set(key: string, change: RowChange): void {
    const before = this.rows.get(key)
    this.rows.set(key, change)
    for (const index of this.#indexes.values()) {
      if (before !== undefined) index.keys.get(valuesOf(index, before.row))?.delete(key)
      this.#addTo(index, key, change.row)
    }
  }

  /** The keys and rows with these values. */
  matching(where: Row): ReadonlyArray<readonly [string, Row]> {
    const index = this.#indexOf(Object.keys(where))
    return [...(index.keys.get(valuesOf(index, where)) ?? [])].flatMap((key) => {
      const row = this.rows.get(key)?.row
      return row !== undefined && matches(row, where) ? [[key, row] as const] : []
    })
  }

  #indexOf(columns: ReadonlyArray<string>): Index {
    const name = JSON.stringify(columns)
    const known = this.#indexes.get(name)
    if (known !== undefined) return known
    const index: Index = { columns, keys: new Map() }
    for (const [key, { row }] of this.rows) this.#addTo(index, key, row)
    this.#indexes.set(name, index)
    return index
  }

  #addTo(index: Index, key: string, row: Row): void {
    const values = valuesOf(index, row)
    const keys = index.keys.get(values)
    if (keys === undefined) index.keys.set(values, new Set([key]))
    else keys.add(key)
  }
}

/** Collects the changes of one read model. Sums up as it goes, so that a batch of many events of few rows stays small. */
export class ChangeFolder {
  readonly #tables = new Map<string, TableChanges>()
  readonly #removeWhere: Array<{ table: string; where: Row }> = []
  readonly #idsTaken = new Map<IdKind, number>()
  readonly #keys: ReadModel["tables"]

  constructor(tables: ReadModel["tables"]) {
    this.#keys = tables
  }

  add(change: Change): void {
    if (change._tag === "IdTaken") {
      this.#idsTaken.set(change.kind, Math.max(change.id, this.#idsTaken.get(change.kind) ?? 0))
      return
    }
    const changes = this.#changesOf(change.table)
    if (change._tag === "RemoveWhere") {
      this.#removeWhere.push({ table: change.table, where: change.where })
      // The row that the tables hold may have other values than the one that it would have become.
      for (const [key, row] of changes.matching(change.where))
        changes.set(key, { _tag: "Remove", row: this.#keyRowOf(change.table, row) })
      return
    }
    const key = this.#keyOf(change.table, change._tag === "Put" ? change.row : change.key)
    if (change._tag === "Put") changes.set(key, { _tag: "Put", row: change.row })
    else if (change._tag === "Remove") changes.set(key, { _tag: "Remove", row: change.key })
    else {
      const known = changes.rows.get(key)
      if (known === undefined) changes.set(key, { _tag: "Patch", row: { ...change.key, ...change.columns } })
      else if (known._tag !== "Remove") changes.set(key, { _tag: known._tag, row: { ...known.row, ...change.columns } })
    }
  }

  get folded(): FoldedChanges {
    const tables = new Map(Array.from(this.#tables, ([table, { rows }]) => [table, rows]))
    return { tables, removeWhere: this.#removeWhere, idsTaken: this.#idsTaken }
  }

  #changesOf(table: string): TableChanges {
    const known = this.#tables.get(table)
    if (known !== undefined) return known
    const changes = new TableChanges()
    this.#tables.set(table, changes)
    return changes
  }

  #keyRowOf(table: string, row: Row): Row {
    return Object.fromEntries((this.#keys[table] ?? []).map((column) => [column, row[column] ?? null]))
  }

  #keyOf(table: string, row: Row): string {
    const columns = this.#keys[table] ?? []
    return columns.length === 1 ? String(row[columns[0] ?? ""]) : JSON.stringify(columns.map((column) => row[column]))
  }
}
