import { Effect } from "effect"
import { reachedGroups } from "#projections/namespaces/access.ts"
import { namespaceTitles } from "#projections/namespaces/expressions.ts"
import { contains } from "#projections/users/search.ts"
import type { GroupReferenceRow } from "#src/http/answer/references.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"
import type { ProjectQueries, TransferLocationFilter } from "#src/projects/Queries.ts"

const reached = reachedGroups("(select id from asker)")

/** The groups to which projects may come, as `g`. Bringing one takes a Maintainer. */
const groups = (sql: Client, { except, search, user }: TransferLocationFilter) => sql`
  from rm_namespaces.namespaces g where g.kind = 'group' and g.id <> ${except}
  ${
    user.isAdministrator
      ? sql``
      : sql`and g.project_creation_level <> 'noone' and g.id in (
    with recursive asker(id) as (select ${user.id}::bigint), ${sql.unsafe(reached)}
    select id from _reached where level >= 40)`
  }
  ${search === undefined ? sql`` : sql`and (${contains(sql, "g.name", search)} or ${contains(sql, "g.path", search)})`}`

/** Answers where a user may transfer projects to. */
export const transferLocationsOf =
  (sql: Client): ProjectQueries["Service"]["transferLocations"] =>
  (filter, { limit, offset }) =>
    Effect.all(
      {
        rows: query(
          () => sql<Array<GroupReferenceRow>>`
            select shown.id, shown.name, titles.* from (
              select g.id, g.name ${groups(sql, filter)} order by lower(g.name), g.id limit ${limit} offset ${offset}
            ) shown
            cross join lateral (${sql.unsafe(namespaceTitles("shown.id"))}) titles order by lower(shown.name), shown.id`
        ),
        total: Effect.map(
          query(() => sql<Array<{ total: number }>>`select count(*) as total ${groups(sql, filter)}`),
          ([row]) => row?.total ?? 0
        )
      },
      { concurrency: 2 }
    )
