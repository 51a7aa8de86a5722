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

/** Collects the changes of one read model. Sums up as it goes, so that a batch of many events of few rows stays small. */
export class ChangeFolder {
  readonly #tables = new Map<string, Map<string, RowChange>>()
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
    const rows = this.#rowsOf(change.table)
    if (change._tag === "RemoveWhere") {
      this.#removeWhere.push({ table: change.table, where: change.where })
      // The row that the tables hold may have other values than the one that it would have become.
      for (const [key, { row }] of rows)
        if (matches(row, change.where)) rows.set(key, { _tag: "Remove", row: this.#keyRowOf(change.table, row) })
      return
    }
    const key = this.#keyOf(change.table, change._tag === "Put" ? change.row : change.key)
    if (change._tag === "Put") rows.set(key, { _tag: "Put", row: change.row })
    else if (change._tag === "Remove") rows.set(key, { _tag: "Remove", row: change.key })
    else {
      const known = rows.get(key)
      if (known === undefined) rows.set(key, { _tag: "Patch", row: { ...change.key, ...change.columns } })
      else if (known._tag !== "Remove") rows.set(key, { _tag: known._tag, row: { ...known.row, ...change.columns } })
    }
  }

  get folded(): FoldedChanges {
    return { tables: this.#tables, removeWhere: this.#removeWhere, idsTaken: this.#idsTaken }
  }

  #rowsOf(table: string): Map<string, RowChange> {
    const known = this.#tables.get(table)
    if (known !== undefined) return known
    const rows = new Map<string, RowChange>()
    this.#tables.set(table, rows)
    return rows
  }

  #keyRowOf(table: string, row: Row): Row {
    return Object.fromEntries((this.#keys[table] ?? []).map((column) => [column, row[column] ?? null]))
  }

  #keyOf(table: string, row: Row): string {
    const columns = this.#keys[table] ?? []
    return columns.length === 1 ? String(row[columns[0] ?? ""]) : JSON.stringify(columns.map((column) => row[column]))
  }
}
