import { expect, it } from "vitest"
import { exportsReadModel } from "#projections/exports/projection.ts"
import { type ExportEvent, exportCodec } from "#src/exports/events.ts"
import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"
import { batchExported, batchFailed, expired, exported, failed, finished, number, requested, taken } from "./samples.ts"

const { at } = recorded
const changesOf = (event: ExportEvent, stream = "relationExport-4") =>
  changesIn(exportsReadModel)(exportCodec.encode(event), stream)

const where = { project_id: 4 }
const gone = ["exports", "relations", "batches"].map((table) => ({ _tag: "RemoveWhere", table, where }))
const isUnderWay = { status: 0, error: null, objects: 0, sha256: null, updated_at: at }
const relation = (name: string, columns: object) => ({
  _tag: "Patch",
  table: "relations",
  key: { ...where, relation: name },
  columns: { ...columns, updated_at: at }
})
const batch = (batch_number: number, columns: object) => ({
  _tag: "Put",
  table: "batches",
  row: { ...where, relation: "labels", batch_number, ...columns, updated_at: at }
})

it.each<[ExportEvent, ReadonlyArray<object>]>([
  [
    requested(true),
    [
      ...gone,
      { _tag: "Put", table: "exports", row: { ...where, number, requested_by: "user:1", requested_at: at, finished_at: null } },
      { _tag: "Put", table: "relations", row: { ...where, relation: "labels", place: 0, is_batched: true, ...isUnderWay } },
      { _tag: "Put", table: "relations", row: { ...where, relation: "issues", place: 1, is_batched: true, ...isUnderWay } },
      { _tag: "Put", table: "relations", row: { ...where, relation: "self", place: 2, is_batched: false, ...isUnderWay } }
    ]
  ],
  [taken(2, 0), [relation("labels", { objects: 2 }), relation("issues", { objects: 0 }), relation("self", { objects: 1 })]],
  [batchExported("labels", 1, 1_000), [batch(1, { status: 1, error: null, objects: 1_000, sha256: "f1" })]],
  [batchFailed("labels", 2, "No space"), [batch(2, { status: -1, error: "No space", objects: 0, sha256: null })]],
  [exported("labels"), [relation("labels", { status: 1, sha256: "f1" })]],
  [exported("labels", null), [relation("labels", { status: 1, sha256: null })]],
  [failed("labels", "No space"), [relation("labels", { status: -1, error: "No space" })]],
  [finished(5), [{ _tag: "Patch", table: "exports", key: where, columns: { finished_at: 5 } }]],
  [expired, gone]
])("%j", (event, changes) => {
  expect(changesOf(event)).toEqual(changes)
  expect(changesOf(event, "pages-4")).toEqual([])
})

it("everything goes with the project", () => {
  expect(changesIn(exportsReadModel)(projectCodec.encode(ProjectEvent.cases.ProjectDeleted.make({})), "project-4")).toEqual(gone)
})
