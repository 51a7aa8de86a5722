import { contains } from "#projections/search.ts"
import type { UserReferenceRow } from "#src/http/answer/shapes.ts"
import { all, any, raw, selectPage, slice, sql } from "#src/platform/sql/fragment.ts"
import type { Client } from "#src/platform/sql/Sql.ts"
import type { ProjectQueries } from "#src/projects/Queries.ts"
import { allProjectMemberships } from "./members.ts"

/** The ids of the users who have a role in the project of the common table `asked`, direct, inherited or by a share. */
const usersWithRole = `
  select a.user_id from (${allProjectMemberships().replaceAll("$1", "(select id from asked)")}) a
  union
  select n.owner_id from rm_projects.projects p join rm_namespaces.namespaces n on n.id = p.namespace_id
  where p.id = (select id from asked) and n.owner_id is not null`

/** Users of a project, by id. */
export const usersOf =
  (client: Client): ProjectQueries["Service"]["users"] =>
  (projectId, { except = [], search }, { limit, offset }) => {
    const projectTable = sql`with asked(id) as (select ${projectId}::bigint)`
    const conditions = all(
      raw(`u.id in (${usersWithRole})`),
      sql`u.id <> all (${[...except]}::bigint[])`,
      search !== undefined && any(contains("u.name", search), contains("u.username", search))
    )
    return selectPage<UserReferenceRow>(client, {
      rows: sql`${projectTable} select u.id, u.username, u.name, u.state from rm_users.users u where ${conditions}
        order by u.id ${slice({ limit, offset })}`,
      count: sql`${projectTable} select count(*) as total from rm_users.users u where ${conditions}`
    })
  }
