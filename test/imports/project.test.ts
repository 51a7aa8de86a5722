import { Result } from "effect"
import { expect, it } from "vitest"
import { importsReadModel } from "#projections/imports/project.ts"
import { ImportEvent, importCodec } from "#src/imports/events.ts"
import type { StoredEvent } from "#src/platform/eventStore/codec.ts"
import { ProjectEvent, projectCodec } from "#src/projects/events.ts"

const at = 1_719_748_800_000

const changesOf = (stored: StoredEvent, stream: string) =>
  importsReadModel.projections
    .filter(({ types }) => types.has(stored.type))
    .flatMap(({ project }) =>
      Result.getOrThrow(
        project({
          ...stored,
          id: "018f0000-0000-7000-8000-000000000000",
          metadata: { actor: "user:1", commandId: "c", correlationId: "r" },
          stream,
          revision: 0,
          position: 1,
          at,
          hash: "0".repeat(64)
        })
      )
    )

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
      { _tag: "Put", table: "pending", row: { ...key, scheduled_at: at } }
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
