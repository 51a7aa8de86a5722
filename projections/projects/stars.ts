import { Effect } from "effect"
import { contains } from "#projections/users/search.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"
import type { ProjectQueries, StarrerRow } from "#src/projects/Queries.ts"

/** Stars of active users: a select statement with a row for each project that has any. */
export const starCounts = `
  select _s.project_id, count(*) as star_count from rm_projects.stars _s
  join rm_users.users _u on _u.id = _s.user_id and _u.state = 'active' group by _s.project_id`

/** How many active users have starred the project (an SQL expression). */
export const starCount = (project: string): string =>
  `coalesce((select _c.star_count from (${starCounts}) _c where _c.project_id = ${project}), 0)`

/** The condition that all of these users have starred the project `p`. */
export const isStarredBy = (sql: Client, userIds: ReadonlyArray<number>) =>
  userIds.reduce(
    (all, userId) => sql`${all} and p.id in (select s.project_id from rm_projects.stars s where s.user_id = ${userId})`,
    sql`true`
  )

/** Who starred a project. */
export const starrersOf =
  (sql: Client): ProjectQueries["Service"]["starrers"] =>
  (projectId, { search, viewer }, { limit, offset }) => {
    const from = () => sql`
      from rm_projects.stars s join rm_users.users u on u.id = s.user_id
      where s.project_id = ${projectId} and u.state = 'active'
      ${viewer.isAdministrator ? sql`` : sql`and (not u.private_profile or u.id = ${viewer.userId ?? null}::bigint)`}
      ${search === undefined ? sql`` : sql`and (${found(sql, search)})`}`
    return Effect.all(
      {
        rows: query(
          () => sql<Array<StarrerRow>>`
            select u.id, u.username, u.name, u.state, s.starred_at ${from()}
            order by s.starred_at, u.id limit ${limit} offset ${offset}`
        ),
        total: Effect.map(
          query(() => sql<Array<{ total: number }>>`select count(*) as total ${from()}`),
          ([row]) => row?.total ?? 0
        )
      },
      { concurrency: 2 }
    )
  }

const found = (sql: Client, search: string) => {
  const text = search.toLowerCase()
  return sql`${contains(sql, "u.name", text)} or ${contains(sql, "u.username", text)} or u.public_email = ${text}`
}
