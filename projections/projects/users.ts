import { Effect } from "effect"
import { contains } from "#projections/users/search.ts"
import type { UserReferenceRow } from "#src/http/answer/shapes.ts"
import { type Client, query } from "#src/platform/sql/Sql.ts"
import type { ProjectQueries } from "#src/projects/Queries.ts"
import { allProjectMemberships } from "./members.ts"

/** Ids of the users who have a role in the project of the common table `asked`, wherever from. */
const usersWithRole = `
  select a.user_id from (${allProjectMemberships.replaceAll("$1", "(select id from asked)")}) a
  union
  select n.owner_id from rm_projects.projects p join rm_namespaces.namespaces n on n.id = p.namespace_id
  where p.id = (select id from asked) and n.owner_id is not null`

/** Users of a project, newest first. */
export const usersOf =
  (sql: Client): ProjectQueries["Service"]["users"] =>
  (projectId, { except = [], search }, { limit, offset }) => {
    const projectTable = () => sql`with asked(id) as (select ${projectId}::bigint)`
    const where = () => sql`
      u.id in (${sql.unsafe(usersWithRole)}) and u.id <> all (${[...except]}::bigint[])
      ${search === undefined ? sql`` : sql`and (${contains(sql, "u.name", search)} or ${contains(sql, "u.username", search)})`}`
    return Effect.all(
      {
        rows: query(
          () => sql<Array<UserReferenceRow>>`
            ${projectTable()} select u.id, u.username, u.name, u.state from rm_users.users u where ${where()}
            order by u.id desc limit ${limit} offset ${offset}`
        ),
        total: Effect.map(
          query(
            () => sql<Array<{ total: number }>>`${projectTable()} select count(*) as total from rm_users.users u where ${where()}`
          ),
          ([row]) => row?.total ?? 0
        )
      },
      { concurrency: 2 }
    )
  }
