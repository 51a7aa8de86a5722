import { contains } from "#projections/search.ts"
import { all, any, type Fragment, raw, selectPage, slice, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import type { ProjectQueries, StarrerRow } from "#src/projects/Queries.ts"

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
