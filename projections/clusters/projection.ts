import { readFileSync } from "node:fs"
import { ClusterEvent, clusterCodec, type SettingsChanges } from "#src/clusters/events.ts"
import { clusterIdOf } from "#src/clusters/ids.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, type Row, remove } from "../ReadModel.ts"

const table = "clusters"

const columns = (settings: SettingsChanges): Row => ({
  ...(settings.name === undefined ? {} : { name: settings.name }),
  ...(settings.enabled === undefined ? {} : { enabled: settings.enabled }),
  ...(settings.managed === undefined ? {} : { managed: settings.managed }),
  ...(settings.environmentScope === undefined ? {} : { environment_scope: settings.environmentScope }),
  ...(settings.namespacePerEnvironment === undefined ? {} : { namespace_per_environment: settings.namespacePerEnvironment }),
  ...(settings.domain === undefined ? {} : { domain: settings.domain }),
  ...(settings.managementProjectId === undefined ? {} : { management_project_id: settings.managementProjectId }),
  ...(settings.apiUrl === undefined ? {} : { api_url: settings.apiUrl }),
  ...(settings.namespace === undefined ? {} : { namespace: settings.namespace }),
  ...(settings.caCert === undefined ? {} : { ca_cert: settings.caCert })
})

const changes = (id: number, at: number, event: ClusterEvent): ReadonlyArray<Change> =>
  ClusterEvent.match(event, {
    ClusterAdded: ({ settings, authorizationType, providerType, provider, addedBy }) => [
      idTaken("cluster", id),
      put(table, {
        id,
        created_at: at,
        updated_at: at,
        ...columns(settings),
        authorization_type: authorizationType,
        provider_type: providerType,
        provider,
        added_by: addedBy
      })
    ],
    ClusterChanged: (changed) => [patch(table, { id }, { ...columns(changed.changes), updated_at: at })],
    ClusterTokenReplaced: () => [patch(table, { id }, { updated_at: at })],
    ClusterRemoved: () => [remove(table, { id })]
  })

/** The clusters of the instance, without their tokens. */
export const clustersReadModel: ReadModel = {
  name: "clusters",
  version: 1,
  ddl: readFileSync(new URL("./table.sql", import.meta.url), "utf8"),
  tables: { [table]: ["id"] },
  projections: [
    on(clusterCodec, (event, recorded) => {
      const id = clusterIdOf(recorded.stream)
      return id === undefined ? [] : changes(id, recorded.at, event)
    })
  ]
}
