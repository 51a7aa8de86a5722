import fc from "fast-check"
import { assert, expect, it } from "vitest"
import { ChangeFolder } from "#projections/foldChanges.ts"
import { type Change, patch, put, type ReadModel, type Row, remove, removeWhere } from "#projections/ReadModel.ts"
import { writing } from "#projections/writeChanges.ts"
import { atOnce } from "#src/kernel/inSlices.ts"

type Table = ReadonlyMap<unknown, Row>

const without = (table: Table, where: Row): Table =>
  new Map([...table].filter(([, row]) => Object.entries(where).some(([column, value]) => row[column] !== value)))

/** One change by itself, as the documentation of `Change` has it. */
const applied = (table: Table, change: Change): Table => {
  switch (change._tag) {
    case "Put":
      return new Map(table).set(change.row.id, change.row)
    case "Patch": {
      const known = table.get(change.key.id)
      return known === undefined ? table : new Map(table).set(change.key.id, { ...known, ...change.columns })
    }
    case "Remove":
      return without(table, change.key)
    case "RemoveWhere":
      return without(table, change.where)
    case "IdTaken":
      return table
  }
}

/** All of a batch, in the order of `writing`. */
const appliedAtOnce = (table: Table, changes: ReadonlyArray<Change>): Table => {
  const folder = new ChangeFolder({ notes: ["id"] })
  for (const change of changes) folder.add(change)
  let result = folder.folded.removeWhere.reduce((rows, { where }) => without(rows, where), table)
  for (const { _tag, row } of folder.folded.tables.get("notes")?.values() ?? []) {
    if (_tag === "Put") result = applied(result, put("notes", row))
    if (_tag === "Patch") result = applied(result, patch("notes", { id: row.id ?? 0 }, row))
    if (_tag === "Remove") result = without(result, row)
  }
  return result
}

const id = fc.integer({ min: 1, max: 3 })
const author = fc.constantFrom("ann", "bob")
const text = fc.constantFrom("x", "y")
const row = fc.record({ id, author, text })
const change: fc.Arbitrary<Change> = fc.oneof(
  row.map((it) => put("notes", it)),
  fc.record({ id, text }).map((it) => patch("notes", { id: it.id }, { text: it.text })),
  id.map((it) => remove("notes", { id: it })),
  author.map((it) => removeWhere("notes", { author: it }))
)

it("a batch leaves the same rows as its changes one by one", () => {
  fc.assert(
    fc.property(fc.uniqueArray(row, { selector: (it) => it.id }), fc.array(change, { maxLength: 8 }), (rows, changes) => {
      const before: Table = new Map(rows.map((it) => [it.id, it]))
      const byId = (table: Table) => [...table.values()].toSorted((a, b) => Number(a.id) - Number(b.id))
      assert.deepStrictEqual(byId(appliedAtOnce(before, changes)), byId(changes.reduce(applied, before)))
    }),
    { numRuns: 2000 }
  )
})

it("writes a batch in as many statements, however many rows are removed by their values", () => {
  const tables = { notes: ["id"], tags: ["name"] }
  const readModel: ReadModel = { name: "sample", version: 1, ddl: "", tables, projections: [] }
  const folder = new ChangeFolder(tables)
  for (let by = 0; by < 500; by++) {
    folder.add(removeWhere("notes", { author: `user ${by}` }))
    folder.add(removeWhere("notes", { author: `user ${by}`, text: "x" }))
    folder.add(removeWhere("tags", { author: `user ${by}` }))
  }
  const writes = atOnce(writing(readModel, "live", folder.folded))
  expect(writes.map(({ text }) => text.match(/^delete from (\S+) .* where (.*)$/s)?.slice(1))).toEqual([
    ["rm_sample.notes", 't."author" = p."author"'],
    ["rm_sample.notes", 't."author" = p."author" and t."text" = p."text"'],
    ["rm_sample.tags", 't."author" = p."author"']
  ])
  expect(writes.map(({ values: [rows = ""] }) => JSON.parse(String(rows)).length)).toEqual([500, 500, 500])
})

it("encodes many rows as few, each with its columns", () => {
  const readModel: ReadModel = { name: "sample", version: 1, ddl: "", tables: { notes: ["id"] }, projections: [] }
  const folder = new ChangeFolder(readModel.tables)
  const texts = Array.from({ length: 501 }, (_, id) => ({ id, text: `"${id}", and so on` }))
  const authors = Array.from({ length: 3 }, (_, index) => ({ author: "ann", id: 1_000 + index }))
  for (const row of [...texts, ...authors]) folder.add(put("notes", row))
  const writes = atOnce(writing(readModel, "live", folder.folded))
  expect(writes.map(({ text }) => text.match(/^insert into (\S+) (\(.*?\))/)?.slice(1))).toEqual([
    ["rm_sample.notes", '("id", "text")'],
    ["rm_sample.notes", '("author", "id")']
  ])
  expect(writes.map(({ values }) => values)).toEqual([[JSON.stringify(texts)], [JSON.stringify(authors)]])
})
