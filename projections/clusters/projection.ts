import { readFileSync } from "node:fs"
import { ClusterEvent, clusterCodec } from "#src/clusters/events.ts"
import { clusterIdOf } from "#src/clusters/ids.ts"
import { snakeCased } from "#src/kernel/letterCase.ts"
import { type Change, idTaken, on, patch, put, type ReadModel, remove } from "../ReadModel.ts"

const table = "clusters"

const changes = (id: number, at: number, event: ClusterEvent): ReadonlyArray<Change> =>
  ClusterEvent.match(event, {
    ClusterAdded: ({ settings, authorizationType, providerType, provider, addedBy }) => [
      idTaken("cluster", id),
      put(table, {
        id,
        created_at: at,
        updated_at: at,
        ...snakeCased(settings),
        authorization_type: authorizationType,
        provider_type: providerType,
        provider,
        added_by: addedBy
      })
    ],
    ClusterChanged: (changed) => [patch(table, { id }, { ...snakeCased(changed.changes), updated_at: at })],
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
