import { expect, it } from "vitest"
import { importsReadModel } from "#projections/imports/projection.ts"
import { ImportEvent, importCodec } from "#src/imports/events.ts"
import { ProjectEvent, projectCodec } from "#src/projects/events.ts"
import { changesIn, recorded } from "#test/support/recordedEvent.ts"

const { at } = recorded

const changesOf = changesIn(importsReadModel)

const { cases } = ImportEvent
const key = { id: 9 }
const patch = (columns: object) => ({ _tag: "Patch", table: "imports", key, columns })
const over = { _tag: "Remove", table: "pending", key }
const gone = { _tag: "Remove", table: "imports", key }

it.each<[ImportEvent, ReadonlyArray<object>]>([
  [
    cases.ImportScheduled.make({ source: { url: "https://example.com/a.git", credentials: "sealed" } }),
    [
      {
        _tag: "Put",
        table: "imports",
        row: { ...key, import_url: "https://example.com/a.git", status: "scheduled", error: null, progress: 0 }
      },
      { _tag: "Put", table: "pending", row: { ...key, scheduled_at: at, scheduled_by: "user:1" } }
    ]
  ],
  [cases.ImportStarted.make({}), [patch({ status: "started" })]],
  [cases.ImportProgressed.make({ percent: 40 }), [patch({ progress: 40 })]],
  [cases.ImportFinished.make({ branches: 1, tags: 0 }), [patch({ status: "finished", progress: 100 }), over]],
  [cases.ImportFailed.make({ reason: "No" }), [patch({ status: "failed", error: "No" }), over]],
  [cases.ImportCancelled.make({}), [gone, over]]
])("$_tag", (event, changes) => {
  expect(changesOf(importCodec.encode(event), "import-9")).toEqual(changes)
  expect(changesOf(importCodec.encode(event), "pipeline-9")).toEqual([])
})

it("what is pending for a deleted project stays until it is cancelled", () => {
  const deleted = projectCodec.encode(ProjectEvent.cases.ProjectDeleted.make({}))
  expect(changesOf(deleted, "project-9")).toEqual([gone])
})
