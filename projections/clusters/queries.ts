import { Effect, Layer } from "effect"
import { ClusterQueries, type ClusterRow } from "#src/clusters/Queries.ts"
import { lookupById } from "#src/platform/sql/lookup.ts"
import { type Client, query, Sql } from "#src/platform/sql/Sql.ts"

const select = `
  select c.*, case when u.id is null then null
    else json_build_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state) end as creator
  from rm_clusters.clusters c left join rm_users.users u on u.id = c.added_by`

const rows = (client: Client, condition: string, values: Array<number>) =>
  query(() => client.unsafe<Array<ClusterRow>>(`${select} ${condition}`, values, { prepare: true }))

/** Answers questions about clusters from Postgres. */
export const clusterQueries: Layer.Layer<ClusterQueries, never, Sql> = Layer.effect(
  ClusterQueries,
  Effect.gen(function* () {
    const { client, lookups } = yield* Sql
    return ClusterQueries.of({
      list: ({ limit, offset }) =>
        Effect.all(
          {
            rows: rows(client, "order by c.id limit $1 offset $2", [limit, offset]),
            total: Effect.map(
              query(() => client<Array<{ total: number }>>`select count(*) as total from rm_clusters.clusters`),
              ([row]) => row?.total ?? 0
            )
          },
          { concurrency: 2 }
        ),
      find: lookupById<ClusterRow>(lookups, `${select} where c.id = any($1)`),
      hasScope: (scope, except) =>
        Effect.map(
          query(
            () => client<Array<{ id: number }>>`
              select id from rm_clusters.clusters where environment_scope = ${scope} and id <> ${except ?? 0} limit 1`
          ),
          ([row]) => row !== undefined
        )
    })
  })
)
