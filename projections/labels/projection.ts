import { readFileSync } from "node:fs"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { LabelEvent, labelCodec } from "#src/labels/events.ts"
import { labelIdOf } from "#src/labels/ids.ts"
import { parentColumns } from "#src/parents/Parent.ts"
import { goingWithParents } from "../namespaces/parents.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, remove } from "../ReadModel.ts"

const table = "labels"

const changes = (id: number, at: number, event: LabelEvent): ReadonlyArray<Change> =>
  LabelEvent.match(event, {
    LabelCreated: ({ parent, settings }) => [
      idTaken("label", id),
      put(table, { id, ...parentColumns(parent), ...snakeCased(settings), created_at: at, updated_at: at })
    ],
    LabelChanged: (changed) => [patch(table, { id }, { ...snakeCased(changed.changes), updated_at: at })],
    LabelDeleted: () => [remove(table, { id })]
  })

/** The labels of projects and groups. */
export const labelsReadModel: ReadModel = {
  name: "labels",
  version: 2,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [table]: ["id"] },
  projections: [
    on(labelCodec, (event, { at, stream }) => {
      const id = labelIdOf(stream)
      return id === undefined ? [] : changes(id, at, event)
    }),
    ...goingWithParents([table])
  ]
}
