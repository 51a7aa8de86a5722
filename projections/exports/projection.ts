import { readFileSync } from "node:fs"
import { ExportEvent, exportCodec } from "#src/exports/events.ts"
import { projectIdOfExports } from "#src/exports/ids.ts"
import type { RecordedEvent } from "#src/platform/eventStore/EventStore.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { type Change, on, patch, put, type ReadModel, removeWhere } from "../ReadModel.ts"

const [exports, relations, batches] = ["exports", "relations", "batches"] as const
const all = [exports, relations, batches]

const removed = (projectId: number): ReadonlyArray<Change> => all.map((table) => removeWhere(table, { project_id: projectId }))

type Requested = Extract<ExportEvent, { readonly _tag: "ExportRequested" }>

const requested = (project_id: number, event: Requested, { at, metadata }: RecordedEvent): ReadonlyArray<Change> => [
  ...removed(project_id),
  put(exports, { project_id, number: event.number, requested_by: metadata.actor, requested_at: at, finished_at: null }),
  ...event.relations.map(({ isBatched, name }, place) =>
    put(relations, {
      project_id,
      relation: name,
      place,
      status: 0,
      error: null,
      is_batched: isBatched,
      objects: 0,
      sha256: null,
      updated_at: at
    })
  )
]

const changes = (project_id: number, event: ExportEvent, recorded: RecordedEvent): ReadonlyArray<Change> => {
  const { at } = recorded
  const relation = (name: string, columns: Parameters<typeof patch>[2]) =>
    patch(relations, { project_id, relation: name }, { ...columns, updated_at: at })
  const batch = (name: string, batch_number: number, columns: Parameters<typeof patch>[2]) =>
    put(batches, { project_id, relation: name, batch_number, error: null, sha256: null, objects: 0, ...columns, updated_at: at })
  return ExportEvent.match(event, {
    ExportRequested: (it) => requested(project_id, it, recorded),
    RelationsTaken: (it) => it.relations.map(({ name, objects }) => relation(name, { objects })),
    BatchExported: (it) => [batch(it.relation, it.batch, { status: 1, objects: it.objects, sha256: it.file.sha256 })],
    BatchFailed: (it) => [batch(it.relation, it.batch, { status: -1, error: it.error })],
    RelationExported: (it) => [relation(it.relation, { status: 1, sha256: it.file?.sha256 ?? null })],
    RelationFailed: (it) => [relation(it.relation, { status: -1, error: it.error })],
    ExportFinished: (it) => [patch(exports, { project_id }, { finished_at: it.at })],
    ExportExpired: () => removed(project_id)
  })
}

/** What is exported of projects, and how far that has come. */
export const exportsReadModel: ReadModel = {
  name: "exports",
  version: 1,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: {
    [exports]: ["project_id"],
    [relations]: ["project_id", "relation"],
    [batches]: ["project_id", "relation", "batch_number"]
  },
  projections: [
    on(exportCodec, (event, recorded) => {
      const projectId = projectIdOfExports(recorded.stream)
      return projectId === undefined ? [] : changes(projectId, event, recorded)
    }),
    on(projectCodec, (event, { stream }) => {
      const projectId = projectIdOf(stream)
      return event._tag === "ProjectDeleted" && projectId !== undefined ? removed(projectId) : []
    })
  ]
}
