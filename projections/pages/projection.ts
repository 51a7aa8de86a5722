import { readFileSync } from "node:fs"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { PagesEvent, pagesCodec } from "#src/pages/events.ts"
import { projectIdOfPages } from "#src/pages/ids.ts"
import { projectCodec } from "#src/projects/events.ts"
import { projectIdOf } from "#src/projects/ids.ts"
import { type Change, on, put, type ReadModel, removeWhere } from "../ReadModel.ts"

const [settings, deployments] = ["settings", "deployments"]

const changes = (projectId: number, at: number, event: PagesEvent): ReadonlyArray<Change> =>
  PagesEvent.match(event, {
    PagesSettingsChanged: (changed) => [put(settings, { project_id: projectId, ...snakeCased(changed.settings) })],
    PagesDeployed: ({ deployment: { pathPrefix, rootDirectory, site } }) => [
      put(deployments, { project_id: projectId, ...snakeCased({ pathPrefix, site, rootDirectory }), created_at: at })
    ],
    PagesUnpublished: () => [removeWhere(deployments, { project_id: projectId })]
  })

/** The pages of projects. */
export const pagesReadModel: ReadModel = {
  name: "pages",
  version: 1,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [settings]: ["project_id"], [deployments]: ["project_id", "path_prefix"] },
  projections: [
    on(pagesCodec, (event, { at, stream }) => {
      const projectId = projectIdOfPages(stream)
      return projectId === undefined ? [] : changes(projectId, at, event)
    }),
    on(projectCodec, (event, { stream }) => {
      const projectId = projectIdOf(stream)
      if (event._tag !== "ProjectDeleted" || projectId === undefined) return []
      return [settings, deployments].map((table) => removeWhere(table, { project_id: projectId }))
    })
  ]
}
