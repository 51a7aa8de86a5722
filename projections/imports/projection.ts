import { readFileSync } from "node:fs"
import { ImportEvent, importCodec } from "#src/imports/events.ts"
import { importIdOf } from "#src/imports/ids.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { type Change, on, patch, put, type ReadModel, remove } from "../ReadModel.ts"

const [imports, pending] = ["imports", "pending"] as const

const changes = (id: number, event: ImportEvent, { at, metadata }: RecordedEvent): ReadonlyArray<Change> =>
  ImportEvent.match(event, {
    ImportScheduled: ({ source }) => [
      put(imports, { id, import_url: source.url, status: "scheduled", error: null, progress: 0 }),
      put(pending, { id, scheduled_at: at, scheduled_by: metadata.actor })
    ],
    ImportStarted: () => [patch(imports, { id }, { status: "started" })],
    ImportProgressed: ({ percent }) => [patch(imports, { id }, { progress: percent })],
    ImportFinished: () => [patch(imports, { id }, { status: "finished", progress: 100 }), remove(pending, { id })],
    ImportFailed: ({ reason }) => [patch(imports, { id }, { status: "failed", error: reason }), remove(pending, { id })],
    ImportCancelled: () => [remove(imports, { id }), remove(pending, { id })]
  })

/** What is imported into projects, and how far that has come. */
export const importsReadModel: ReadModel = {
  name: "imports",
  version: 2,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [imports]: ["id"], [pending]: ["id"] },
  projections: [
    on(importCodec, (event, recorded) => {
      const id = importIdOf(recorded.stream)
      return id === undefined ? [] : changes(id, event, recorded)
    }),
    on(projectCodec, (event, { stream }) => {
      const id = projectIdOf(stream)
      // What is pending stays: whoever does it has to clear it away.
      return event._tag === "ProjectDeleted" && id !== undefined ? [remove(imports, { id })] : []
    })
  ]
}
