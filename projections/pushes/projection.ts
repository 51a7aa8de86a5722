import { readFileSync } from "node:fs"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { pushCodec } from "#src/pushes/events.ts"
import { repositoryIdOf } from "#src/pushes/ids.ts"
import { on, put, type ReadModel, remove, removeWhere } from "../ReadModel.ts"

const table = "refs"

/** The read model of refs, as the recorded pushes left them. */
export const pushesReadModel: ReadModel = {
  name: "pushes",
  version: 2,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [table]: ["project_id", "ref"] },
  projections: [
    on(pushCodec, ({ updates }, { position, stream }) => {
      const projectId = repositoryIdOf(stream)
      if (projectId === undefined) return []
      return updates.map(({ after, ref }) =>
        after === null
          ? remove(table, { project_id: projectId, ref })
          : put(table, { project_id: projectId, ref, id: after, position })
      )
    }),
    on(projectCodec, (event, { stream }) => {
      const projectId = projectIdOf(stream)
      return event._tag === "ProjectDeleted" && projectId !== undefined ? [removeWhere(table, { project_id: projectId })] : []
    })
  ]
}
