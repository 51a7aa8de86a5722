import { readFileSync } from "node:fs"
import { DeploymentEvent, deploymentCodec, environmentCodec, type Status } from "#src/deployments/events.ts"
import { deploymentIdOf, projectIdOfEnvironment } from "#src/deployments/ids.ts"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { type Change, idTaken, on, patch, put, type ReadModel } from "../ReadModel.ts"

const [environments, deployments, mergeRequests] = ["environments", "deployments", "merge_requests"]

const finishedAt = (status: Status, at: number) => (status === "running" ? null : at)

const changes = (id: number, event: DeploymentEvent, at: number): ReadonlyArray<Change> =>
  DeploymentEvent.match(event, {
    DeploymentCreated: ({ _tag, by, mergeRequestIids, ...columns }) => [
      idTaken("deployment", id),
      put(deployments, {
        id,
        ...snakeCased(columns),
        user_id: by,
        created_at: at,
        updated_at: at,
        finished_at: finishedAt(columns.status, at)
      }),
      ...mergeRequestIids.map((iid) => put(mergeRequests, { deployment_id: id, project_id: columns.projectId, iid }))
    ],
    DeploymentEnded: ({ mergeRequestIids, projectId, status }) => [
      patch(deployments, { id }, { status, updated_at: at, finished_at: finishedAt(status, at) }),
      ...mergeRequestIids.map((iid) => put(mergeRequests, { deployment_id: id, project_id: projectId, iid }))
    ]
  })

/** Environments with what was deployed into them. */
export const deploymentsReadModel: ReadModel = {
  name: "deployments",
  version: 1,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [environments]: ["id"], [deployments]: ["id"], [mergeRequests]: ["project_id", "iid", "deployment_id"] },
  projections: [
    on(environmentCodec, ({ externalUrl, id, name, slug, tier }, { at, stream }) => {
      const projectId = projectIdOfEnvironment(stream)
      if (projectId === undefined) return []
      const row = { id, project_id: projectId, name, slug, external_url: externalUrl, tier, created_at: at }
      return [idTaken("environment", id), put(environments, row)]
    }),
    on(deploymentCodec, (event, { at, stream }) => {
      const id = deploymentIdOf(stream)
      return id === undefined ? [] : changes(id, event, at)
    })
  ]
}
