import { readFileSync } from "node:fs"
import { DeploymentEvent, deploymentCodec, EnvironmentEvent, environmentCodec, type Status } from "#src/deployments/events.ts"
import { deploymentIdOf, projectIdOfEnvironment } from "#src/deployments/ids.ts"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, type Row } from "../ReadModel.ts"

const [environments, deployments, mergeRequests] = ["environments", "deployments", "merge_requests"]

const environmentChanges = (projectId: number, event: EnvironmentEvent, at: number): ReadonlyArray<Change> => {
  const patched = (columns: Row) => [patch(environments, { id: event.id }, { ...columns, updated_at: at })]
  return EnvironmentEvent.match(event, {
    EnvironmentCreated: ({ externalUrl, id, name, slug, tier }) => [
      idTaken("environment", id),
      put(environments, {
        ...{ id, project_id: projectId, name, slug, external_url: externalUrl, tier },
        ...{ state: "available", is_deleted: false, created_at: at, updated_at: at }
      })
    ],
    EnvironmentChanged: ({ changes }) => patched(snakeCased(changes)),
    EnvironmentStopped: () => patched({ state: "stopped" }),
    EnvironmentStarted: () => patched({ state: "available" }),
    EnvironmentDeleted: () => patched({ is_deleted: true })
  })
}

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
  version: 3,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [environments]: ["id"], [deployments]: ["id"], [mergeRequests]: ["project_id", "iid", "deployment_id"] },
  projections: [
    on(environmentCodec, (event, { at, stream }) => {
      const projectId = projectIdOfEnvironment(stream)
      return projectId === undefined ? [] : environmentChanges(projectId, event, at)
    }),
    on(deploymentCodec, (event, { at, stream }) => {
      const id = deploymentIdOf(stream)
      return id === undefined ? [] : changes(id, event, at)
    })
  ]
}
