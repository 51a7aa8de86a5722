import { contains } from "#projections/search.ts"
import { all, any, type Fragment, raw, selectPage, slice, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import type { ProjectQueries, StarrerRow } from "#src/projects/Queries.ts"

/**
 * Stars of active users: a select statement with a row for each project that has any. Few users are not active, so leaving theirs out takes
 * a third of the time that looking up the user of each star takes.
 */
export const starCounts = `
  select _s.project_id, count(*) as star_count from rm_projects.stars _s
  where not exists (select from rm_projects.inactive_users _i where _i.user_id = _s.user_id) group by _s.project_id`

/** How many active users have starred the project (an SQL expression). */
export const starCount = (project: string): string =>
  `coalesce((select _c.star_count from (${starCounts}) _c where _c.project_id = ${project}), 0)`

/** The condition that all of these users have starred the project `p`. */
export const isStarredBy = (userIds: ReadonlyArray<number>): Fragment =>
  all(...userIds.map((userId) => sql`p.id in (select s.project_id from rm_projects.stars s where s.user_id = ${userId})`))

/** Lists the users who starred a project. */
export const starrersOf =
  (client: Client): ProjectQueries["Service"]["starrers"] =>
  (projectId, { search, viewer }, { limit, offset }) => {
    const conditions = all(
      sql`s.project_id = ${projectId}`,
      raw("u.state = 'active'"),
      !viewer.isAdministrator && sql`not u.private_profile or u.id = ${viewer.userId ?? null}::bigint`,
      search !== undefined && found(search)
    )
    const from = sql`from rm_projects.stars s join rm_users.users u on u.id = s.user_id where ${conditions}`
    return selectPage<StarrerRow>(client, {
      rows: sql`select u.id, u.username, u.name, u.state, s.starred_at ${from}
        order by s.starred_at, u.id ${slice({ limit, offset })}`,
      count: sql`select count(*) as total ${from}`
    })
  }

const found = (search: string): Fragment =>
  any(contains("u.name", search), contains("u.username", search), sql`u.public_email = ${search.toLowerCase()}`)
