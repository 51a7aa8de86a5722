import { Effect, Layer } from "effect"
import { PagesQueries, type PagesRow } from "#src/pages/Queries.ts"
import { lookup } from "#src/platform/sql/lookup.ts"
import { query, Sql } from "#src/platform/sql/Sql.ts"

const select = `
  select p.id, s.unique_domain_enabled, s.https_only, s.unique_domain, coalesce(d.deployments, '[]') as deployments
  from unnest($1::bigint[]) p(id)
  left join rm_pages.settings s on s.project_id = p.id
  left join lateral (
    select json_agg(json_build_object('site', d.site, 'path_prefix', d.path_prefix, 'root_directory', d.root_directory,
      'created_at', d.created_at) order by d.path_prefix) as deployments
    from rm_pages.deployments d where d.project_id = p.id) d on true`

type Found = PagesRow & { readonly id: number }

const unset: PagesRow = { unique_domain_enabled: null, https_only: null, unique_domain: null, deployments: [] }

/** Answers questions about pages from Postgres. */
export const pagesQueries: Layer.Layer<PagesQueries, never, Sql> = Layer.effect(
  PagesQueries,
  Effect.gen(function* () {
    const { client, lookups } = yield* Sql
    const find = lookup(
      (ids: Array<number>, onRow: (row: Found) => void) =>
        lookups.unsafe<Array<Found>>(select, [ids], { prepare: true }).forEach(onRow),
      ({ id }) => id
    )
    return PagesQueries.of({
      find: (projectId) => Effect.map(find(projectId), (row) => row ?? unset),
      projectOfDomain: (uniqueDomain) =>
        Effect.map(
          query(
            () => client<Array<{ project_id: number }>>`
              select project_id from rm_pages.settings where unique_domain = ${uniqueDomain} limit 1`
          ),
          ([row]) => row?.project_id
        )
    })
  })
)
