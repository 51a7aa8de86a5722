import { reachedGroups } from "#projections/namespaces/access.ts"
import { namespaceTitles } from "#projections/namespaces/expressions.ts"
import { contains } from "#projections/search.ts"
import type { GroupReferenceRow } from "#src/http/answer/references.ts"
import { accessLevel } from "#src/members/levels.ts"
import { all, any, type Fragment, raw, selectPage, slice, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import type { ProjectQueries, TransferLocationFilter } from "#src/projects/Queries.ts"

const reached = reachedGroups("(select id from asker)")

/** Bringing a project takes a Maintainer. */
const mayReceive = (userId: number): Fragment => sql`g.project_creation_level <> 'noone' and g.id in (
  with recursive asker(id) as (select ${userId}::bigint), ${raw(reached)} select id from _reached where level >= ${accessLevel.maintainer})`

/** The groups to which projects may come, as `g`. */
const groups = ({ except, search, user }: TransferLocationFilter): Fragment => sql`
  from rm_namespaces.namespaces g where ${all(
    raw("g.kind = 'group'"),
    sql`g.id <> ${except}`,
    !user.isAdministrator && mayReceive(user.id),
    search !== undefined && any(contains("g.name", search), contains("g.path", search))
  )}`

/** Answers where a user may transfer projects to. */
export const transferLocationsOf =
  (client: Client): ProjectQueries["Service"]["transferLocations"] =>
  (filter, { limit, offset }) =>
    selectPage<GroupReferenceRow>(client, {
      rows: sql`
        select shown.id, shown.name, titles.* from (
          select g.id, g.name ${groups(filter)} order by lower(g.name), g.id ${slice({ limit, offset })}
        ) shown
        cross join lateral (${raw(namespaceTitles("shown.id"))}) titles order by lower(shown.name), shown.id`,
      count: sql`select count(*) as total ${groups(filter)}`
    })
